import { ipFault } from './kubernetes-syntax';

// Names as external-dns reads them of an annotation.

/** One name in the way in which it can be compared: DNS knows no capitals, and a trailing dot says that the name is whole. */
export function comparableName(name: string): string {
  return name.trim().replace(/\.$/, '').toLowerCase();
}

export function namesIn(annotation: string): string[] {
  return [...new Set(annotation.split(',').map(comparableName))].filter((name) => name !== '');
}

export function haveSameNames(one: string, other: string): boolean {
  return namesIn(one).sort().join() === namesIn(other).sort().join();
}

/** Whether one annotation says every name of another one, and perhaps more. */
export function haveNamesOf(one: string, other: string): boolean {
  const names = namesIn(one);
  return namesIn(other).every((name) => names.includes(name));
}

/** Those of some names in a certificate that a record can lead to one balancer. */
export function recordable(names: readonly string[]): string[] {
  return names.filter((name) => ipFault(name) !== undefined && !name.startsWith('*.'));
}

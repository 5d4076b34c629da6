import { EXTERNAL_DNS_HOSTNAME_ANNOTATIONS, EXTERNAL_DNS_SET_IDENTIFIER_ANNOTATIONS } from './kubernetes.facts';
import { ipFault } from './kubernetes-syntax';

type Annotations = Readonly<Record<string, unknown>>;

/** The annotations by which external-dns, in whatever version, gives a name to the address of a Service. */
export function namedInDns(name: string): Record<string, string> {
  return Object.fromEntries(EXTERNAL_DNS_HOSTNAME_ANNOTATIONS.map((key) => [key, name]));
}

export function namesOf(annotations: Annotations): string[] {
  const found = EXTERNAL_DNS_HOSTNAME_ANNOTATIONS.map((key) => annotations[key]).filter((text) => text !== undefined);
  return found.length === 0 ? NO_NAMES : [...new Set(found.flatMap((text) => namesIn(String(text))))];
}

export function keyOfName(annotations: Annotations, name: string): string {
  const isNamed = (key: string) => annotations[key] !== undefined && namesIn(String(annotations[key])).includes(name);
  return EXTERNAL_DNS_HOSTNAME_ANNOTATIONS.find(isNamed) ?? EXTERNAL_DNS_HOSTNAME_ANNOTATIONS[0];
}

const NO_NAMES: string[] = [];

/** Set identifier of records of one name; empty if there is none. */
export function identifierIn(annotations: Annotations): string {
  return String(EXTERNAL_DNS_SET_IDENTIFIER_ANNOTATIONS.map((key) => annotations[key]).find(Boolean) ?? '');
}

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

/** True if one annotation says every name of another one, and perhaps more. */
export function haveNamesOf(one: string, other: string): boolean {
  const names = namesIn(one);
  return namesIn(other).every((name) => names.includes(name));
}

/** Those of some names in a certificate that a record can lead to one balancer. */
export function recordableNames(names: readonly string[]): string[] {
  return names.filter((name) => ipFault(name) !== undefined && !name.startsWith('*.'));
}

import { isMap } from '../rules/service-json';

// Callers from JavaScript may pass anything: what nothing can be made of is told before it ends in words of the runtime.

/** What a prop must be. */
export interface PropKind {
  readonly name: string;
  is(value: unknown): boolean;
}

/** A kind for every prop of a struct. */
export type PropKinds<T> = { readonly [K in keyof Required<T>]: PropKind };

/** Values of a type of the language. */
export function ofType(name: string, type: string): PropKind {
  return { name, is: (value) => typeof value === type };
}

/** The words of an enum. */
export function wordOf(name: string, words: Readonly<Record<string, unknown>>): PropKind {
  return { name: `${name} (${Object.values(words).join(', ')})`, is: (value) => Object.values(words).includes(value) };
}

/** An object that has a member of a type. */
export function having(name: string, member: string, type = 'function'): PropKind {
  return { name, is: (value) => typeof (value as Record<string, unknown> | null)?.[member] === type };
}

/** Maps of values of a kind. */
export function mapOf(name: string, values: PropKind): PropKind {
  return { name, is: (value) => isMap(value) && Object.values(value).every(values.is) };
}

/** Lists of values of a kind. */
export function listOf(name: string, values: PropKind): PropKind {
  return { name, is: (value) => Array.isArray(value) && value.every(values.is) };
}

export const ANYTHING: PropKind = { name: 'anything', is: () => true };
export const TEXT = ofType('a text', 'string');
export const SWITCH = ofType('true or false', 'boolean');

/** The first prop that is of another kind than its own, as a message begins; nothing where all are. */
export function propFault(
  start: string,
  kinds: Readonly<Record<string, PropKind>>,
  given: object | undefined,
): string | undefined {
  for (const [prop, value] of Object.entries(given ?? {})) {
    const kind = kinds[prop];
    if (kind && value !== undefined && !kind.is(value)) {
      return `${start}${prop} is ${shown(value)}, which is not ${kind.name}; pass ${kind.name}`;
    }
  }
  return undefined;
}

/** Constructs point at each other in circles: they are shown as what they are made of. */
function shown(value: unknown): string {
  if (typeof value === 'string') {
    return `'${value}'`;
  }
  return isMap(value) && value.constructor !== Object
    ? `a ${value.constructor?.name}`
    : (JSON.stringify(value) ?? `a ${typeof value}`);
}

/** What a machine reads in a release of a controller. */
export const FACT_KINDS = [
  'gate',
  'flag',
  'variable',
  'annotation',
  'finalizer',
  'rbac',
  'webhook',
  'definition',
  'field',
  'action',
  'config',
  'runs',
  'dependency',
] as const;

export type FactKind = (typeof FACT_KINDS)[number];

/** One name of a release with its value: a default, verbs, a type. Never a sentence. */
export interface Fact {
  readonly kind: FactKind;
  readonly name: string;
  readonly value: string;
  /** The file of the repository that it was read in. */
  readonly file: string;
}

/** The same, as a table of this library has it. */
export interface KnownFact {
  readonly kind: FactKind;
  readonly name: string;
  /** Unset where the table has names alone. */
  readonly value?: string;
}

/** Facts by kind and name. */
export type Facts<T extends KnownFact = Fact> = ReadonlyMap<string, T>;

export const keyOf = ({ kind, name }: KnownFact): string => `${kind} ${name}`;

/** The first fact of a name counts. */
export function byKey<T extends KnownFact>(facts: readonly T[]): Facts<T> {
  const found = new Map<string, T>();
  for (const fact of facts) {
    if (!found.has(keyOf(fact))) {
      found.set(keyOf(fact), fact);
    }
  }
  return found;
}

/** What is read wrongly, or cannot be: one sentence for whoever runs the command. */
export class Unreadable extends Error {}

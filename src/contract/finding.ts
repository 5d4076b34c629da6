/** What a rule says of an object. */
export interface Finding {
  /** One clause, lower case, no full stop: what cannot be, or will surprise, with the value. */
  readonly what: string;
  /** One clause: what to do instead. */
  readonly remedy: string;
  /** The offending value as text. */
  readonly value?: string;
  /** JSON pointer to the offending field in the finished object, where it is known. */
  readonly at?: string;
}

/** All that a rule says: nothing where it is kept or does not apply. */
export type Said = Finding | readonly Finding[] | undefined;

/** What was said, one by one. */
export function findingsIn(said: Said): readonly Finding[] {
  return said === undefined ? [] : Array.isArray(said) ? said : [said as Finding];
}

import type { RuleEffect } from './rule';

/** What a rule finds in an object. */
export interface Finding {
  /** One clause, lower case, no full stop: what cannot be, or will surprise, with the value. */
  readonly what: string;
  /** One clause: what to do instead. */
  readonly remedy: string;
  /** The offending value as text. */
  readonly value?: string;
  /** The place in the object, as a JSON pointer, where what the rule reads does not show it. */
  readonly at?: string;
  /** What it does to a balancer, where that is not what all findings of the rule do. */
  readonly effect?: RuleEffect;
}

/** All that a rule finds: nothing where the object keeps it, or where it does not apply. */
export type Findings = Finding | readonly Finding[] | undefined;

/** Findings, one by one. */
export function findingsIn(found: Findings): readonly Finding[] {
  return found === undefined ? [] : Array.isArray(found) ? found : [found as Finding];
}

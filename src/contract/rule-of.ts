import type { Findings } from './finding';
import type { Json } from './json';
import type { Citation } from './kubernetes.facts';
import type { DescribedRule } from './rule';

export type { DescribedRule };

/** Judges finished documents, whoever made them: `Seen` is what it is shown. */
export interface RuleOf<Seen extends readonly unknown[]> extends DescribedRule {
  judge(...seen: Seen): Findings;
}

/** What is refused of any finished object of a kind: always an error. */
export interface Refusal extends Omit<RuleOf<[object: Json]>, 'who' | 'severity'> {
  readonly source: Citation;
}

import type { Said } from './finding';
import type { Json } from './json';
import type { Citation } from './kubernetes.facts';

/** What the docs tell of a rule, wherever it looks. */
export interface DescribedRule {
  /** Stable, kebab-case. */
  readonly id: string;
  /** Who says so in messages, where it is not whoever asks the rule. */
  readonly who?: string;
  /** An error stops the synth; a warning is told once. */
  readonly severity: 'error' | 'warning';
  /** The rule as a sentence, for the generated docs. */
  readonly says: string;
  /** Where the rule was learnt. */
  readonly source?: Citation;
}

/** Judges finished documents, whoever made them: `Seen` is what it is shown. */
export interface RuleOf<Seen extends readonly unknown[]> extends DescribedRule {
  judge(...seen: Seen): Said;
}

/** What is refused of any finished object of a kind: always an error. */
export interface Refusal extends Omit<RuleOf<[object: Json]>, 'who' | 'severity'> {
  readonly source: Citation;
}

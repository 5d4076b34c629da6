/** What kinds of words can be explained. */
export type WordKind = 'finalizer' | 'class' | 'annotation' | 'rule' | 'controller';

/** What one component has to do with a word. */
export interface ExplainedPart {
  /** The component, by its upstream name. */
  readonly who: string;
  /** What it does, by label: `value`, `default`. */
  readonly facts: Readonly<Record<string, string>>;
  /** Where upstream that was read, with version and file. */
  readonly source: string;
}

export interface ExplainedRule {
  readonly id: string;
  readonly severity: string;
  readonly says: string;
}

export interface Explanation {
  readonly kind: WordKind;
  /** The word in full. */
  readonly word: string;
  /** What it is, in one clause. */
  readonly says: string;
  readonly parts: readonly ExplainedPart[];
  /** What goes wrong with it, as the rules that look for it. */
  readonly rules: readonly ExplainedRule[];
  /** What to do, a clause each. */
  readonly todo: readonly string[];
  /** Pages of the documentation. */
  readonly readOn: readonly string[];
}

/** The pages that explanations lead to, below the folder of the documentation. */
export const PAGES = {
  finalizers: 'docs/explanation/finalizers.md',
  handOver: 'docs/how-to/hand-over-services.md',
  pending: 'docs/stuck-in-pending.md',
  permissions: 'docs/how-to/cloud-permissions.md',
  rules: 'docs/reference/rules.md',
  terminating: 'docs/stuck-in-terminating.md',
  warnings: 'docs/how-to/deal-with-warnings.md',
  controllers: 'docs/reference/controllers.md',
} as const;

/** Facts without those that are not known. */
export function known(facts: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(facts).filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== ''),
  );
}

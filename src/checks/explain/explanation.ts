export type WordKind = 'finalizer' | 'class' | 'annotation' | 'rule' | 'controller';

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

/** Manifests with a mistake that a rule finds, and the same manifests without it. */
export interface RuleExample {
  readonly rule: string;
  /** What happens on a live cluster. */
  readonly why?: string;
  /** The context file, if the rule needs one. */
  readonly context?: string;
  readonly bad: string;
  readonly good: string;
}

/** An example of a rule, with its finding. */
export interface ExplainedExample extends RuleExample {
  readonly what: string;
  readonly remedy: string;
  readonly line: number;
}

export interface Explanation {
  readonly kind: WordKind;
  readonly word: string;
  readonly says: string;
  readonly parts: readonly ExplainedPart[];
  /** What goes wrong with it, as the rules that look for it. */
  readonly rules: readonly ExplainedRule[];
  readonly todo: readonly string[];
  /** Of a rule: manifests with its mistake. */
  readonly examples?: readonly ExplainedExample[];
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

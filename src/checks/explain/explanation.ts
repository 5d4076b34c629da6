import type { Citation } from '../../contract/kubernetes.facts';

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

export interface Sign {
  /** The reason of the event, or of the condition; any where it is left out. */
  readonly reason?: RegExp;
  readonly message?: RegExp;
  readonly source: Citation;
}

/** A command that tells a cause from the others. */
export interface Check {
  readonly command: string;
  readonly shows: string;
  /** The controllers where it makes sense; anywhere where it is left out. */
  readonly of?: readonly string[];
}

export interface Cause {
  readonly id: string;
  readonly title: string;
  readonly what: string;
  readonly checks: readonly Check[];
  readonly remedy: string;
  readonly signs: readonly Sign[];
  /** Signs that fit several causes: they count where no other cause has a sign in the same message. */
  readonly generalSigns?: readonly Sign[];
  /** The controllers whose Services it can hit; any where it is left out. */
  readonly of?: readonly string[];
  /** The controllers that have not added their finalizer yet where it strikes. */
  readonly beforeFinalizerOf?: readonly string[];
}

export interface FinalizerFact {
  readonly finalizer: string;
  /** Whether names follow: `group.ingress.k8s.aws/` and the name of a group. */
  readonly isPrefix?: boolean;
  /** The kind of objects that have it. */
  readonly on: string;
  /** Who adds and removes it. */
  readonly who: string;
  /** What is cleaned up before it goes. */
  readonly guards: string;
  /** When it is added. */
  readonly added: string;
  /** What surprises. */
  readonly surprise?: string;
  /** What to do where it does not go. */
  readonly todo: string;
  readonly source: Citation;
}

/** What is known of a class that no controller of the catalogues serves. */
export interface ClassFact {
  readonly name: string;
  readonly who: string;
  readonly says: string;
  readonly source: Citation;
  /** Whether who serves it is known to put no finalizer on Services. */
  readonly isWithoutFinalizer?: boolean;
}

/** What is known of an annotation that no controller of load balancers reads. */
export interface AnnotationNote {
  readonly key: string;
  readonly who: string;
  readonly value: string;
  readonly says: string;
  readonly source: Citation;
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

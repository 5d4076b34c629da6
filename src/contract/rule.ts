import type { Citation } from './kubernetes.facts';
import type { LoadBalancerFinding } from './options';
import { printable } from './printable';

/**
 * What a mistake does to a balancer.
 *
 * - `refused`: the API server or the owner does not carry it out, and later edits wait behind it
 * - `ignored`: what is written has no effect
 * - `no-targets`: no pod receives connections
 */
export type RuleEffect = 'refused' | 'ignored' | 'no-targets';

/** What the docs show of a rule; also of what a construct reports itself, before there is an object to validate. */
export interface DescribedRule {
  /** Stable, kebab-case. */
  readonly id: string;
  /** The component that refuses or surprises, where it is not the one that runs the rule. */
  readonly who?: string;
  /** An error stops the synth; a warning is reported once. */
  readonly severity: 'error' | 'warning';
  /** What the mistake does to a balancer, where it does one of these for certain. */
  readonly effect?: RuleEffect;
  /** Of `no-targets`: names of fields, of the object or of those beside it, whose edit brings it about. */
  readonly decidedBy?: readonly string[];
  /** The mistake, in lower case without a full stop. */
  readonly says: string;
  /** Where upstream the rule was read; `ours` for a rule of this library. */
  readonly source?: Citation | 'ours';
}

/** Something a check alone tells, beside errors and warnings: nothing is wrong with it. */
export interface DescribedNote extends Omit<DescribedRule, 'severity'> {
  readonly severity: 'note';
}

/** A finding with what it does to a balancer, where that is not the same for all findings of its rule. */
export interface JudgedFinding extends LoadBalancerFinding {
  readonly effect?: RuleEffect;
}

/** A finding of a rule, for the actor that reports it. */
export function findingOf(
  rule: Pick<DescribedRule, 'id' | 'who'>,
  { what, remedy, value, at, effect }: Finding,
  who: string,
): JudgedFinding {
  // third-party manifests may hold anything anywhere
  const text = value === undefined || value === null ? undefined : String(value);
  return {
    ruleId: rule.id,
    who: rule.who ?? who,
    what,
    remedy,
    value: text,
    ...(at !== undefined && { at }),
    ...(effect && { effect }),
  };
}

export function sentenceOf(finding: LoadBalancerFinding): string {
  return `${finding.who}: ${printable(finding.what)}; ${printable(finding.remedy)} (${finding.ruleId})`;
}

/** A text with values in place of `{{name}}`. */
export function filled(text: string, params: object): string {
  return text.replace(/\{\{(\w+)\}\}/g, (_, name) => `${(params as Readonly<Record<string, unknown>>)[name]}`);
}

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

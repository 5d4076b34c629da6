import type { Finding } from './finding';
import type { Citation } from './kubernetes.facts';
import type { LoadBalancerFinding } from './load-balancer-finding';

/** What the docs show of a rule; also of what a construct reports itself, before there is an object to validate. */
export interface DescribedRule {
  /** Stable, kebab-case. */
  readonly id: string;
  /** The component that refuses or surprises, where it is not the one that runs the rule. */
  readonly who?: string;
  /** An error stops the synth; a warning is reported once. */
  readonly severity: 'error' | 'warning';
  /** What must hold, as a law in lower case. */
  readonly says: string;
  /** Where upstream the rule was read; `ours` for a rule of this library. */
  readonly source?: Citation | 'ours';
}

/** Something a check alone tells, beside errors and warnings: nothing is wrong with it. */
export interface DescribedNote extends Omit<DescribedRule, 'severity'> {
  readonly severity: 'note';
}

/** A finding of a rule, for the actor that reports it. */
export function findingOf(
  rule: Pick<DescribedRule, 'id' | 'who'>,
  { what, remedy, value, at }: Finding,
  who: string,
): LoadBalancerFinding {
  // third-party manifests may hold anything anywhere
  const text = value === undefined || value === null ? undefined : String(value);
  return { ruleId: rule.id, who: rule.who ?? who, what, remedy, value: text, ...(at !== undefined && { at }) };
}

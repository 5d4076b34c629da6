import type { IConstruct } from 'constructs';
import type { Finding } from '../contract/finding';
import type { Citation } from '../contract/kubernetes.facts';
import type { LoadBalancerFinding } from '../contract/load-balancer-finding';
import { type DescribedRule, findingOf } from '../contract/rule';

/** A rule whose findings stop the synth. */
export function errorRule(ruleId: string, says: string): DescribedRule {
  return { id: ruleId, severity: 'error', says, source: 'ours' };
}

/** A rule whose findings are reported, and can be acknowledged. */
export function warningRule(ruleId: string, says: string, source: Citation | 'ours' = 'ours'): DescribedRule {
  return { id: ruleId, severity: 'warning', says, source };
}

/** A finding and its rule, before it is known who reports it. */
export interface Fault extends Finding {
  readonly rule: DescribedRule;
}

/** Faults as they are reported. */
export function reported(faults: readonly Fault[], who: string): LoadBalancerFinding[] {
  return faults.map(({ rule, ...finding }) => findingOf(rule, finding, who));
}

/** What is wrong with the props of something, to be thrown. */
export function refusal(path: string, { rule, what, remedy }: Fault): Error {
  return new Error(`${path}: ${what}; ${remedy} (${rule.id})`);
}

/** Throws what is wrong with the props of a construct. */
export function refuse({ node }: IConstruct, fault: Fault): never {
  throw refusal(node.path, fault);
}

/** Throws the first of some faults, if there is one. */
export function refuseFirst(host: IConstruct, faults: readonly (Fault | undefined)[]): void {
  const fault = faults.find((one) => one !== undefined);
  if (fault) {
    refuse(host, fault);
  }
}

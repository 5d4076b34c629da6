import type { IConstruct } from 'constructs';
import type { Finding } from '../contract/finding';
import type { Citation } from '../contract/kubernetes.facts';
import type { LoadBalancerFinding } from '../contract/load-balancer-finding';
import { type DescribedRule, findingOf } from '../contract/rule';

export function errorRule(ruleId: string, says: string): DescribedRule {
  return { id: ruleId, severity: 'error', says, source: 'ours' };
}

export function errorRules<Id extends string>(titles: Readonly<Record<Id, string>>) {
  return rulesOf('error', titles);
}

/** Rules whose findings are reported and can be acknowledged, each with its title; sources by id, if a rule is not of this library. */
export function warningRules<Id extends string>(
  titles: Readonly<Record<Id, string>>,
  sources: { readonly [id in Id]?: Citation } = {},
) {
  return rulesOf('warning', titles, sources);
}

function rulesOf<Id extends string>(
  severity: 'error' | 'warning',
  titles: Readonly<Record<Id, string>>,
  sources: { readonly [id in Id]?: Citation } = {},
): Readonly<Record<Id, DescribedRule>> {
  const rules = Object.keys(titles).map((id) => {
    const rule = { id, severity, says: titles[id as Id], source: sources[id as Id] ?? ('ours' as const) };
    return [id, rule];
  });
  return Object.fromEntries(rules);
}

export interface Fault extends Finding {
  readonly rule: DescribedRule;
}

export function reported(faults: readonly Fault[], who: string): LoadBalancerFinding[] {
  return faults.map(({ rule, ...finding }) => findingOf(rule, finding, who));
}

export function refusal(path: string, { rule, what, remedy }: Fault): Error {
  return new Error(`${path}: ${what}; ${remedy} (${rule.id})`);
}

export function refuse({ node }: IConstruct, fault: Fault): never {
  throw refusal(node.path, fault);
}

export function refuseFirst(host: IConstruct, faults: readonly (Fault | undefined)[]): void {
  const fault = faults.find((one) => one !== undefined);
  if (fault) {
    refuse(host, fault);
  }
}

import type { DescribedRule, RuleSource } from '../contract/rule';
import { IDENTITY_RULES, IDENTITY_SOURCES } from './rules.facts';

/** Rules by their ids and mistakes, by which constructs are refused before there is an object to validate. */
export function errorRules<Id extends string>(
  says: Readonly<Record<Id, string>>,
  sources: { readonly others: string } & NoInfer<{ readonly [Rule in Id]?: RuleSource }>,
) {
  const ruleOf = (id: Id) => [id, { id, severity: 'error', says: says[id], source: sources[id] ?? sources.others }];
  return Object.fromEntries((Object.keys(says) as Id[]).map(ruleOf)) as Readonly<Record<Id, DescribedRule>>;
}

export const REFUSED_IDENTITIES = errorRules(IDENTITY_RULES, IDENTITY_SOURCES);

export function refuse(who: string, ruleId: keyof typeof IDENTITY_RULES, fault: string | undefined): void {
  if (fault) {
    throw refusal(who, ruleId, fault);
  }
}

export function refusal(who: string, ruleId: keyof typeof IDENTITY_RULES, fault: string): Error {
  return new Error(`${who}: ${fault} (${REFUSED_IDENTITIES[ruleId].id})`);
}

import type { DescribedRule } from '../contract/rule';
import { IDENTITY_RULES } from './rules.facts';

/** Rules by their ids and mistakes, by which constructs are refused before there is an object to validate. */
export function errorRules<Id extends string>(says: Readonly<Record<Id, string>>) {
  const rules = (Object.keys(says) as Id[]).map((id) => [
    id,
    { id, severity: 'error', says: says[id], source: 'ours' },
  ]);
  return Object.fromEntries(rules) as Readonly<Record<Id, DescribedRule>>;
}

export const REFUSED_IDENTITIES = errorRules(IDENTITY_RULES);

export function refuse(who: string, ruleId: keyof typeof IDENTITY_RULES, fault: string | undefined): void {
  if (fault) {
    throw refusal(who, ruleId, fault);
  }
}

export function refusal(who: string, ruleId: keyof typeof IDENTITY_RULES, fault: string): Error {
  return new Error(`${who}: ${fault} (${REFUSED_IDENTITIES[ruleId].id})`);
}

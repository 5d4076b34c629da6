import { errorRules } from '../identity/refusal';
import { INSTALLATION_RULES, INSTALLATION_SOURCES } from './rules.facts';

/** The rules that constructs are refused by, before there are objects: what these constructs can do is decided here. */
export const CONSTRUCT_RULES = errorRules(INSTALLATION_RULES, INSTALLATION_SOURCES);

export function refusal(ruleId: keyof typeof INSTALLATION_RULES, sentence: string): Error {
  return new Error(`${sentence} (${CONSTRUCT_RULES[ruleId].id})`);
}

import type { Json } from '../../src/contract/json';
import { sentenceOf } from '../../src/contract/rule';
import type { ObjectContext, Rule } from '../../src/rules/rule';
import { RuleSet } from '../../src/rules/rule-set';

/** What rules of the API server find wrong with a finished object by itself, a sentence each. */
export function faultsIn(object: Json, rules: readonly Rule<ObjectContext>[]): string[] {
  return new RuleSet(rules, 'kubernetes').judge(object, {}).errors.map(sentenceOf);
}

/** The same, with what they warn of. */
export function findingsOf(object: Json, rules: readonly Rule<ObjectContext>[]): string[] {
  const { errors, warnings } = new RuleSet(rules, 'kubernetes').judge(object, {});
  return [...errors, ...warnings].map(sentenceOf);
}

import type { Json } from '../../src/contract/json';
import type { Judgement } from '../../src/rules/judgement';
import type { Rule } from '../../src/rules/rule';
import type { RuleContext } from '../../src/rules/rule-context';
import { RuleSet } from '../../src/rules/rule-set';

export function judge(object: Json, rules: readonly Rule[], context: RuleContext, who: string): Judgement {
  return new RuleSet(rules).judge(object, context, who);
}

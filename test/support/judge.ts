import type { Json } from '../../src/contract/json';
import type { Rule, RuleContext } from '../../src/rules/rule';
import { type Judgement, RuleSet } from '../../src/rules/rule-set';

export function judge(object: Json, rules: readonly Rule[], context: RuleContext, who: string): Judgement {
  return new RuleSet(rules).judge(object, context, who);
}

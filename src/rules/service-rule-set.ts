import type { Json } from '../contract/json';
import type { ControllerDefinition } from './controller-definition';
import type { Judgement } from './judgement';
import { OWNERSHIP_RULES } from './ownership-rules';
import type { Rule } from './rule';
import type { RuleContext } from './rule-context';
import { RuleSet } from './rule-set';
import { FIELD_TYPE, typedService } from './service-fields';
import { SERVICE_RULES } from './service-rules';

/** Validates what of a Service is of the right type; of the rest it reports that it is not. */
class ServiceRuleSet extends RuleSet {
  private readonly withTypes: RuleSet;

  public constructor(rules: readonly Rule[]) {
    super(rules);
    this.withTypes = new RuleSet([FIELD_TYPE, ...rules]);
  }

  public override judge(object: Json, context: RuleContext, who?: string): Judgement {
    const { service, wrong } = typedService(object);
    return wrong.length === 0
      ? super.judge(service, context, who)
      : this.withTypes.judge(service, { ...context, wrongFields: wrong }, who);
  }
}

const OF_VALUES = SERVICE_RULES.filter((rule) => rule !== FIELD_TYPE);

/** What holds for any owner. */
export const UNOWNED_RULES: RuleSet = new ServiceRuleSet(OF_VALUES);

const ruleSets = new Map<ControllerDefinition | undefined, RuleSet>();

/** All rules for finished Services of one kind of owner, or of one that is unknown. */
export function serviceRulesOf(kind: ControllerDefinition | undefined): RuleSet {
  let ruleSet = ruleSets.get(kind);
  if (!ruleSet) {
    ruleSet = new ServiceRuleSet([...OF_VALUES, ...OWNERSHIP_RULES, ...(kind?.rules ?? [])]);
    ruleSets.set(kind, ruleSet);
  }
  return ruleSet;
}

import { findingsIn } from '../contract/finding';
import type { Json } from '../contract/json';
import { findingOf } from '../contract/rule';
import type { ControllerDefinition } from './controller-definition';
import { Judgement } from './judgement';
import { OWNERSHIP_RULES } from './ownership-rules';
import type { RuleContext } from './rule-context';
import { RuleSet } from './rule-set';
import { FIELD_TYPE, MISSED_BY, typedService, wrongIn } from './service-fields';
import { SERVICE_RULES } from './service-rules';

/** Validates what of a Service is of the right type; of the rest it reports that it is not. */
class ServiceRuleSet extends RuleSet {
  public override judge(object: Json, context: RuleContext, who?: string): Judgement {
    const typed = typedService(object);
    const judgement = super.judge(typed.service, context, who);
    const wrong = wrongIn(typed);
    if (!wrong) {
      return judgement;
    }
    const missed = MISSED_BY.filter(([field]) => typed.wrong.some(({ path }) => path.startsWith(field)));
    const errors = judgement.errors.filter(({ ruleId }) => !missed.some(([, id]) => id === ruleId));
    return new Judgement(
      [...findingsIn(wrong).map((finding) => findingOf(FIELD_TYPE, finding, 'kubernetes')), ...errors],
      judgement.warnings,
      judgement.unknown,
    );
  }
}

/** Types are looked at before. */
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

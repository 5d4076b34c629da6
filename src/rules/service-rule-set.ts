import type { Json } from '../contract/json';
import { unlessLive } from '../contract/rule';
import { ANNOTATION_RULES } from './annotation-rules';
import type { ControllerDefinition } from './controller-definition';
import { FINALIZER_RULES } from './finalizer-rules';
import { BACKEND_NODE_RULES, ROLLOUT_RULES } from './node-rules';
import type { Rule, RuleContext } from './rule';
import { type Judgement, RuleSet } from './rule-set';
import { FIELD_TYPE, typedService } from './service-fields';
import { classOf, wantsLoadBalancer } from './service-json';
import { SERVICE_RULES } from './service-rules';

const claimedByOwner: Rule = {
  id: 'claimed-by-owner',
  severity: 'error',
  says: 'intended controller does not claim the Service',
  source: 'ours',
  judge(service, { kind, controller }) {
    const claim = kind && wantsLoadBalancer(service) ? kind.claim(service, controller) : undefined;
    return claim?.claimed === 'no'
      ? { what: `it does not claim this Service, because ${claim.because}`, remedy: claimRemedy(service) }
      : undefined;
  },
};

function claimRemedy(service: Json): string {
  return classOf(service) === undefined
    ? unlessLive('leave class and claiming annotations to the controller object')
    : unlessLive('choose the controller that serves the class, or take it out of the manifest');
}

/** What must be true between a finished Service and the controller that owns its load balancer. */
export const OWNERSHIP_RULES: readonly Rule[] = [
  ...ANNOTATION_RULES,
  ...FINALIZER_RULES,
  claimedByOwner,
  ...BACKEND_NODE_RULES,
  ...ROLLOUT_RULES,
];

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

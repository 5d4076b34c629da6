import { cachedIn, type Json } from '../contract/json';
import { ANNOTATION_RULES } from './annotation-rules';
import type { ControllerDefinition } from './controller-definition';
import { FINALIZER_RULES } from './finalizer-rules';
import { BACKEND_NODE_RULES, ROLLOUT_RULES } from './node-rules';
import { PROXY_HEADER_RULES } from './proxy-header-rules';
import type { Rule, RuleContext } from './rule';
import { type CheckResult, RuleSet, rulesOf } from './rule-set';
import { CLAIM_ROWS } from './rules.facts';
import { typedService } from './service-fields';
import { classOf, wantsLoadBalancer } from './service-json';
import { SERVICE_RULES } from './service-rules';

const CLAIM_RULES = rulesOf({
  rows: CLAIM_ROWS,
  read: (service, { kind, controller }: RuleContext) =>
    kind && wantsLoadBalancer(service) ? kind.claim(service, controller) : undefined,
  finds: {
    'owner-does-not-claim-service': (claim, service) =>
      claim?.claimed === 'no' && {
        ...(classOf(service) === undefined && { case: 'classless' }),
        because: claim.because,
      },
  },
});

export const OWNERSHIP_RULES: readonly Rule[] = [
  ...ANNOTATION_RULES,
  ...FINALIZER_RULES,
  ...CLAIM_RULES,
  ...BACKEND_NODE_RULES,
  ...ROLLOUT_RULES,
];

const [FIELD_TYPE] = SERVICE_RULES;

/** Validates what of a Service is of the right type; of the rest it reports that it is not. */
class ServiceRuleSet extends RuleSet {
  private readonly withTypes: RuleSet;

  public constructor(rules: readonly Rule[]) {
    super(rules);
    this.withTypes = new RuleSet([FIELD_TYPE, ...rules]);
  }

  public override check(object: Json, context: RuleContext, who?: string): CheckResult {
    const { wrongFields } = context;
    const { service, wrong } = wrongFields ? { service: object, wrong: wrongFields } : typedService(object);
    return wrong.length === 0
      ? super.check(service, context, who)
      : this.withTypes.check(service, { ...context, wrongFields: wrong }, who);
  }
}

export const VALUE_RULES = SERVICE_RULES.filter((rule) => rule !== FIELD_TYPE);

export const UNOWNED_RULES: RuleSet = new ServiceRuleSet([...VALUE_RULES, ...PROXY_HEADER_RULES]);

const ruleSets = new Map<ControllerDefinition | undefined, RuleSet>();

export function serviceRulesOf(kind: ControllerDefinition | undefined): RuleSet {
  const rulesFor = () => [...VALUE_RULES, ...OWNERSHIP_RULES, ...PROXY_HEADER_RULES, ...(kind?.rules ?? [])];
  return cachedIn(ruleSets, kind, () => new ServiceRuleSet(rulesFor()));
}

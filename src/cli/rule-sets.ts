import { DEFAULT_KUBERNETES } from '../contract/default-kubernetes';
import { type Json, pointedAt } from '../contract/json';
import type { LoadBalancerFinding } from '../contract/options';
import { nearest } from '../contract/rule';
import {
  AWS_GATEWAY_GROUP,
  NLB_CONFIGURATION_KIND,
  TARGET_GROUPS_KIND,
} from '../controllers/aws-load-balancer-controller/facts';
import {
  AUTO_MODE_BINDING_API_VERSION,
  TARGET_GROUP_BINDING_API_VERSION,
  TARGET_GROUP_BINDING_KIND,
} from '../controllers/aws-load-balancer-controller/kinds.facts';
import { TARGET_GROUP_BINDING_RULE_SET } from '../controllers/aws-load-balancer-controller/target-group-binding/kinds';
import { MetalLb } from '../controllers/metal-lb/controller';
import { METALLB_ADVERTISEMENTS } from '../controllers/metal-lb/facts';
import { POOL_KINDS, POOL_RULES } from '../controllers/vendors/side-objects';
import { LISTENER_RULES_RULE_SET, NLB_CONFIGURATION_RULE_SET, TARGET_GROUPS_RULE_SET } from '../gateway/aws-rules';
import { CORE_PROTOCOLS } from '../gateway/gateway.facts';
import { GATEWAY_CLASS_RULE_SET } from '../gateway/gateway-rule';
import { GATEWAY_RULE_SET, LISTENER_SET_RULE_SET, REFERENCE_GRANT_RULE_SET } from '../gateway/gateway-rules';
import { OTHER_ROUTE_RULE_SET, TCP_ROUTE_RULE_SET, TLS_ROUTE_RULE_SET } from '../gateway/route-rules';
import { cloudControllersIn } from '../installations/aws-cloud-controller-manager/controllers';
import { CLOUD_CONTROLLER_RULE_SET, cloudControllerContext } from '../installations/aws-cloud-controller-manager/rules';
import { controllersIn } from '../installations/aws-load-balancer-controller/controllers';
import { checkControllerManifest } from '../installations/aws-load-balancer-controller/rules';
import { type BalancedService, plainServicesIn } from '../installations/balanced-services';
import { atArguments } from '../installations/flags';
import { METALLB_GROUP, METALLB_POOL } from '../installations/metal-lb/facts';
import { checkMetalLb, metalLbContextOf } from '../installations/metal-lb/rules';
import { isLive } from '../installations/served-services';
import { operatorContext, STRIMZI_OPERATOR_RULE_SET } from '../installations/strimzi/rules';
import { isOperator } from '../kafka/operator/cluster-operators';
import { KAFKA_KIND, KAFKA_NODE_POOL_KIND, STRIMZI_GROUP } from '../kafka/strimzi/strimzi.facts';
import { unknownVersionOf, unreadFields, wrongTemplateTypes } from '../predicted/operator-faults';
import { OBJECT_FINALIZER_RULES } from '../rules/finalizer-rules';
import { groupOf, type IndexedObject, type ObjectIndex } from '../rules/objects';
import type { ObjectContext, Rule } from '../rules/rule';
import { type CheckResult, changed, NOTHING_FOUND, RuleSet, rulesOf } from '../rules/rule-set';
import { METADATA_FIELD_TYPE } from '../rules/service-fields';
import { WORKLOAD_RULES, Workloads } from '../rules/workload-rules';
import { ADMISSION_GROUP, VALIDATING_BINDING, VALIDATING_POLICY } from '../tenancy/guard/guard.facts';
import { GUARD_POLICY_RULE_SET } from '../tenancy/guard/policy-rules';
import { IAM_POLICY_GROUP, IAM_POLICY_KIND, POLICY_RULES } from './file-rules/iam-policy-rules';
import { LIVE_RULES } from './file-rules/live-rules';
import { METADATA_ROWS } from './file-rules/rules.facts';
import { FILE_SERVICE_RULES } from './file-rules/service-rules';
import { checkKafkaOfFiles, checkPoolOfFiles, type KindContext } from './kafka-of-files';
import { checkService, lowerToWarnings, ownedService, ownerIn, serviceContext, withoutGaps } from './service-checks';

const LIVE_RULE_SET = new RuleSet(LIVE_RULES);
const BARE = /^[a-zA-Z0-9]([-a-zA-Z0-9]*[a-zA-Z0-9])?$/;

const PROTOCOL = 'gateway-listener-protocol-unknown';

/**
 * Validates a Gateway of files. The API server takes any name of a protocol, and some controllers add names without a domain:
 * such a name is wrong for sure only where it is a slip of the hand.
 */
function checkGateway(among: IndexedObject, { controllers }: KindContext): CheckResult {
  return lowerToWarnings(GATEWAY_RULE_SET.check(among.json, { among, controllers }), ({ ruleId, at }) => {
    const protocol = pointedAt(among.json, at);
    return ruleId === PROTOCOL && typeof protocol === 'string' && BARE.test(protocol) && !isSlip(protocol);
  });
}

function isSlip(protocol: string): boolean {
  const capitals = protocol.toUpperCase();
  return CORE_PROTOCOLS.includes(capitals) || nearest(capitals, CORE_PROTOCOLS) !== undefined;
}

export const METADATA_RULES: readonly Rule<ObjectContext>[] = rulesOf({
  rows: METADATA_ROWS,
  read: ({ kind: own }: Json, _: ObjectContext) => own,
  finds: {
    'kind-wrong-case': (own, object) => {
      const right = KIND_OF_LOWER_CASE.get(`${groupOf(object)}/${String(own).toLowerCase()}`);
      return right !== undefined && right !== own && { right, value: own, at: '/kind' };
    },
    'api-version-unknown': (_, object) => unknownVersionOf(object),
    'operator-field-unread': (_, object) => unreadFields(object),
  },
});

const FIELD_TYPE = {
  ...METADATA_FIELD_TYPE,
  check: (object: Json) => [...METADATA_FIELD_TYPE.check(object), ...wrongTemplateTypes(object)],
};

const METADATA_RULE_SET = new RuleSet<ObjectContext>(
  [...OBJECT_FINALIZER_RULES, ...METADATA_RULES, FIELD_TYPE],
  'kubernetes',
);

const FILE_SERVICES = new RuleSet(FILE_SERVICE_RULES);
const WORKLOADS = new RuleSet(WORKLOAD_RULES, 'kubernetes');

type KindCheck = (object: IndexedObject, context: KindContext, owned?: ReturnType<typeof ownedService>) => CheckResult;

const GROUP = 'gateway.networking.k8s.io';

type KindRow = readonly [group: string, kinds: readonly string[], check: KindCheck];

const KINDS: readonly KindRow[] = [
  ['', ['Service'], checkOneService],
  ['apps', ['Deployment', 'DaemonSet', 'StatefulSet'], checkWorkload],
  [GROUP, ['GatewayClass'], by(GATEWAY_CLASS_RULE_SET)],
  [GROUP, ['Gateway'], checkGateway],
  [GROUP, ['ListenerSet'], by(LISTENER_SET_RULE_SET)],
  [GROUP, ['TCPRoute'], by(TCP_ROUTE_RULE_SET)],
  [GROUP, ['TLSRoute'], by(TLS_ROUTE_RULE_SET)],
  [GROUP, ['HTTPRoute', 'GRPCRoute', 'UDPRoute'], by(OTHER_ROUTE_RULE_SET)],
  [GROUP, ['ReferenceGrant'], by(REFERENCE_GRANT_RULE_SET)],
  ...[TARGET_GROUP_BINDING_API_VERSION, AUTO_MODE_BINDING_API_VERSION].map(
    (apiVersion): KindRow => [groupOf({ apiVersion }), [TARGET_GROUP_BINDING_KIND], by(TARGET_GROUP_BINDING_RULE_SET)],
  ),
  [AWS_GATEWAY_GROUP, [NLB_CONFIGURATION_KIND], by(NLB_CONFIGURATION_RULE_SET)],
  [AWS_GATEWAY_GROUP, [TARGET_GROUPS_KIND], by(TARGET_GROUPS_RULE_SET)],
  [AWS_GATEWAY_GROUP, ['ListenerRuleConfiguration'], by(LISTENER_RULES_RULE_SET)],
  [STRIMZI_GROUP, [KAFKA_KIND], checkKafkaOfFiles],
  [STRIMZI_GROUP, [KAFKA_NODE_POOL_KIND], checkPoolOfFiles],
  [METALLB_GROUP, [METALLB_POOL, ...Object.values(METALLB_ADVERTISEMENTS)], checkMetalLbOfFiles],
  ...POOL_KINDS.map((kinds): KindRow => [...kinds, by(POOL_RULES)]),
  [ADMISSION_GROUP, [VALIDATING_POLICY, VALIDATING_BINDING], by(GUARD_POLICY_RULE_SET)],
  [IAM_POLICY_GROUP, [IAM_POLICY_KIND], by(new RuleSet(POLICY_RULES))],
];

const KIND_OF_LOWER_CASE: ReadonlyMap<string, string> = new Map(
  KINDS.flatMap(([group, kinds]) => kinds.map((kind) => [`${group}/${kind.toLowerCase()}`, kind] as const)),
);

export const KIND_CHECKS: ReadonlyMap<string, KindCheck> = new Map(
  KINDS.flatMap(([group, kinds, check]) => kinds.map((kind) => [`${group}/${kind}`, check] as const)),
);

/** Asks every rule that reads an object of files. @returns nothing where no rule reads such objects */
export function checkInFiles(object: IndexedObject, context: KindContext = {}, owned?: Parameters<KindCheck>[2]) {
  const check = unknownVersionOf(object.json) ? undefined : KIND_CHECKS.get(`${object.group}/${object.kind}`);
  const result = check?.(object, context, owned);
  const ofMetadata = METADATA_RULE_SET.check(object.json, { among: object });
  const all = ofMetadata === NOTHING_FOUND ? result : (result ?? NOTHING_FOUND).and(ofMetadata);
  return all && withoutGaps(all, object.json);
}

function by(rules: RuleSet<ObjectContext>): KindCheck {
  return (among, { controllers }) => rules.check(among.json, { among, controllers });
}

function checkOneService(among: IndexedObject, context: KindContext, owned = ownedService(among.json, context)) {
  const { service, owner } = owned;
  const { controllers, kubernetes, region } = context;
  const behind = workloadsIn(among.index).of(service);
  const nodePools = Object.values(context.nodePools ?? {});
  const known = serviceContext(among, { ...owned, behind, controllers, kubernetes, region, nodePools });
  return checkService(service, known)
    .and(LIVE_RULE_SET.check(service, known, known.kind?.name))
    .and(FILE_SERVICES.check(service, known, owner.name ?? owner.state));
}

export function workloadsIn(index: ObjectIndex): Workloads {
  return index.once(workloadsIn, ({ all }) => new Workloads(all.map(({ json }) => json)));
}

function checkWorkload(among: IndexedObject, { kubernetes, nodePools = {} }: KindContext): CheckResult {
  const known = { kubernetes: kubernetes ?? DEFAULT_KUBERNETES, among, nodePools: Object.values(nodePools) };
  return WORKLOADS.check(among.json, known).and(checkController(among, kubernetes));
}

function checkController(among: IndexedObject, kubernetes: KindContext['kubernetes']): CheckResult {
  const { index, json } = among;
  const found = [
    controllersIn(index).includes(among) && asInFiles(among, checkControllerManifest(among, servicesIn(index))),
    among.kind === 'Deployment' &&
      isOperator(json) &&
      STRIMZI_OPERATOR_RULE_SET.check(json, operatorContext(among, kubernetes)),
    cloudControllersIn(index).includes(among) &&
      CLOUD_CONTROLLER_RULE_SET.check(json, cloudControllerContext(among, servicesIn(index))),
  ];
  return found.reduce<CheckResult>((all, one) => (one ? all.and(atArguments(json, one)) : all), NOTHING_FOUND);
}

function checkMetalLbOfFiles(among: IndexedObject, { controllers, withPoolFor }: KindContext): CheckResult {
  const namespaces = (controllers ?? []).flatMap(
    (one) => (one instanceof MetalLb && one._writer.options.namespace) || [],
  );
  const services = among.index.once(checkMetalLbOfFiles, (index) =>
    servicesIn(index).map((service) => ({
      ...service,
      owner: ownerIn(service.json(), { controllers, withPoolFor }).name,
    })),
  );
  return checkMetalLb(among.json, metalLbContextOf(among, services, [], namespaces));
}

function servicesIn(index: ObjectIndex): readonly BalancedService[] {
  return index.once(servicesIn, () => plainServicesIn(index));
}

/**
 * Facts about the AWS Load Balancer Controller in a file. Which pods can read the metadata of their node, no file shows, and
 * a manifest without a namespace is applied to the one of kubectl. One that is live has from elsewhere what its manifest lacks.
 */
function asInFiles(controller: IndexedObject, result: CheckResult): CheckResult {
  const isOpen = ({ ruleId, value }: LoadBalancerFinding) =>
    ['aws-region-invalid', 'vpc-id-invalid'].includes(ruleId) && value === undefined;
  return isLive(controller)
    ? changed(result, (finding) => (isOpen(finding) ? undefined : finding))
    : lowerToWarnings(result, isOpen);
}

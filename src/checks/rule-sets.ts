import { DEFAULT_KUBERNETES } from '../contract/default-kubernetes';
import { list, pointedAt } from '../contract/json';
import type { LoadBalancerFinding } from '../contract/options';
import { nearest } from '../contract/rule';
import { AWS_LBC_CONTROLLER } from '../controllers/aws-load-balancer-controller/annotations';
import {
  LOAD_BALANCER_CONFIGURATION_RULES,
  TARGET_GROUP_BINDING_RULES,
  TARGET_GROUP_CONFIGURATION_RULES,
} from '../controllers/aws-load-balancer-controller/kinds';
import {
  AUTO_MODE_BINDING_API_VERSION,
  TARGET_GROUP_BINDING_API_VERSION,
  TARGET_GROUP_BINDING_KIND,
} from '../controllers/aws-load-balancer-controller/kinds.facts';
import { MetalLb } from '../controllers/metal-lb/controller';
import { METALLB_ADVERTISEMENTS } from '../controllers/metal-lb/facts';
import { CORE_PROTOCOLS } from '../gateway/gateway.facts';
import {
  GATEWAY_CLASS_RULE_SET,
  GATEWAY_RULE_SET,
  LISTENER_SET_RULE_SET,
  REFERENCE_GRANT_RULE_SET,
} from '../gateway/gateway-rules';
import { OTHER_ROUTE_RULE_SET, TCP_ROUTE_RULE_SET, TLS_ROUTE_RULE_SET } from '../gateway/route-rules';
import { cloudControllersIn } from '../installations/aws-cloud-controller-manager/controllers';
import { CLOUD_CONTROLLER_RULE_SET, writtenCloudController } from '../installations/aws-cloud-controller-manager/rules';
import { controllersIn } from '../installations/aws-load-balancer-controller/controllers';
import { judgeWrittenController } from '../installations/aws-load-balancer-controller/rules';
import { type BalancedService, plainServicesIn } from '../installations/balanced-services';
import { METALLB_GROUP, METALLB_POOL } from '../installations/metal-lb/facts';
import { judgeMetalLbJson, metalLbContextOf } from '../installations/metal-lb/rules';
import { isLive } from '../installations/served-services';
import { STRIMZI_OPERATOR_RULE_SET, writtenOperator } from '../installations/strimzi/rules';
import { isOperator } from '../kafka/operator/cluster-operators';
import { KAFKA_KIND, KAFKA_NODE_POOL_KIND, STRIMZI_GROUP } from '../kafka/strimzi/strimzi.facts';
import { addedFinalizers, definitionOf, expectedFinalizers, isRemovedBy } from '../rules/controller-definition';
import { groupOf, type IndexedObject, type ObjectIndex } from '../rules/objects';
import type { ObjectContext, Rule } from '../rules/rule';
import { Judgement, NOTHING_FOUND, RuleSet } from '../rules/rule-set';
import { METADATA_FIELD_TYPE, typedService } from '../rules/service-fields';
import { finalizersOf, wantsLoadBalancer } from '../rules/service-json';
import { WORKLOAD_RULES, Workloads } from '../rules/workload-rules';
import {
  ADMISSION_GROUP,
  AWS_GATEWAY_GROUP,
  VALIDATING_BINDING,
  VALIDATING_POLICY,
} from '../tenancy/guard/guard.facts';
import { judgeKafka, judgePool, type KindContext } from './kafka-judgement';
import { FIELD_MANAGERS, finalizerWriters } from './object-writers';
import { remover } from './owners-in-words';
import { judgeService, ownerIn, withoutGaps } from './service-judgement';
import {
  WRITTEN_AWS_GATEWAY_KIND_RULES,
  WRITTEN_GATEWAY_RULES,
  WRITTEN_NLB_CONFIGURATION_RULES,
  WRITTEN_ROUTE_RULES,
  WRITTEN_TARGET_GROUP_RULES,
  WRITTEN_TLS_ROUTE_RULES,
} from './written/aws-gateway-rules';
import { WRITTEN_BINDING_RULES } from './written/binding-rules';
import { GUARD_RULE_SET } from './written/guard-rules';
import { IAM_POLICY_GROUP, IAM_POLICY_KIND, IAM_POLICY_RULE_SET } from './written/iam-policy-rules';
import { withWritten } from './written/kafka-rules';
import { ruleOf } from './written/messages';
import { RULES } from './written/rules.facts';
import { WRITTEN_SERVICE_RULES } from './written/service-rules';
import { FINALIZER_KINDS } from './written/written.facts';

// What objects of a cluster show beside what was written, as `kubectl get -o yaml` prints them.

const LIVE_RULES: readonly Rule[] = [
  ruleOf(RULES['deletion-waits'], (service, { controllers }) => {
    const { deletionTimestamp: since } = service.metadata ?? {};
    const kinds = controllers?.map(definitionOf);
    return (
      Boolean(since) &&
      finalizersOf(service).map((finalizer, i) => {
        const runs = kinds === undefined || kinds.some((kind) => kind === undefined || isRemovedBy(finalizer, kind));
        return {
          ...{ since, finalizer, remover: remover(finalizer) },
          absence: runs ? '' : ', and none of the controllers that run does',
          remedy: runs
            ? 'look at the events of the Service and at the log of that controller, which goes on once the balancer is gone'
            : 'run that controller again until the Service is gone',
          value: String(finalizer),
          at: `/metadata/finalizers/${i}`,
        };
      })
    );
  }),
  ruleOf(RULES['finalizer-missing'], (service, { kind }) => {
    const own = kind ? addedFinalizers(service, kind) : [];
    const { uid, deletionTimestamp } = service.metadata ?? {};
    const isServed = list(service.status?.loadBalancer?.ingress).length > 0;
    const writers = finalizerWriters(service);
    return (
      kind &&
      isServed &&
      uid !== undefined &&
      !deletionTimestamp &&
      wantsLoadBalancer(service) &&
      own.length > 0 &&
      !finalizersOf(service).some((finalizer) => own.includes(finalizer)) && {
        owner: kind.name,
        search:
          writers === undefined
            ? 'find who writes the whole Service (kubectl get --show-managed-fields)'
            : `see whether ${writers} writes the whole list of finalizers`,
        value: expectedFinalizers(service, kind).join(' or '),
        at: '/metadata',
      }
    );
  }),
  FIELD_MANAGERS,
];

export const LIVE_RULE_SET = new RuleSet(LIVE_RULES);

const BARE = /^[a-zA-Z0-9]([-a-zA-Z0-9]*[a-zA-Z0-9])?$/;

const PROTOCOL = 'gateway-listener-protocol';

/**
 * Validates a Gateway of files. The API server takes any name of a protocol, and some controllers add names without a domain:
 * such a name is wrong for sure only where it is a slip of the hand.
 */
function judgeGateway(gateway: IndexedObject): Judgement {
  const { errors, warnings, unknown } = GATEWAY_RULE_SET.judge(gateway.json, { among: gateway });
  const isOther = ({ ruleId, at }: LoadBalancerFinding) => {
    const protocol = at === undefined ? undefined : pointedAt(gateway.json, at);
    return ruleId === PROTOCOL && typeof protocol === 'string' && BARE.test(protocol) && !isSlip(protocol);
  };
  const wrong = errors.filter((finding) => !isOther(finding));
  return new Judgement(wrong, [...warnings, ...errors.filter(isOther)], unknown);
}

function isSlip(protocol: string): boolean {
  const capitals = protocol.toUpperCase();
  return CORE_PROTOCOLS.includes(capitals) || nearest(capitals, CORE_PROTOCOLS) !== undefined;
}

function kindOf(finalizer: unknown): string | undefined {
  return FINALIZER_KINDS.find(([known]) =>
    known.endsWith('/') ? String(finalizer).startsWith(known) : finalizer === known,
  )?.[1];
}

export const FINALIZER_OF_ANOTHER_KIND: Rule<ObjectContext> = ruleOf(RULES['finalizer-of-another-kind'], (object) =>
  finalizersOf(object).map((finalizer, i) => {
    const kind = kindOf(finalizer);
    const isOwn = kind === undefined || kind === object.kind;
    return isOwn ? undefined : { kind, own: object.kind, value: finalizer, at: `/metadata/finalizers/${i}` };
  }),
);

const METADATA_RULE_SET = new RuleSet<ObjectContext>([FINALIZER_OF_ANOTHER_KIND, METADATA_FIELD_TYPE]);

const WRITTEN_SERVICES = new RuleSet(WRITTEN_SERVICE_RULES);

const WORKLOADS = new RuleSet(WORKLOAD_RULES, 'kubernetes');

type KindJudge = (object: IndexedObject, context: KindContext) => Judgement;

const GATEWAY_GROUP = 'gateway.networking.k8s.io';

export const KIND_JUDGES: ReadonlyMap<string, KindJudge> = new Map<string, KindJudge>([
  ['/Service', judgeOneService],
  ['apps/Deployment', judgeWorkload],
  ['apps/DaemonSet', judgeWorkload],
  ['apps/StatefulSet', judgeWorkload],
  [`${GATEWAY_GROUP}/GatewayClass`, by(GATEWAY_CLASS_RULE_SET)],
  [`${GATEWAY_GROUP}/Gateway`, both(judgeGateway, withControllers(WRITTEN_GATEWAY_RULES))],
  [`${GATEWAY_GROUP}/ListenerSet`, by(LISTENER_SET_RULE_SET)],
  [`${GATEWAY_GROUP}/TCPRoute`, both(by(TCP_ROUTE_RULE_SET), withControllers(WRITTEN_ROUTE_RULES))],
  [
    `${GATEWAY_GROUP}/TLSRoute`,
    both(by(TLS_ROUTE_RULE_SET), withControllers([...WRITTEN_TLS_ROUTE_RULES, ...WRITTEN_ROUTE_RULES])),
  ],
  ...['HTTPRoute', 'GRPCRoute', 'UDPRoute'].map((kind): [string, KindJudge] => [
    `${GATEWAY_GROUP}/${kind}`,
    both(by(OTHER_ROUTE_RULE_SET), withControllers(WRITTEN_ROUTE_RULES)),
  ]),
  [`${GATEWAY_GROUP}/ReferenceGrant`, by(REFERENCE_GRANT_RULE_SET)],
  ...[TARGET_GROUP_BINDING_API_VERSION, AUTO_MODE_BINDING_API_VERSION].map((apiVersion): [string, KindJudge] => [
    `${groupOf({ apiVersion })}/${TARGET_GROUP_BINDING_KIND}`,
    withControllers([...TARGET_GROUP_BINDING_RULES, ...WRITTEN_BINDING_RULES]),
  ]),
  [
    `${AWS_GATEWAY_GROUP}/LoadBalancerConfiguration`,
    withControllers([...LOAD_BALANCER_CONFIGURATION_RULES, ...WRITTEN_NLB_CONFIGURATION_RULES]),
  ],
  [
    `${AWS_GATEWAY_GROUP}/TargetGroupConfiguration`,
    withControllers([...TARGET_GROUP_CONFIGURATION_RULES, ...WRITTEN_TARGET_GROUP_RULES]),
  ],
  [`${AWS_GATEWAY_GROUP}/ListenerRuleConfiguration`, withControllers(WRITTEN_AWS_GATEWAY_KIND_RULES)],
  [`${STRIMZI_GROUP}/${KAFKA_KIND}`, (kafka, context) => withWritten(kafka, judgeKafka(kafka, context), context)],
  [`${STRIMZI_GROUP}/${KAFKA_NODE_POOL_KIND}`, judgePool],
  ...[METALLB_POOL, ...Object.values(METALLB_ADVERTISEMENTS)].map((kind): [string, KindJudge] => [
    `${METALLB_GROUP}/${kind}`,
    judgeMetalLbObject,
  ]),
  ...[VALIDATING_POLICY, VALIDATING_BINDING].map((kind): [string, KindJudge] => [
    `${ADMISSION_GROUP}/${kind}`,
    by(GUARD_RULE_SET),
  ]),
  [`${IAM_POLICY_GROUP}/${IAM_POLICY_KIND}`, by(IAM_POLICY_RULE_SET)],
]);

/** Asks every rule that reads an object of files. @returns nothing where no rule reads such objects */
export function judgeInFiles(object: IndexedObject, context: KindContext = {}): Judgement | undefined {
  const judgement = KIND_JUDGES.get(`${object.group}/${object.kind}`)?.(object, context);
  const ofMetadata = METADATA_RULE_SET.judge(object.json, { among: object });
  const all = ofMetadata === NOTHING_FOUND ? judgement : (judgement ?? NOTHING_FOUND).and(ofMetadata);
  return all && withoutGaps(all);
}

function withControllers(rules: readonly Rule<ObjectContext>[]): KindJudge {
  const set = new RuleSet<ObjectContext>(rules, AWS_LBC_CONTROLLER);
  return (among, { controllers }) => set.judge(among.json, { among, controllers });
}

function both(one: KindJudge, other: KindJudge): KindJudge {
  return (among, context) => one(among, context).and(other(among, context));
}

function by(rules: RuleSet<ObjectContext>): KindJudge {
  return (among) => rules.judge(among.json, { among });
}

function judgeOneService(among: IndexedObject, context: KindContext): Judgement {
  const { service } = typedService(among.json);
  const { controllers, kubernetes, region } = context;
  const owner = ownerIn(service, { controllers });
  const behind = workloadsIn(among.index).of(service);
  const kind = owner.controller && definitionOf(owner.controller);
  const live = { kind, controllers, kubernetes: kubernetes ?? DEFAULT_KUBERNETES };
  const nodePools = Object.values(context.nodePools ?? {});
  return judgeService(among, { service, owner, behind, controllers, kubernetes, region, nodePools })
    .and(LIVE_RULE_SET.judge(service, live, kind?.name))
    .and(WRITTEN_SERVICES.judge(service, { owner, among, controllers, workloads: behind }, owner.name ?? owner.state));
}

export function workloadsIn(index: ObjectIndex): Workloads {
  return index.once(workloadsIn, ({ all }) => new Workloads(all.map(({ json }) => json)));
}

function judgeWorkload(
  among: IndexedObject,
  { kubernetes = DEFAULT_KUBERNETES, nodePools = {} }: KindContext,
): Judgement {
  return WORKLOADS.judge(among.json, { kubernetes, among, nodePools: Object.values(nodePools) }).and(
    judgeController(among),
  );
}

function judgeController(among: IndexedObject): Judgement {
  const { index, json } = among;
  let judgement = NOTHING_FOUND;
  if (controllersIn(index).includes(among)) {
    judgement = judgement.and(asInFiles(among, judgeWrittenController(among, servicesIn(index))));
  }
  if (among.kind === 'Deployment' && isOperator(json)) {
    judgement = judgement.and(STRIMZI_OPERATOR_RULE_SET.judge(json, writtenOperator(among)));
  }
  return cloudControllersIn(index).includes(among)
    ? judgement.and(CLOUD_CONTROLLER_RULE_SET.judge(json, writtenCloudController(among, servicesIn(index))))
    : judgement;
}

function judgeMetalLbObject(among: IndexedObject, { controllers }: KindContext): Judgement {
  const namespaces = (controllers ?? []).flatMap((one) => (one instanceof MetalLb && one._namespace) || []);
  const services = ownedServicesIn(among.index, controllers);
  return judgeMetalLbJson(among.json, metalLbContextOf(among, services, [], namespaces));
}

function ownedServicesIn(index: ObjectIndex, controllers: KindContext['controllers']): readonly BalancedService[] {
  return index.once(ownedServicesIn, () =>
    servicesIn(index).map((service) => ({ ...service, owner: ownerIn(service.json(), { controllers }).name })),
  );
}

function servicesIn(index: ObjectIndex): readonly BalancedService[] {
  return index.once(servicesIn, () => plainServicesIn(index));
}

const FROM_METADATA: ReadonlySet<string> = new Set(['aws-region', 'vpc-id']);

/**
 * What is found of the AWS Load Balancer Controller in a file. Which pods can read the metadata of their node, no file shows, and
 * a manifest without a namespace is applied to the one of kubectl. One that is live has from elsewhere what its manifest lacks.
 */
function asInFiles(controller: IndexedObject, { errors, warnings, unknown }: Judgement): Judgement {
  const isOpen = ({ ruleId, value }: LoadBalancerFinding) => FROM_METADATA.has(ruleId) && value === undefined;
  return new Judgement(
    errors.filter((finding) => !isOpen(finding)),
    [...warnings, ...(isLive(controller) ? [] : errors.filter(isOpen))],
    unknown,
  );
}

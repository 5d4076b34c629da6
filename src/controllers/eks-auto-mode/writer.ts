import type { Json } from '../../contract/json';
import { Confidence } from '../../contract/kubernetes.facts';
import type { BalancerHealthCheck, LoadBalancerModel } from '../../contract/load-balancer-model';
import type { LoadBalancerRequest } from '../../contract/load-balancer-request';
import {
  ClientAddress,
  IpFamily,
  type LoadBalancerPlan,
  LoadBalancerScheme,
  LoadBalancerWish,
  NodeRestriction,
  PortProtocol,
  type TrafficPolicy,
} from '../../contract/options';
import { PlanDraft } from '../../contract/plan-draft';
import type { ControllerDefinition } from '../../rules/controller-definition';
import type { Rule } from '../../rules/rule';
import { rulesOf } from '../../rules/rule-set';
import { annotationsOf, classOf, portAt, portsOf, type SchemeReading } from '../../rules/service-json';
import { clientsOfNlb, groupOfRules, type NlbClients, nlbModel, zonesBy } from '../aws/model';
import { certificateRules } from '../aws/rules';
import { AWS_LBC_DESCRIPTOR } from '../aws-load-balancer-controller/descriptor.facts';
import {
  crossZoneOf,
  handlingByAwsLbc,
  healthCheckByLbc,
  isProtected,
  listenersOf,
  sourceRangesOf,
} from '../aws-load-balancer-controller/model';
import { NlbIpAddressType, NlbTargetType } from '../aws-load-balancer-controller/options';
import {
  annotateHealthCheck,
  answerByPolicy,
  answerScheme,
  honourTrafficPolicy,
  refuseProxyProtocol,
} from '../shared/answers';
import { encodeOptions } from '../shared/definition';
import { annotated, annotationsAmong, schemeBy, unsupportedProtocol } from '../shared/model';
import { ROLLOUT_HELD_CUT } from '../shared/refusals.facts';
import { answerRollout } from '../shared/rollout';
import { EKS, EKS_CATALOGUE, EKS_CLASS, EKS_CONTROLLER, EKS_FINALIZER, EKS_GROUPS, EKS_SOURCE } from './annotations';
import type { EksAutoMode } from './controller';
import { EKS_DESCRIPTOR } from './descriptor.facts';
import { EKS_PROTECTED, EKS_READINESS_GATES } from './edits.facts';
import type { EksAutoModeOptions } from './options';
import { REFUSALS } from './refusals.facts';
import { EKS_RULE_ROWS } from './rules.facts';

const EKS_RULES: readonly Rule[] = [
  ...certificateRules(EKS.sslCert),
  ...rulesOf({
    rows: EKS_RULE_ROWS,
    source: EKS_SOURCE,
    catalogue: EKS_GROUPS,
    read: annotationsOf,
    finds: {
      'eks-auto-mode-annotation-unsupported': (annotations) =>
        annotationsAmong(annotations, EKS_GROUPS.unsupported).map(({ key, value }) => ({
          case: key,
          value: String(value),
        })),
      'eks-auto-mode-protocol-unsupported': unsupportedProtocol,
      'eks-auto-mode-port-shared-by-protocols': (_, service) => {
        const twin = twinIn(portsOf(service));
        return twin !== undefined && { value: String(twin), at: portAt(service, 'port', ({ port }) => port === twin) };
      },
    },
  }),
];

function twinIn(ports: readonly Json[]): unknown {
  return ports.find((port, index) => ports.some((other, at) => at < index && other.port === port.port))?.port;
}

function schemeOf(service: Json): SchemeReading {
  return schemeBy(service, [EKS.scheme], EKS.scheme.on(annotationsOf(service)) !== LoadBalancerScheme.INTERNET_FACING);
}

/** True if pods are the targets: they are unless the annotation says otherwise. */
const hasPodTargets = (service: Json) => EKS.targetType.on(annotationsOf(service)) !== NlbTargetType.INSTANCE;

const clientsOf = (service: Json): NlbClients => ({
  toPods: hasPodTargets(service),
  preserves: () => undefined,
});

function madeByEksAutoMode(service: Json): LoadBalancerModel {
  const annotations = documentedOf(service);
  const listeners = listenersOf(service, annotations);
  return nlbModel(service, {
    scheme: schemeOf(service).scheme,
    clients: clientsOf(service),
    gates: EKS_READINESS_GATES,
    // it documents no annotation for attributes of target groups
    endsHeld: () => 'use ip targets',
    hasHeader: () => false,
    listeners: listeners.length,
    crossZone: crossZoneOf(annotations, []),
    zones: zonesBy(EKS.subnets.on(annotations)),
    healthCheck: healthCheckOf(service, annotations),
    group: groupOfRules(listeners.length, sourceRangesOf(service, annotations)),
    source: EKS_SOURCE,
    confidence: Confidence.DOCS,
  });
}

function documentedOf(service: Json): Readonly<Record<string, string>> {
  const known = new Set(
    Object.values(EKS)
      .filter((entry) => !EKS_GROUPS.unsupported.includes(entry))
      .map((entry) => entry.key()),
  );
  return Object.fromEntries(Object.entries(annotationsOf(service)).filter(([key]) => known.has(key)));
}

/** As the controller has it whose annotations it reads; figures only where the Service sets them, for AWS documents no defaults. */
function healthCheckOf(service: Json, annotations: Readonly<Record<string, string>>): BalancerHealthCheck {
  const { interval: _, failures: __, ...alike } = healthCheckByLbc(service, annotations, hasPodTargets(service));
  const interval = EKS.healthCheckInterval.on(annotations)?.toSeconds();
  const failures = EKS.healthCheckUnhealthyThreshold.on(annotations);
  return { ...alike, ...(interval === undefined ? {} : { interval }), ...(failures === undefined ? {} : { failures }) };
}

export const definition = (own: typeof EksAutoMode): ControllerDefinition => ({
  ...EKS_DESCRIPTOR,
  protectsFromDeletion: (service) => (isProtected(service) ? EKS_PROTECTED : undefined),
  // closed source: taken to be as fast as the AWS Load Balancer Controller
  provisioningTime: AWS_LBC_DESCRIPTOR.provisioningTime,
  finalizerOption: 'declareFinalizer',
  handles: handlingByAwsLbc,
  schemeOf,
  clientAddressOf: (service) => clientsOfNlb(service, clientsOf(service)),
  backendNodes: (service) =>
    hasPodTargets(service) ? undefined : { labels: {}, byPodsAlone: true, instead: 'use ip targets' },
  makes: madeByEksAutoMode,
  withPodTargets: (service) => annotated(service, EKS.targetType.key(), NlbTargetType.IP),
  claim(service) {
    const loadBalancerClass = classOf(service);
    if (loadBalancerClass === undefined) {
      const because = 'new Services without a class get its own by default';
      return { claimed: 'yes', because, byDefaultingTheClass: true };
    }
    return loadBalancerClass === EKS_CLASS
      ? { claimed: 'yes', because: `the class is '${EKS_CLASS}'` }
      : { claimed: 'no', because: `the class is '${loadBalancerClass}', not '${EKS_CLASS}'` };
  },
  installed: () => own.nlb(),
  reports: [ROLLOUT_HELD_CUT],
  rules: EKS_RULES,
});

export class EksAutoModeWriter {
  private readonly annotations: Record<string, string>;
  private readonly finalizer?: string;
  private readonly byInstance: boolean;

  public constructor(options: EksAutoModeOptions) {
    const targetType = options.targetType ?? NlbTargetType.IP;
    this.annotations = encodeOptions(EKS_CONTROLLER, EKS_CATALOGUE, { ...options, targetType });
    this.finalizer = options.declareFinalizer ? EKS_FINALIZER : undefined;
    this.byInstance = targetType === NlbTargetType.INSTANCE;
  }

  public bind(request: LoadBalancerRequest): LoadBalancerPlan {
    const draft = new PlanDraft(EKS_CONTROLLER, request, this.annotations);

    answerScheme(draft, request, EKS.scheme, request.scheme ?? LoadBalancerScheme.INTERNAL);
    answerProtocols(draft, request);
    honourTrafficPolicy(draft, request);
    const externalTrafficPolicy = this.byInstance
      ? answerByPolicy(draft, request, undefined, 'every node is a backend')
      : answerByPods(draft, request);
    if (request.sessionAffinity) {
      draft.refuseBy(REFUSALS.sessionAffinity, { value: 'ClientIP' });
    }
    if (request.ipFamilies) {
      const dual = request.ipFamilies.includes(IpFamily.IPV6);
      const type = dual ? NlbIpAddressType.DUALSTACK : NlbIpAddressType.IPV4;
      draft.annotate(LoadBalancerWish.IP_FAMILIES, EKS.ipAddressType, type);
    }
    draft.honourIf({ sourceRanges: 'spec.loadBalancerSourceRanges' });
    if (request.staticAddresses) {
      draft.refuseBy(REFUSALS.fixedAddresses, { value: request.staticAddresses.join(', ') });
    }
    refuseProxyProtocol(draft, request, REFUSALS.proxyProtocol);
    if (request.healthCheck) {
      draft.honour(LoadBalancerWish.HEALTH_CHECK, 'health check annotations');
      annotateHealthCheck(draft, EKS, request.healthCheck);
    }

    const placed = this.byInstance && request.backendNodes !== undefined;
    return draft.done({
      finalizer: this.finalizer,
      rollout: answerRollout(draft, request, externalTrafficPolicy, madeByEksAutoMode),
      loadBalancerClass: EKS_CLASS,
      externalTrafficPolicy,
      ipFamilies: request.ipFamilies,
      sourceRanges: request.sourceRanges,
      nodeRestriction: placed ? NodeRestriction.BY_POD_PLACEMENT : NodeRestriction.NONE,
    });
  }
}

function answerProtocols(draft: PlanDraft, request: LoadBalancerRequest): void {
  const value = request.protocols.join(' and ');
  const twin = twinIn(request.ports);
  if (request.protocols.includes(PortProtocol.SCTP)) {
    draft.refuseBy(REFUSALS.sctp, { value });
  } else if (twin !== undefined) {
    draft.refuseBy(REFUSALS.protocolsOfPort, { value, port: twin });
  } else if (value !== PortProtocol.TCP) {
    draft.honour(LoadBalancerWish.PROTOCOLS, `${value} listeners`);
  }
}

/** With ip targets no node lies between, and what a pod sees is an attribute that cannot be set. */
function answerByPods(draft: PlanDraft, request: LoadBalancerRequest): TrafficPolicy | undefined {
  const { clientAddress, backendNodes, protocols } = request;
  if (backendNodes) {
    draft.refuseBy(REFUSALS.nodesOfPods, { value: backendNodes.name });
  }
  const [byDefault, other] = protocols.includes(PortProtocol.UDP)
    ? [ClientAddress.PRESERVE, 'UDP always keeps the client address']
    : [ClientAddress.REPLACE, 'TCP replaces the client address'];
  if (clientAddress && (clientAddress !== byDefault || protocols.length > 1)) {
    draft.refuseBy(REFUSALS.clientAddress, { value: clientAddress, other });
  } else if (clientAddress) {
    draft.honour(LoadBalancerWish.CLIENT_ADDRESS, `what ip targets do with ${protocols.join('')}`);
  }
  return request.trafficPolicy;
}

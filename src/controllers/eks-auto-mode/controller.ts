import type { Construct } from 'constructs';
import { refuseWrongProps } from '../../contract/declared-types';
import type { ILoadBalancerController, LoadBalancerRequest } from '../../contract/load-balancer-request';
import {
  ClientAddress,
  IpFamily,
  type LoadBalancerPlan,
  LoadBalancerScheme,
  LoadBalancerWish,
  NodeRestriction,
  PortProtocol,
  TrafficPolicy,
} from '../../contract/options';
import { PlanDraft } from '../../contract/plan-draft';
import type { DefinedController } from '../../rules/controller-definition';
import { classOf } from '../../rules/service-json';
import { annotateHealthCheck } from '../aws/answers';
import { clientsOfNlb } from '../aws/reading';
import { AWS_LBC_DESCRIPTOR } from '../aws-load-balancer-controller/descriptor.facts';
import { NlbIpAddressType, NlbTargetType } from '../aws-load-balancer-controller/options';
import { handlingByAwsLbc, isProtected } from '../aws-load-balancer-controller/reading';
import {
  answerByPolicy,
  answerScheme,
  honourSourceRanges,
  honourTrafficPolicy,
  refuseProxyProtocol,
} from '../shared/answers';
import { defineController, encodeOptions } from '../shared/definition';
import { annotated } from '../shared/made';
import { answerRollout, ROLLOUT_HELD_CUT, rollsByLocal } from '../shared/rollout';
import { EKS, EKS_CATALOGUE, EKS_CLASS, EKS_CONTROLLER, EKS_FINALIZER } from './annotations';
import { EKS_DESCRIPTOR } from './descriptor.facts';
import { EKS_PROTECTED } from './edits.facts';
import { clientsOf, hasPodTargets, madeByEksAutoMode, schemeOf } from './made';
import type { EksAutoModeOptions } from './options';
import { EKS_RULES, twinIn } from './rules';

/**
 * The load balancing of EKS Auto Mode: Network Load Balancers, with pods as targets unless configured otherwise.
 *
 * Its controller is closed source: what is known of it is in the documentation of AWS, and its finalizer is left to
 * the controller unless `declareFinalizer` is set. New Services of such a cluster get its class by default; it is
 * written here all the same. Services of the AWS Load Balancer Controller cannot be moved to it: the class of a live
 * Service is fixed.
 *
 * There is no selector for nodes. With instance targets and policy Local only nodes that run a pod get traffic, so the
 * placement of the pods is the backend.
 */
export class EksAutoMode implements ILoadBalancerController {
  /** @internal */
  public static readonly _kind: DefinedController = defineController(() => ({
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
    installed: () => EksAutoMode.nlb(),
    reports: [ROLLOUT_HELD_CUT],
    rules: EKS_RULES,
  }));

  /**
   * A Network Load Balancer.
   *
   * @param options what the request does not decide
   * @throws on a value that the controller would refuse
   */
  public static nlb(options: EksAutoModeOptions = {}): EksAutoMode {
    refuseWrongProps('EksAutoMode.nlb', 'EksAutoModeOptions', options);
    return new EksAutoMode(options);
  }

  /** `eks-auto-mode` */
  public readonly name = EKS_CONTROLLER;

  private readonly annotations: Record<string, string>;
  private readonly finalizer?: string;
  private readonly byInstance: boolean;

  private constructor(options: EksAutoModeOptions) {
    const targetType = options.targetType ?? NlbTargetType.IP;
    this.annotations = encodeOptions(EKS_CONTROLLER, EKS_CATALOGUE, { ...options, targetType });
    this.finalizer = options.declareFinalizer ? EKS_FINALIZER : undefined;
    this.byInstance = targetType === NlbTargetType.INSTANCE;
  }

  /**
   * Answers a request.
   *
   * @param scope not used: there are no side objects
   * @param request the wishes
   */
  public bind(scope: Construct, request: LoadBalancerRequest): LoadBalancerPlan {
    void scope;
    const draft = new PlanDraft(this.name, request, this.annotations);

    answerScheme(draft, request, EKS.scheme, request.scheme ?? LoadBalancerScheme.INTERNAL);
    answerProtocols(draft, request);
    honourTrafficPolicy(draft, request);
    const externalTrafficPolicy = this.byInstance ? answerByNodes(draft, request) : answerByPods(draft, request);
    if (request.sessionAffinity) {
      draft.refuse(LoadBalancerWish.SESSION_AFFINITY, {
        what: 'stickiness is an attribute of target groups, which EKS Auto Mode does not support',
        remedy: 'leave it out, or use the AWS Load Balancer Controller',
        value: 'ClientIP',
      });
    }
    if (request.ipFamilies) {
      const dual = request.ipFamilies.includes(IpFamily.IPV6);
      draft.annotate(
        LoadBalancerWish.IP_FAMILIES,
        EKS.ipAddressType,
        dual ? NlbIpAddressType.DUALSTACK : NlbIpAddressType.IPV4,
      );
    }
    honourSourceRanges(draft, request);
    if (request.staticAddresses) {
      draft.refuse(LoadBalancerWish.STATIC_ADDRESSES, {
        what: `EKS Auto Mode does not document fixed addresses, with value ${request.staticAddresses.join(', ')}`,
        remedy: 'leave them out and use the DNS name of the balancer, or use the AWS Load Balancer Controller',
        value: request.staticAddresses.join(', '),
      });
    }
    refuseProxyProtocol(
      draft,
      request,
      'EKS Auto Mode does not support proxy protocol',
      'use NlbTargetType.INSTANCE with clientAddress PRESERVE, or the AWS Load Balancer Controller',
    );
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

/** One protocol a port number. */
function answerProtocols(draft: PlanDraft, request: LoadBalancerRequest): void {
  const asText = request.protocols.join(' and ');
  const twin = twinIn(request.ports);
  if (request.protocols.includes(PortProtocol.SCTP)) {
    draft.refuse(LoadBalancerWish.PROTOCOLS, {
      what: 'a Network Load Balancer cannot balance SCTP',
      remedy: 'balance TCP or UDP',
      value: asText,
    });
  } else if (twin !== undefined) {
    draft.refuse(LoadBalancerWish.PROTOCOLS, {
      what: `port ${twin} cannot carry ${asText} at once`,
      remedy: 'make one Service for each protocol',
      value: asText,
    });
  } else if (asText !== PortProtocol.TCP) {
    draft.honour(LoadBalancerWish.PROTOCOLS, `${asText} listeners`);
  }
}

/** With instance targets nodes decide whom a pod sees, and which nodes get traffic. */
function answerByNodes(draft: PlanDraft, request: LoadBalancerRequest): TrafficPolicy | undefined {
  const { trafficPolicy, clientAddress, backendNodes } = request;
  const needsLocal = backendNodes !== undefined || clientAddress === ClientAddress.PRESERVE || rollsByLocal(request);
  const replaces = clientAddress === ClientAddress.REPLACE ? TrafficPolicy.CLUSTER : undefined;
  const policy = trafficPolicy ?? (needsLocal ? TrafficPolicy.LOCAL : replaces);

  answerByPolicy(draft, request, policy, 'every node is a backend');
  return policy;
}

/** With ip targets no node lies between, and what a pod sees is an attribute that cannot be set. */
function answerByPods(draft: PlanDraft, request: LoadBalancerRequest): TrafficPolicy | undefined {
  const { clientAddress, backendNodes, protocols } = request;
  if (backendNodes) {
    draft.refuse(LoadBalancerWish.BACKEND_NODES, {
      what: `with target type 'ip' pods are the targets, and the nodes of '${backendNodes.name}' cannot be chosen`,
      remedy: 'use NlbTargetType.INSTANCE, or only pin the pods with NodePool.pin',
      value: backendNodes.name,
    });
  }
  const wish = LoadBalancerWish.CLIENT_ADDRESS;
  const [byDefault, other] = protocols.includes(PortProtocol.UDP)
    ? [ClientAddress.PRESERVE, 'UDP always keeps the client address']
    : [ClientAddress.REPLACE, 'TCP replaces the client address'];
  if (clientAddress && (clientAddress !== byDefault || protocols.length > 1)) {
    draft.refuse(wish, {
      what: `with target type 'ip' ${other}, and EKS Auto Mode does not support the attribute that would change it`,
      remedy: 'use NlbTargetType.INSTANCE, or leave clientAddress out',
      value: clientAddress,
    });
  } else if (clientAddress) {
    draft.honour(wish, `what ip targets do with ${protocols.join('')}`);
  }
  return request.trafficPolicy;
}

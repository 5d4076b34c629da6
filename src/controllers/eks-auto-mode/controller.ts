import type { Construct } from 'constructs';
import { refuseWrongProps } from '../../contract/declared-types';
import { Confidence } from '../../contract/kubernetes.facts';
import type { ILoadBalancerController, LoadBalancerRequest } from '../../contract/load-balancer-request';
import {
  IpFamily,
  type LoadBalancerPlan,
  LoadBalancerScheme,
  LoadBalancerWish,
  NodeRestriction,
} from '../../contract/options';
import { PlanDraft } from '../../contract/plan-draft';
import type { DefinedController } from '../../rules/controller-definition';
import { classOf } from '../../rules/service-json';
import { annotateHealthCheck } from '../aws/answers';
import { clientsOfNlb } from '../aws/reading';
import { AWS_LBC_DESCRIPTOR } from '../aws-load-balancer-controller/descriptor.facts';
import { NlbIpAddressType, NlbTargetType } from '../aws-load-balancer-controller/options';
import { handlingByAwsLbc, isProtected } from '../aws-load-balancer-controller/reading';
import { answerScheme, honourSourceRanges, honourTrafficPolicy, refuseProxyProtocol } from '../shared/answers';
import { defineController, encodeOptions } from '../shared/definition';
import { annotated } from '../shared/made';
import { answerRollout, ROLLOUT_HELD_CUT } from '../shared/rollout';
import {
  EKS,
  EKS_AUTO_MODE,
  EKS_AUTO_MODE_CLASS,
  EKS_AUTO_MODE_FINALIZER,
  EKS_CATALOGUE,
  EKS_SOURCE,
} from './annotations';
import { answerByNodes, answerByPods, answerProtocols } from './answers';
import { EKS_ANNOTATIOUTCOMESS, EKS_PROTECTED } from './edits.facts';
import { madeByEksAutoMode } from './made';
import type { EksAutoModeOptions } from './options';
import { clientsOf, hasPodTargets, schemeOf } from './reading';
import { EKS_RULES } from './rules';

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
    name: EKS_AUTO_MODE,
    facts: {
      product: 'Network Load Balancer',
      source: EKS_SOURCE,
      confidence: Confidence.DOCS,
      finalizerNote: 'on request only; **unverified**',
      nodes: 'placement of the pods: instance targets with traffic policy Local',
      remark:
        'closed source, and its finalizer is unverified; no proxy protocol, target group attributes or fixed addresses',
    },
    catalogue: EKS_CATALOGUE,
    annotationEdits: EKS_ANNOTATIOUTCOMESS,
    protectsFromDeletion: (service) => (isProtected(service) ? EKS_PROTECTED : undefined),
    // closed source: taken to be as fast as the AWS Load Balancer Controller
    provisioningTime: AWS_LBC_DESCRIPTOR.provisioningTime,
    finalizers: [EKS_AUTO_MODE_FINALIZER],
    // the group of what EKS runs for a cluster in Auto Mode
    identities: () => [
      {
        kind: 'Group',
        name: 'eks:managed',
        source: { repository: 'Amazon EKS User Guide', version: '2026-08-17', file: 'auto-managed-rbac' },
      },
    ],
    finalizerOption: 'declareFinalizer',
    classes: [EKS_AUTO_MODE_CLASS],
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
      return loadBalancerClass === EKS_AUTO_MODE_CLASS
        ? { claimed: 'yes', because: `the class is '${EKS_AUTO_MODE_CLASS}'` }
        : { claimed: 'no', because: `the class is '${loadBalancerClass}', not '${EKS_AUTO_MODE_CLASS}'` };
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
  public readonly name = EKS_AUTO_MODE;

  private readonly annotations: Record<string, string>;
  private readonly finalizer?: string;
  private readonly byInstance: boolean;

  private constructor(options: EksAutoModeOptions) {
    const targetType = options.targetType ?? NlbTargetType.IP;
    this.annotations = encodeOptions(EKS_AUTO_MODE, EKS_CATALOGUE, { ...options, targetType });
    this.finalizer = options.declareFinalizer ? EKS_AUTO_MODE_FINALIZER : undefined;
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
      loadBalancerClass: EKS_AUTO_MODE_CLASS,
      externalTrafficPolicy,
      ipFamilies: request.ipFamilies,
      sourceRanges: request.sourceRanges,
      nodeRestriction: placed ? NodeRestriction.BY_POD_PLACEMENT : NodeRestriction.NONE,
    });
  }
}

import type { Construct } from 'constructs';
import { ClientAddress } from '../contract/client-address';
import { IpFamily } from '../contract/ip-family';
import { Confidence } from '../contract/kubernetes.facts';
import type { Json } from '../contract/late-rendering';
import type { ILoadBalancerController } from '../contract/load-balancer-controller';
import type { LoadBalancerPlan } from '../contract/load-balancer-plan';
import { PortProtocol } from '../contract/load-balancer-port';
import type { LoadBalancerRequest } from '../contract/load-balancer-request';
import { LoadBalancerScheme } from '../contract/load-balancer-scheme';
import { LoadBalancerWish } from '../contract/load-balancer-wish';
import { NodeRestriction } from '../contract/node-restriction';
import { PlanDraft } from '../contract/plan-draft';
import { TrafficPolicy } from '../contract/traffic-policy';
import type { ControllerKind } from '../rules/controller-kind';
import { annotationsOf, classOf, portsOf } from '../rules/service-json';
import { NlbIpAddressType, NlbTargetType } from './aws-load-balancer-controller.options';
import { defineKind } from './define-kind';
import {
  EKS,
  EKS_AUTO_MODE,
  EKS_AUTO_MODE_CLASS,
  EKS_AUTO_MODE_FINALIZER,
  EKS_CATALOGUE,
  EKS_SOURCE,
  EKS_UNSUPPORTED,
} from './eks-auto-mode.annotations';
import type { EksAutoModeOptions } from './eks-auto-mode.options';
import { encodeOptions } from './encode-options';

/**
 * The load balancing of EKS Auto Mode: Network Load Balancers, with pods as targets unless told otherwise.
 *
 * Its controller is closed source: what is known of it stands in the documentation of AWS, and its finalizer is left to
 * the controller unless `declareFinalizer` is set. New Services of such a cluster get its class by default; it is
 * written here all the same. Services of the AWS Load Balancer Controller cannot be moved to it: the class of a live
 * Service is fixed.
 *
 * There is no selector for nodes. With instance targets and policy Local only nodes that run a pod get traffic, so the
 * placement of the pods is the backend.
 */
export class EksAutoMode implements ILoadBalancerController {
  /** @internal */
  public static readonly _kind: ControllerKind = defineKind({
    name: EKS_AUTO_MODE,
    facts: {
      product: 'Network Load Balancer',
      source: EKS_SOURCE,
      confidence: Confidence.DOCS,
      nodes: 'placement of the pods: instance targets with traffic policy Local',
      remark:
        'closed source, and its finalizer is unverified; no proxy protocol, target group attributes or fixed addresses',
    },
    catalogue: EKS_CATALOGUE,
    finalizers: [EKS_AUTO_MODE_FINALIZER],
    classes: [EKS_AUTO_MODE_CLASS],
    claim(service) {
      const loadBalancerClass = classOf(service);
      if (loadBalancerClass === undefined) {
        return { claimed: 'yes', because: 'new Services without a class get its own by default' };
      }
      return loadBalancerClass === EKS_AUTO_MODE_CLASS
        ? { claimed: 'yes', because: `the class is '${EKS_AUTO_MODE_CLASS}'` }
        : { claimed: 'no', because: `the class is '${loadBalancerClass}', not '${EKS_AUTO_MODE_CLASS}'` };
    },
    installed: () => EksAutoMode.nlb(),
    rules: [
      {
        id: 'eks-auto-mode-unsupported',
        severity: 'error',
        says: 'some annotations of other controllers of AWS are documented as not supported',
        source: EKS_SOURCE,
        judge: (service) =>
          EKS_UNSUPPORTED.filter(({ annotation }) => annotationsOf(service)[annotation.key()] !== undefined).map(
            ({ annotation, wayOut }) => ({
              what: `${annotation.key()} is not supported`,
              wayOut,
              value: String(annotationsOf(service)[annotation.key()]),
            }),
          ),
      },
      {
        id: 'eks-auto-mode-protocol',
        severity: 'error',
        says: 'a Network Load Balancer balances TCP and UDP',
        source: EKS_SOURCE,
        judge(service) {
          const odd = portsOf(service).find((port) => !['TCP', 'UDP'].includes(port.protocol ?? 'TCP'));
          return (
            odd && {
              what: `port ${odd.port} is ${odd.protocol}`,
              wayOut: 'balance TCP or UDP',
              value: String(odd.protocol),
            }
          );
        },
      },
      {
        id: 'eks-auto-mode-shared-port',
        severity: 'error',
        says: 'a port number has one listener, and so one protocol',
        source: EKS_SOURCE,
        judge(service) {
          const twin = twinIn(portsOf(service));
          return twin === undefined
            ? undefined
            : {
                what: `port ${twin} has two protocols`,
                wayOut: 'make one Service for each protocol',
                value: String(twin),
              };
        },
      },
    ],
  });

  /**
   * A Network Load Balancer.
   *
   * @param options what the request does not say
   * @throws on a value that the controller would refuse
   */
  public static nlb(options: EksAutoModeOptions = {}): EksAutoMode {
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
   * @param _scope not used: there are no side objects
   * @param request what is wished for
   */
  public bind(_scope: Construct, request: LoadBalancerRequest): LoadBalancerPlan {
    const draft = new PlanDraft(this.name, request, this.annotations);

    const scheme = request.scheme === undefined ? undefined : LoadBalancerWish.SCHEME;
    if (scheme || !draft.has(EKS.scheme)) {
      draft.annotate(scheme, EKS.scheme, request.scheme ?? LoadBalancerScheme.INTERNAL);
    }
    answerProtocols(draft, request);
    if (request.trafficPolicy) {
      draft.honour(LoadBalancerWish.TRAFFIC_POLICY, `externalTrafficPolicy ${request.trafficPolicy}`);
    }
    const externalTrafficPolicy = this.byInstance ? answerByNodes(draft, request) : answerByPods(draft, request);
    if (request.sessionAffinity) {
      draft.refuse(LoadBalancerWish.SESSION_AFFINITY, {
        what: 'stickiness is an attribute of target groups, which EKS Auto Mode does not support',
        wayOut: 'leave it out, or use the AWS Load Balancer Controller',
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
    if (request.sourceRanges) {
      draft.honour(LoadBalancerWish.SOURCE_RANGES, 'spec.loadBalancerSourceRanges');
    }
    if (request.staticAddresses) {
      draft.refuse(LoadBalancerWish.STATIC_ADDRESSES, {
        what: `EKS Auto Mode does not document fixed addresses, with value ${request.staticAddresses.join(', ')}`,
        wayOut: 'leave them out and use the DNS name of the balancer, or use the AWS Load Balancer Controller',
        value: request.staticAddresses.join(', '),
      });
    }
    answerProxyProtocol(draft, request);
    answerHealthCheck(draft, request);

    const placed = this.byInstance && request.backendNodes !== undefined;
    return draft.done({
      finalizer: this.finalizer,
      loadBalancerClass: EKS_AUTO_MODE_CLASS,
      externalTrafficPolicy,
      ipFamilies: request.ipFamilies,
      sourceRanges: request.sourceRanges,
      nodeRestriction: placed ? NodeRestriction.BY_POD_PLACEMENT : NodeRestriction.NONE,
    });
  }
}

/** A port number that stands in two ports. */
function twinIn(ports: readonly Json[]): unknown {
  return ports.find((port, index) => ports.some((other, at) => at < index && other.port === port.port))?.port;
}

function answerProtocols(draft: PlanDraft, request: LoadBalancerRequest): void {
  const said = request.protocols.join(' and ');
  const twin = twinIn(request.ports);
  if (request.protocols.includes(PortProtocol.SCTP)) {
    draft.refuse(LoadBalancerWish.PROTOCOLS, {
      what: 'a Network Load Balancer cannot balance SCTP',
      wayOut: 'balance TCP or UDP',
      value: said,
    });
  } else if (twin !== undefined) {
    draft.refuse(LoadBalancerWish.PROTOCOLS, {
      what: `port ${twin} cannot carry ${said} at once`,
      wayOut: 'make one Service for each protocol',
      value: said,
    });
  } else if (said !== PortProtocol.TCP) {
    draft.honour(LoadBalancerWish.PROTOCOLS, `${said} listeners`);
  }
}

/** With instance targets nodes decide whom a pod sees, and which nodes get traffic. */
function answerByNodes(draft: PlanDraft, request: LoadBalancerRequest): TrafficPolicy | undefined {
  const { trafficPolicy, clientAddress, backendNodes } = request;
  const needsLocal = backendNodes !== undefined || clientAddress === ClientAddress.PRESERVE;
  const replaces = clientAddress === ClientAddress.REPLACE ? TrafficPolicy.CLUSTER : undefined;
  const policy = trafficPolicy ?? (needsLocal ? TrafficPolicy.LOCAL : replaces);

  if (backendNodes && policy === TrafficPolicy.CLUSTER) {
    draft.refuse(LoadBalancerWish.BACKEND_NODES, {
      what: `with externalTrafficPolicy Cluster every node is a backend, not only those of '${backendNodes.name}': EKS Auto Mode knows no node labels`,
      wayOut: 'pin the pods with NodePool.pin, and leave trafficPolicy out or set it to LOCAL',
      value: backendNodes.name,
    });
  } else if (backendNodes) {
    draft.honour(LoadBalancerWish.BACKEND_NODES, 'nodes that run a pod, by externalTrafficPolicy Local');
  }

  const wish = LoadBalancerWish.CLIENT_ADDRESS;
  if (clientAddress === ClientAddress.PRESERVE && policy === TrafficPolicy.CLUSTER) {
    draft.refuse(wish, {
      what: 'with externalTrafficPolicy Cluster nodes replace the client address by their own',
      wayOut: 'leave trafficPolicy out, or set it to LOCAL',
      value: TrafficPolicy.CLUSTER,
    });
  } else if (clientAddress === ClientAddress.REPLACE && policy === TrafficPolicy.LOCAL) {
    draft.refuse(wish, {
      what: `with externalTrafficPolicy Local${backendNodes ? ', which backendNodes needs,' : ''} the pod sees the client address`,
      wayOut: 'leave clientAddress out, or set trafficPolicy to CLUSTER',
      value: TrafficPolicy.LOCAL,
    });
  } else if (clientAddress) {
    draft.honour(wish, `externalTrafficPolicy ${policy}`);
  }
  return policy;
}

/** With ip targets no node lies between, and what a pod sees is an attribute that cannot be set. */
function answerByPods(draft: PlanDraft, request: LoadBalancerRequest): TrafficPolicy | undefined {
  const { clientAddress, backendNodes, protocols } = request;
  if (backendNodes) {
    draft.refuse(LoadBalancerWish.BACKEND_NODES, {
      what: `with target type 'ip' pods are the targets, and the nodes of '${backendNodes.name}' cannot be chosen`,
      wayOut: 'use NlbTargetType.INSTANCE, or only pin the pods with NodePool.pin',
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
      wayOut: 'use NlbTargetType.INSTANCE, or leave clientAddress out',
      value: clientAddress,
    });
  } else if (clientAddress) {
    draft.honour(wish, `what ip targets do with ${protocols.join('')}`);
  }
  return request.trafficPolicy;
}

function answerProxyProtocol(draft: PlanDraft, request: LoadBalancerRequest): void {
  if (request.proxyProtocol === false) {
    draft.honour(LoadBalancerWish.PROXY_PROTOCOL, 'off by default');
  } else if (request.proxyProtocol) {
    draft.refuse(LoadBalancerWish.PROXY_PROTOCOL, {
      what: 'EKS Auto Mode does not support proxy protocol',
      wayOut: 'use NlbTargetType.INSTANCE with clientAddress PRESERVE, or the AWS Load Balancer Controller',
      value: 'true',
    });
  }
}

function answerHealthCheck(draft: PlanDraft, request: LoadBalancerRequest): void {
  const check = request.healthCheck;
  if (!check) {
    return;
  }
  const wish = LoadBalancerWish.HEALTH_CHECK;
  draft.honour(wish, 'health check annotations');
  if (check.protocol) draft.annotate(wish, EKS.healthCheckProtocol, check.protocol);
  if (check.port !== undefined) draft.annotate(wish, EKS.healthCheckPort, String(check.port));
  if (check.path !== undefined) draft.annotate(wish, EKS.healthCheckPath, check.path);
  if (check.interval) draft.annotate(wish, EKS.healthCheckInterval, check.interval);
  if (check.timeout) draft.annotate(wish, EKS.healthCheckTimeout, check.timeout);
  if (check.healthyThreshold !== undefined) {
    draft.annotate(wish, EKS.healthCheckHealthyThreshold, check.healthyThreshold);
  }
  if (check.unhealthyThreshold !== undefined) {
    draft.annotate(wish, EKS.healthCheckUnhealthyThreshold, check.unhealthyThreshold);
  }
}

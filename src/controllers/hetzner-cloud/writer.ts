import { selectorOf } from '../../contract/annotation-codecs-lists';
import { LOAD_BALANCER_CLEANUP_FINALIZER } from '../../contract/kubernetes.facts';
import type { LoadBalancerRequest } from '../../contract/load-balancer-request';
import {
  HealthCheckProtocol,
  IpFamily,
  type LoadBalancerPlan,
  LoadBalancerWish,
  NodeRestriction,
  type RolloutPlan,
  TrafficPolicy,
} from '../../contract/options';
import { PlanDraft, wishAsText } from '../../contract/plan-draft';
import type { ControllerDefinition } from '../../rules/controller-definition';
import { annotationsOf } from '../../rules/service-json';
import { answerClientByProxy, answerOneAddress, honourTrafficPolicy, takesIpFamilies } from '../shared/answers';
import { encodeOptions } from '../shared/definition';
import { clientsOfProxy } from '../shared/model';
import { HEALTH_CHECK_NODE_PORT_PATH } from '../shared/model.facts';
import { POD_MUST_SPEAK_PROXY_PROTOCOL } from '../shared/refusals.facts';
import { answerRollout } from '../shared/rollout';
import { HCLOUD, HCLOUD_CATALOGUE, HCLOUD_CONTROLLER } from './annotations';
import type { HetznerCloud } from './controller';
import { HCLOUD_DESCRIPTOR } from './descriptor.facts';
import { backendNodes, handlingByHcloud, hcloudModel, ignoredByHcloud, schemeOf } from './model';
import { HetznerCertificateType, type HetznerCloudOptions, HetznerProtocol } from './options';
import { REFUSALS } from './refusals.facts';
import { HCLOUD_RULES } from './rules';

export const definition = (own: typeof HetznerCloud): ControllerDefinition => ({
  ...HCLOUD_DESCRIPTOR,
  handles: handlingByHcloud,
  proxyHeaderDefault: {
    variable: 'HCLOUD_LOAD_BALANCERS_USES_PROXYPROTOCOL',
    annotation: HCLOUD.usesProxyProtocol.key(),
  },
  schemeOf,
  ignores: ignoredByHcloud,
  clientAddressOf: (service) => clientsOfProxy(HCLOUD.usesProxyProtocol.on(annotationsOf(service)) === true),
  backendNodes,
  makes: hcloudModel,
  installed: () => own.loadBalancer(),
  reports: [POD_MUST_SPEAK_PROXY_PROTOCOL],
  rules: HCLOUD_RULES,
});

export class HetznerCloudWriter {
  private readonly annotations: Record<string, string>;

  public constructor(private readonly options: HetznerCloudOptions) {
    this.annotations = encodeOptions(HCLOUD_CONTROLLER, HCLOUD_CATALOGUE, options);
    const contradiction = contradictionOf(options);
    if (contradiction) {
      throw new Error(`${HCLOUD_CONTROLLER}: ${contradiction}`);
    }
  }

  public bind(request: LoadBalancerRequest): LoadBalancerPlan {
    const draft = new PlanDraft(HCLOUD_CONTROLLER, request, this.annotations);

    this.answerScheme(draft, request);
    honourTrafficPolicy(draft, request);
    if (request.proxyProtocol !== undefined) {
      draft.annotate(LoadBalancerWish.PROXY_PROTOCOL, HCLOUD.usesProxyProtocol, request.proxyProtocol);
    }
    answerClientByProxy(draft, request, HCLOUD.usesProxyProtocol);
    if (request.backendNodes) {
      draft.annotate(LoadBalancerWish.BACKEND_NODES, HCLOUD.nodeSelector, selectorOf(request.backendNodes.labels));
    }
    this.answerIpFamilies(draft, request);
    this.answerStaticAddresses(draft, request);
    this.answerHealthCheck(draft, request);
    if (request.sourceRanges) {
      draft.refuseBy(REFUSALS.sourceRanges, { value: request.sourceRanges.join(', ') });
    }
    if (request.sessionAffinity) {
      draft.refuseBy(REFUSALS.sessionAffinity, { value: wishAsText(request, LoadBalancerWish.SESSION_AFFINITY) });
    }

    const { backendNodes: pool, rollout, trafficPolicy } = request;
    // a TCP check of the node port fails where there is no pod, so traffic stays on the nodes of the pool
    const policy = trafficPolicy ?? (pool || rollout ? TrafficPolicy.LOCAL : undefined);

    return draft.done({
      finalizer: LOAD_BALANCER_CLEANUP_FINALIZER,
      rollout: answerRolloutByHcloud(draft, request, policy),
      externalTrafficPolicy: policy,
      ipFamilies: request.ipFamilies,
      nodeRestriction: draft.has(HCLOUD.nodeSelector) ? NodeRestriction.ON_SERVICE : NodeRestriction.NONE,
    });
  }

  /** The scheme is always written: the default of the product is public, and that of the controller unknown. */
  private answerScheme(draft: PlanDraft, request: LoadBalancerRequest): void {
    if (request.scheme !== undefined) {
      draft.annotate(LoadBalancerWish.SCHEME, HCLOUD.disablePublicNetwork, !request.internetFacing);
    } else if (!draft.has(HCLOUD.disablePublicNetwork)) {
      draft.annotate(undefined, HCLOUD.disablePublicNetwork, true);
    }
    if (!this.isPublic(request)) {
      if (!draft.has(HCLOUD.usePrivateIp)) {
        draft.annotate(undefined, HCLOUD.usePrivateIp, true);
      }
      if (this.options.hostname === undefined) {
        // an internal balancer whose private address is hidden has no address at all
        draft.annotate(undefined, HCLOUD.disablePrivateIngress, false);
      }
    }
  }

  private isPublic(request: LoadBalancerRequest): boolean {
    return request.scheme === undefined ? this.options.disablePublicNetwork === false : request.internetFacing;
  }

  private answerIpFamilies(draft: PlanDraft, request: LoadBalancerRequest): void {
    const isPublic = this.isPublic(request);
    const takes = takesIpFamilies(draft, request, isPublic);
    if (takes && isPublic) {
      const isIpv4 = !request.ipFamilies?.includes(IpFamily.IPV6);
      draft.annotate(LoadBalancerWish.IP_FAMILIES, HCLOUD.ipv6Disabled, isIpv4);
    } else if (takes) {
      draft.honour(LoadBalancerWish.IP_FAMILIES, 'private networks are IPv4');
    }
  }

  private answerStaticAddresses(draft: PlanDraft, request: LoadBalancerRequest): void {
    if (request.staticAddresses && this.isPublic(request)) {
      draft.refuseBy(REFUSALS.publicAddress, { value: request.staticAddresses.join(', ') });
    } else {
      answerOneAddress(draft, request, HCLOUD.privateIpv4);
    }
  }

  private answerHealthCheck(draft: PlanDraft, request: LoadBalancerRequest): void {
    const check = request.healthCheck;
    if (!check) {
      return;
    }
    const wish = LoadBalancerWish.HEALTH_CHECK;
    draft.honour(wish, `${check.protocol ?? this.options.protocol ?? HetznerProtocol.TCP} health check`);
    draft.annotateEach(wish, check, {
      protocol: HCLOUD.healthCheckProtocol,
      port: HCLOUD.healthCheckPort,
      path: HCLOUD.healthCheckHttpPath,
      interval: HCLOUD.healthCheckInterval,
      timeout: HCLOUD.healthCheckTimeout,
      unhealthyThreshold: HCLOUD.healthCheckRetries,
      healthyThreshold: 'leave it out; unhealthyThreshold sets the retries',
    });
  }
}

function contradictionOf(options: HetznerCloudOptions): string | undefined {
  if (options.location && options.networkZone) {
    return `option networkZone '${options.networkZone}' is ignored beside location '${options.location}'; keep one`;
  }
  if (options.disablePublicNetwork === true && options.usePrivateIp === false) {
    return 'option usePrivateIp cannot be false with disablePublicNetwork, the nodes would be out of reach; leave it out';
  }
  if (options.certificateType === HetznerCertificateType.MANAGED && !options.httpManagedCertificateDomains) {
    return "option certificateType 'managed' needs httpManagedCertificateDomains; name the domains";
  }
  return undefined;
}

/**
 * The controller never asks the health check node port by itself: with policy Local it is told to, which takes a port that is known
 * when the Service is written. With policy Cluster any node passes the check while there is a pod anywhere.
 */
function answerRolloutByHcloud(
  draft: PlanDraft,
  request: LoadBalancerRequest,
  policy: TrafficPolicy | undefined,
): RolloutPlan | undefined {
  const wish = LoadBalancerWish.ROLLOUT;
  const port = request.rollout?.healthCheckNodePort;
  const isByCluster = policy === TrafficPolicy.CLUSTER;
  if (request.rollout && (isByCluster || port === undefined)) {
    draft.refuseBy(isByCluster ? REFUSALS.checksNoPods : REFUSALS.checksNodePort, isByCluster ? { value: policy } : {});
    return undefined;
  }
  if (port !== undefined) {
    const { protocol, port: own, path } = request.healthCheck ?? {};
    if (protocol === undefined) draft.annotate(wish, HCLOUD.healthCheckProtocol, HealthCheckProtocol.HTTP);
    if (own === undefined) draft.annotate(wish, HCLOUD.healthCheckPort, port);
    if (path === undefined) draft.annotate(wish, HCLOUD.healthCheckHttpPath, HEALTH_CHECK_NODE_PORT_PATH);
  }
  return answerRollout(draft, request, policy, hcloudModel);
}

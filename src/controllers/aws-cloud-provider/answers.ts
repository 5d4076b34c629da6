import { Duration } from 'cdk8s';
import type { LoadBalancerRequest } from '../../contract/load-balancer-request';
import {
  ClientAddress,
  type HealthCheck,
  LoadBalancerWish,
  PortProtocol,
  type RolloutPlan,
  TrafficPolicy,
} from '../../contract/options';
import type { PlanDraft } from '../../contract/plan-draft';
import { annotateHealthCheck } from '../aws/answers';
import { answerClientByProxy, refusal } from '../shared/answers';
import { lifeAfter } from '../shared/rollout';
import { AWS_CLOUD } from './annotations';
import type { AwsCloudProviderTargetGroupAttributes } from './options';
import { REFUSALS } from './refusals.facts';

/** The balancer by its options. */
export interface Balancer {
  readonly isNlb: boolean;
  readonly annotations: Readonly<Record<string, string>>;
  /** Those of target groups, which are kept apart because a request sets some of them too. */
  readonly attributes: AwsCloudProviderTargetGroupAttributes;
}

/** Whether only nodes with a pod may serve: any other hides the client behind its own address. */
export function needsLocal(request: LoadBalancerRequest, balancer: Balancer): boolean {
  const preserved = balancer.isNlb && request.clientAddress === ClientAddress.PRESERVE && !isHeaded(request, balancer);
  return request.backendNodes !== undefined || preserved || request.rollout !== undefined;
}

function isHeaded(request: LoadBalancerRequest, balancer: Balancer): boolean {
  return request.proxyProtocol === true || balancer.attributes.proxyProtocolV2 === true;
}

/** One protocol a Service. */
export function answerProtocols(draft: PlanDraft, request: LoadBalancerRequest, balancer: Balancer): void {
  const protocols = request.protocols.join(' and ');
  if (request.protocols.length > 1) {
    draft.refuse(LoadBalancerWish.PROTOCOLS, refusal(REFUSALS.mixedProtocols, { value: protocols }));
  } else if (balancer.isNlb && protocols === PortProtocol.UDP) {
    draft.honour(LoadBalancerWish.PROTOCOLS, 'UDP listeners');
  } else if (protocols === PortProtocol.UDP) {
    draft.refuse(LoadBalancerWish.PROTOCOLS, refusal(REFUSALS.udpOfClassic, { value: protocols }));
  }
}

/** What a Network Load Balancer's targets see, written as one with the attributes of the options. */
export function answerByTargetGroups(draft: PlanDraft, request: LoadBalancerRequest, balancer: Balancer): void {
  const attributes: { preserveClientIp?: boolean; proxyProtocolV2?: boolean } = { ...balancer.attributes };
  const want = (wish: LoadBalancerWish, attribute: keyof typeof attributes, value: boolean) => {
    if ((attributes[attribute] ?? value) !== value) {
      draft.refuse(
        wish,
        refusal(REFUSALS.attributeTwice, { value: String(value), wish, attribute, other: attributes[attribute] }),
      );
      return;
    }
    attributes[attribute] = value;
    draft.honour(wish, `${attribute} ${value}`);
  };

  if (request.proxyProtocol !== undefined) {
    want(LoadBalancerWish.PROXY_PROTOCOL, 'proxyProtocolV2', request.proxyProtocol);
  }
  if (request.clientAddress === ClientAddress.REPLACE && request.protocols.includes(PortProtocol.UDP)) {
    draft.refuse(LoadBalancerWish.CLIENT_ADDRESS, refusal(REFUSALS.addressOfUdp, { value: ClientAddress.REPLACE }));
  } else if (request.clientAddress === ClientAddress.REPLACE) {
    want(LoadBalancerWish.CLIENT_ADDRESS, 'preserveClientIp', false);
  } else if (request.clientAddress === ClientAddress.PRESERVE && isHeaded(request, balancer)) {
    draft.honour(LoadBalancerWish.CLIENT_ADDRESS, 'proxy protocol v2');
  } else if (request.clientAddress === ClientAddress.PRESERVE && request.trafficPolicy === TrafficPolicy.CLUSTER) {
    draft.refuse(LoadBalancerWish.CLIENT_ADDRESS, refusal(REFUSALS.addressByCluster, { value: TrafficPolicy.CLUSTER }));
  } else if (request.clientAddress === ClientAddress.PRESERVE && attributes.preserveClientIp !== undefined) {
    want(LoadBalancerWish.CLIENT_ADDRESS, 'preserveClientIp', true);
  } else if (request.clientAddress === ClientAddress.PRESERVE) {
    draft.honour(LoadBalancerWish.CLIENT_ADDRESS, 'instances see it, and with externalTrafficPolicy Local their pods');
  }
  if (Object.keys(attributes).length > 0) {
    draft.annotate(undefined, AWS_CLOUD.targetGroupAttributes, attributes);
  }
}

/** A Classic Load Balancer ends connections and makes new ones. */
export function answerByListeners(draft: PlanDraft, request: LoadBalancerRequest): void {
  const on = draft.has(AWS_CLOUD.proxyProtocol);
  if (request.proxyProtocol === true) {
    draft.annotate(LoadBalancerWish.PROXY_PROTOCOL, AWS_CLOUD.proxyProtocol, true);
  } else if (request.proxyProtocol === false && !on) {
    draft.honour(LoadBalancerWish.PROXY_PROTOCOL, 'off by default');
  } else if (request.proxyProtocol === false) {
    draft.refuse(LoadBalancerWish.PROXY_PROTOCOL, refusal(REFUSALS.proxyProtocolOn, { value: 'false' }));
  }

  answerClientByProxy(draft, request, AWS_CLOUD.proxyProtocol, 'use AwsCloudProvider.nlb()');
}

/** Elastic addresses of a public Network Load Balancer, private ones of an internal one. */
export function answerStaticAddresses(draft: PlanDraft, request: LoadBalancerRequest, balancer: Balancer): void {
  const addresses = request.staticAddresses;
  if (!addresses) {
    return;
  }
  const wish = LoadBalancerWish.STATIC_ADDRESSES;
  if (!balancer.isNlb) {
    draft.refuse(wish, refusal(REFUSALS.fixedAddresses, { value: addresses.join(', ') }));
    return;
  }
  const isPublic = request.internetFacing || balancer.annotations[AWS_CLOUD.internal.key()] === 'false';
  draft.annotate(wish, isPublic ? AWS_CLOUD.eipAllocations : AWS_CLOUD.privateIpv4Addresses, addresses);
}

/** The nodes of a pool, by their labels. */
export function answerBackendNodes(draft: PlanDraft, request: LoadBalancerRequest): void {
  if (request.backendNodes) {
    const wish = LoadBalancerWish.BACKEND_NODES;
    draft.annotate(wish, AWS_CLOUD.targetNodeLabels, request.backendNodes.labels);
    // kubernetes/cloud-provider v0.36.3, controllers/service/controller.go: shouldSyncUpdatedNode does not look at labels
    draft.honour(wish, 'looked up when the Service or the set of nodes changes');
  }
}

/** A health check, field by field; the timeout of a Network Load Balancer is not the controller's to set. */
export function answerHealthCheck(draft: PlanDraft, check: HealthCheck | undefined, balancer: Balancer): void {
  if (!check) {
    return;
  }
  const wish = LoadBalancerWish.HEALTH_CHECK;
  if (balancer.isNlb && check.timeout) {
    const seconds = check.timeout.toSeconds({ integral: false });
    draft.refuse(wish, refusal(REFUSALS.healthCheckTimeout, { value: String(seconds) }));
    return;
  }
  draft.honour(wish, 'health check annotations');
  annotateHealthCheck(draft, AWS_CLOUD, check);
}

/** A Classic Load Balancer closes the connections of a node that fails its check, unless it drains them. */
export function drainConnections(
  draft: PlanDraft,
  request: LoadBalancerRequest,
  plan: RolloutPlan | undefined,
  { isNlb }: Balancer,
): RolloutPlan | undefined {
  if (plan && !isNlb) {
    const life = lifeAfter(request, plan.stopsSendingAfter.toSeconds());
    const wish = LoadBalancerWish.ROLLOUT;
    draft.annotate(wish, AWS_CLOUD.connectionDrainingEnabled, true);
    if (!draft.isAtLeast(wish, AWS_CLOUD.connectionDrainingTimeout, life)) {
      draft.annotate(wish, AWS_CLOUD.connectionDrainingTimeout, Duration.seconds(life));
    }
  }
  return plan;
}

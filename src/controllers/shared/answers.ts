import type { Annotation } from '../../contract/annotation-catalogue';
import type { LoadBalancerRequest } from '../../contract/load-balancer-request';
import { ClientAddress, IpFamily, LoadBalancerWish, TrafficPolicy } from '../../contract/options';
import type { PlanDraft } from '../../contract/plan-draft';
import { type DescribedRule, filled } from '../../contract/rule';

// Answers that several controllers give. Each answers one wish, and does nothing where the request does not have it.

/** Pods learn the address of the client from a header, which they must expect. */
export const POD_MUST_SPEAK_PROXY_PROTOCOL: DescribedRule = {
  id: 'pod-must-speak-proxy-protocol',
  severity: 'warning',
  says: 'pods must understand the PROXY protocol',
  source: {
    repository: 'haproxy/haproxy',
    version: 'v3.2.0',
    file: 'doc/proxy-protocol.txt',
  },
};

/** A refusal in the words of a table, in which `{{name}}` is a value. */
export function refusal(
  { what, remedy }: Readonly<Record<'what' | 'remedy', string>>,
  params: { readonly value: string; readonly [name: string]: unknown },
) {
  return { what: filled(what, params), remedy, value: params.value };
}

/** Writes the scheme; without a wish that of the options stays, or else the default of the request. */
export function answerScheme<T>(draft: PlanDraft, request: LoadBalancerRequest, entry: Annotation<T>, value: T): void {
  const wish = request.scheme === undefined ? undefined : LoadBalancerWish.SCHEME;
  if (wish || !draft.has(entry)) {
    draft.annotate(wish, entry, value);
  }
}

/** The traffic policy is a field of the Service. */
export function honourTrafficPolicy(draft: PlanDraft, { trafficPolicy }: LoadBalancerRequest): void {
  if (trafficPolicy) {
    draft.honour(LoadBalancerWish.TRAFFIC_POLICY, `externalTrafficPolicy ${trafficPolicy}`);
  }
}

/** Source ranges are a field of the Service, which the controller reads. */
export function honourSourceRanges(draft: PlanDraft, { sourceRanges }: LoadBalancerRequest): void {
  if (sourceRanges) {
    draft.honour(LoadBalancerWish.SOURCE_RANGES, 'spec.loadBalancerSourceRanges');
  }
}

/**
 * Refuses families without IPv4, and IPv6 on an internal balancer.
 *
 * @returns whether there is nothing to refuse
 */
export function takesIpFamilies(draft: PlanDraft, { ipFamilies }: LoadBalancerRequest, isPublic: boolean): boolean {
  const value = ipFamilies?.join(', ');
  if (ipFamilies && !ipFamilies.includes(IpFamily.IPV4)) {
    draft.refuse(LoadBalancerWish.IP_FAMILIES, {
      what: `a balancer has an IPv4 address in any case, with value ${value}`,
      remedy: 'ask for both families',
      value,
    });
    return false;
  }
  if (ipFamilies?.includes(IpFamily.IPV6) && !isPublic) {
    draft.refuse(LoadBalancerWish.IP_FAMILIES, {
      what: `an internal balancer has no IPv6 address, with value ${value}`,
      remedy: 'ask for IPv4 only, or for an internet-facing balancer',
      value,
    });
    return false;
  }
  return ipFamilies !== undefined;
}

/** Fixed addresses of a balancer that has a single one, under the entry for it. */
export function answerOneAddress(
  draft: PlanDraft,
  { staticAddresses }: LoadBalancerRequest,
  entry: Annotation<string>,
): void {
  if (staticAddresses?.length === 1) {
    draft.annotate(LoadBalancerWish.STATIC_ADDRESSES, entry, staticAddresses[0]);
  } else if (staticAddresses) {
    draft.refuse(LoadBalancerWish.STATIC_ADDRESSES, {
      what: `a balancer has one address that can be fixed, not ${staticAddresses.join(', ')}`,
      remedy: 'give one address',
      value: staticAddresses.join(', '),
    });
  }
}

/**
 * The PROXY protocol of a balancer that never speaks it.
 *
 * @param what why it does not, in one clause
 * @param remedy how a pod learns the address of the client instead
 */
export function refuseProxyProtocol(
  draft: PlanDraft,
  { proxyProtocol }: LoadBalancerRequest,
  what: string,
  remedy: string,
): void {
  if (proxyProtocol === false) {
    draft.honour(LoadBalancerWish.PROXY_PROTOCOL, 'the balancer never speaks it');
  } else if (proxyProtocol) {
    draft.refuse(LoadBalancerWish.PROXY_PROTOCOL, { what, remedy, value: 'true' });
  }
}

/**
 * Backend nodes and the client address where the traffic policy alone decides both: with Local, traffic goes to nodes that run a
 * pod, and the pod sees the client.
 *
 * @param policy the traffic policy, asked for or implied
 * @param everyNode what the controller does with policy Cluster although nodes are asked for, in one clause
 */
export function answerByPolicy(
  draft: PlanDraft,
  request: LoadBalancerRequest,
  policy: TrafficPolicy | undefined,
  everyNode: string,
): void {
  answerNodesByPolicy(draft, request, policy, everyNode);
  answerClientByPolicy(draft, request, policy);
}

function answerNodesByPolicy(
  draft: PlanDraft,
  { backendNodes }: LoadBalancerRequest,
  policy: TrafficPolicy | undefined,
  everyNode: string,
): void {
  if (backendNodes && policy === TrafficPolicy.CLUSTER) {
    draft.refuse(LoadBalancerWish.BACKEND_NODES, {
      what: `with externalTrafficPolicy Cluster ${everyNode}, not only those of '${backendNodes.name}'`,
      remedy: 'pin the pods with NodePool.pin, and leave trafficPolicy out or set it to LOCAL',
      value: backendNodes.name,
    });
  } else if (backendNodes) {
    draft.honour(LoadBalancerWish.BACKEND_NODES, 'nodes that run a pod, by externalTrafficPolicy Local');
  }
}

function answerClientByPolicy(
  draft: PlanDraft,
  { backendNodes, clientAddress }: LoadBalancerRequest,
  policy: TrafficPolicy | undefined,
): void {
  const wish = LoadBalancerWish.CLIENT_ADDRESS;
  if (clientAddress === ClientAddress.PRESERVE && policy === TrafficPolicy.CLUSTER) {
    draft.refuse(wish, {
      what: 'with externalTrafficPolicy Cluster nodes replace the client address by their own',
      remedy: 'leave trafficPolicy out, or set it to LOCAL',
      value: TrafficPolicy.CLUSTER,
    });
  } else if (clientAddress === ClientAddress.REPLACE && policy === TrafficPolicy.LOCAL) {
    draft.refuse(wish, {
      what: `with externalTrafficPolicy Local${backendNodes ? ', which backendNodes needs,' : ''} the pod sees the client address`,
      remedy: 'leave clientAddress out, or let any node be a backend with trafficPolicy CLUSTER',
      value: TrafficPolicy.LOCAL,
    });
  } else if (clientAddress) {
    draft.honour(wish, `externalTrafficPolicy ${policy}`);
  }
}

/**
 * The client address behind a proxy, which replaces it unless it sends it in a header of the PROXY protocol. Its controller names
 * `POD_MUST_SPEAK_PROXY_PROTOCOL` among its reports.
 *
 * @param entry the annotation that turns the header on
 * @param instead what to do without a header, in one clause
 */
export function answerClientByProxy(
  draft: PlanDraft,
  { clientAddress, proxyProtocol }: LoadBalancerRequest,
  entry: Annotation<boolean>,
  instead = 'leave clientAddress out',
): void {
  const wish = LoadBalancerWish.CLIENT_ADDRESS;
  if (clientAddress === ClientAddress.REPLACE) {
    draft.honour(wish, 'the pod sees the balancer');
  } else if (clientAddress && proxyProtocol === false) {
    draft.refuse(wish, {
      what: 'the client address survives by proxy protocol only, which the request switches off',
      remedy: `leave proxyProtocol out, or ${instead}`,
      value: 'proxyProtocol: false',
    });
  } else if (clientAddress) {
    draft.annotate(wish, entry, true);
    draft.warn(wish, POD_MUST_SPEAK_PROXY_PROTOCOL, {
      what: 'the client address is kept by proxy protocol, which every pod behind this Service must understand',
      remedy: `switch it on in the pods, or ${instead}`,
    });
  }
}

import { ClientAddress } from '../contract/client-address';
import type { LoadBalancerRequest } from '../contract/load-balancer-request';
import { LoadBalancerWish } from '../contract/load-balancer-wish';
import type { PlanDraft } from '../contract/plan-draft';
import { TrafficPolicy } from '../contract/traffic-policy';
import { GKE } from './gke.annotations';

/** The traffic policy, which on GKE is the means to three ends. */
export function answerByPolicy(draft: PlanDraft, request: LoadBalancerRequest): TrafficPolicy | undefined {
  const { trafficPolicy, clientAddress, backendNodes } = request;
  if (trafficPolicy) {
    draft.honour(LoadBalancerWish.TRAFFIC_POLICY, `externalTrafficPolicy ${trafficPolicy}`);
  }
  const needsLocal = backendNodes !== undefined || clientAddress === ClientAddress.PRESERVE;
  const replaces = clientAddress === ClientAddress.REPLACE ? TrafficPolicy.CLUSTER : undefined;
  const weighs = draft.has(GKE.weightedLoadBalancing) ? TrafficPolicy.LOCAL : undefined;
  const policy = trafficPolicy ?? (needsLocal ? TrafficPolicy.LOCAL : (replaces ?? weighs));

  if (backendNodes && policy === TrafficPolicy.CLUSTER) {
    draft.refuse(LoadBalancerWish.BACKEND_NODES, {
      what: `with externalTrafficPolicy Cluster GKE takes nodes of any pool, not those of '${backendNodes.name}'`,
      wayOut: 'leave trafficPolicy out, or set it to LOCAL, and pin the pods',
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
      wayOut: 'leave clientAddress out, or let any node be a backend with trafficPolicy CLUSTER',
      value: TrafficPolicy.LOCAL,
    });
  } else if (clientAddress) {
    draft.honour(wish, `externalTrafficPolicy ${policy}`);
  }
  return policy;
}

/** What nobody can choose. */
export function answerWhatGkeFixes(draft: PlanDraft, request: LoadBalancerRequest): void {
  if (request.proxyProtocol === false) {
    draft.honour(LoadBalancerWish.PROXY_PROTOCOL, 'there is none');
  } else if (request.proxyProtocol) {
    draft.refuse(LoadBalancerWish.PROXY_PROTOCOL, {
      what: 'passthrough balancers have no proxy protocol',
      wayOut: 'wish for clientAddress PRESERVE instead',
      value: 'true',
    });
  }
  if (request.healthCheck) {
    draft.refuse(LoadBalancerWish.HEALTH_CHECK, {
      what: 'the health check is fixed by GKE, at /healthz of the nodes',
      wayOut: 'leave it out',
      value: request.healthCheck.protocol,
    });
  }
}

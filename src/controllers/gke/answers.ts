import { ClientAddress } from '../../contract/client-address';
import type { LoadBalancerRequest } from '../../contract/load-balancer-request';
import { LoadBalancerWish } from '../../contract/load-balancer-wish';
import type { PlanDraft } from '../../contract/plan-draft';
import { TrafficPolicy } from '../../contract/traffic-policy';
import { answerLocal } from '../shared/answers';
import { GKE } from './annotations';

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

  answerLocal(draft, request, policy, 'GKE takes nodes of any pool');
  return policy;
}

/** What nobody can choose. */
export function answerWhatGkeFixes(draft: PlanDraft, request: LoadBalancerRequest): void {
  if (request.proxyProtocol === false) {
    draft.honour(LoadBalancerWish.PROXY_PROTOCOL, 'there is none');
  } else if (request.proxyProtocol) {
    draft.refuse(LoadBalancerWish.PROXY_PROTOCOL, {
      what: 'passthrough balancers have no proxy protocol',
      remedy: 'wish for clientAddress PRESERVE instead',
      value: 'true',
    });
  }
  if (request.healthCheck) {
    draft.refuse(LoadBalancerWish.HEALTH_CHECK, {
      what: 'the health check is fixed by GKE, at /healthz of the nodes',
      remedy: 'leave it out',
      value: request.healthCheck.protocol,
    });
  }
}

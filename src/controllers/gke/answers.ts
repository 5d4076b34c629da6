import type { LoadBalancerRequest } from '../../contract/load-balancer-request';
import { ClientAddress, LoadBalancerWish, TrafficPolicy } from '../../contract/options';
import type { PlanDraft } from '../../contract/plan-draft';
import { answerByPolicy, honourTrafficPolicy, refuseProxyProtocol } from '../shared/answers';
import { rollsByLocal } from '../shared/rollout';
import { GKE } from './annotations';

/** The traffic policy, which on GKE is the means to three ends. */
export function answerTrafficPolicy(draft: PlanDraft, request: LoadBalancerRequest): TrafficPolicy | undefined {
  const { trafficPolicy, clientAddress, backendNodes } = request;
  honourTrafficPolicy(draft, request);
  const needsLocal = backendNodes !== undefined || clientAddress === ClientAddress.PRESERVE || rollsByLocal(request);
  const replaces = clientAddress === ClientAddress.REPLACE ? TrafficPolicy.CLUSTER : undefined;
  const weighs = draft.has(GKE.weightedLoadBalancing) ? TrafficPolicy.LOCAL : undefined;
  const policy = trafficPolicy ?? (needsLocal ? TrafficPolicy.LOCAL : (replaces ?? weighs));

  answerByPolicy(draft, request, policy, 'GKE takes nodes of any pool');
  return policy;
}

/** What GKE fixes. */
export function answerWhatGkeFixes(draft: PlanDraft, request: LoadBalancerRequest): void {
  refuseProxyProtocol(
    draft,
    request,
    'passthrough balancers have no proxy protocol',
    'ask for clientAddress PRESERVE instead',
  );
  if (request.healthCheck) {
    draft.refuse(LoadBalancerWish.HEALTH_CHECK, {
      what: 'the health check is fixed by GKE, at /healthz of the nodes',
      remedy: 'leave it out',
      value: request.healthCheck.protocol,
    });
  }
}

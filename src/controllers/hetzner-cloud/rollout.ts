import { HealthCheckProtocol } from '../../contract/health-check';
import type { LoadBalancerRequest } from '../../contract/load-balancer-request';
import { LoadBalancerWish } from '../../contract/load-balancer-wish';
import type { PlanDraft } from '../../contract/plan-draft';
import type { RolloutPlan } from '../../contract/rollout-plan';
import { TrafficPolicy } from '../../contract/traffic-policy';
import { HEALTH_CHECK_NODE_PORT_PATH } from '../shared/made.facts';
import { answerRollout } from '../shared/rollout';
import { HCLOUD } from './annotations';
import { madeByHcloud } from './made';

/**
 * The controller never asks the health check node port by itself: with policy Local it is told to, which takes a port that is known
 * when the Service is written. With policy Cluster any node passes the check while there is a pod anywhere.
 */
export function answerRolloutByHcloud(
  draft: PlanDraft,
  request: LoadBalancerRequest,
  policy: TrafficPolicy | undefined,
): RolloutPlan | undefined {
  const wish = LoadBalancerWish.ROLLOUT;
  const port = request.rollout?.healthCheckNodePort;
  if (request.rollout && policy === TrafficPolicy.CLUSTER) {
    draft.refuse(wish, {
      what: 'with externalTrafficPolicy Cluster its health check learns nothing of pods: a node that is drained passes it until it is gone',
      remedy: 'leave trafficPolicy out, or set it to LOCAL, and set rollout.healthCheckNodePort',
      value: policy,
    });
    return undefined;
  }
  if (request.rollout && port === undefined) {
    draft.refuse(wish, {
      what: 'its health check asks the node port, which a pod in termination answers until it is gone',
      remedy:
        'set rollout.healthCheckNodePort to a node port that is free, such as 32100: the check asks kube-proxy there',
    });
    return undefined;
  }
  if (port !== undefined) {
    const { protocol, port: own, path } = request.healthCheck ?? {};
    if (protocol === undefined) draft.annotate(wish, HCLOUD.healthCheckProtocol, HealthCheckProtocol.HTTP);
    if (own === undefined) draft.annotate(wish, HCLOUD.healthCheckPort, port);
    if (path === undefined) draft.annotate(wish, HCLOUD.healthCheckHttpPath, HEALTH_CHECK_NODE_PORT_PATH);
  }
  return answerRollout(draft, request, policy, madeByHcloud);
}

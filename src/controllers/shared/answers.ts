import { ClientAddress } from '../../contract/client-address';
import type { LoadBalancerRequest } from '../../contract/load-balancer-request';
import { LoadBalancerWish } from '../../contract/load-balancer-wish';
import type { PlanDraft } from '../../contract/plan-draft';
import { TrafficPolicy } from '../../contract/traffic-policy';

/**
 * Answers for backend nodes and the client's address where nothing but the traffic policy decides both: with Local,
 * traffic goes to nodes that run a pod, and the pod sees the client.
 *
 * @param policy what the policy is, wished for or implied
 * @param everyNode what the owner does with policy Cluster although nodes are wished for, in one clause
 */
export function answerLocal(
  draft: PlanDraft,
  { backendNodes, clientAddress }: LoadBalancerRequest,
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

import type { LoadBalancerFinding } from '../../contract/load-balancer-finding';
import type { LoadBalancerPlan } from '../../contract/load-balancer-plan';
import type { LoadBalancerRequest } from '../../contract/load-balancer-request';
import { LoadBalancerWish } from '../../contract/load-balancer-wish';
import { NodeRestriction } from '../../contract/node-restriction';
import type { IKafkaCluster } from '../cluster/i-kafka-cluster';
import { type NodePoolDocument, nodePoolsOf } from '../operator/node-pool-ids';

/** Restrictions that reach the Services of the operator by their annotations and labels. */
const RESTRICTED_BY_SERVICE: readonly unknown[] = [NodeRestriction.ON_SERVICE, NodeRestriction.ON_SIDE_OBJECT];

/** What is wrong between the nodes of the backend and those of the brokers. */
export function nodeFaults(
  cluster: IKafkaCluster,
  plan: LoadBalancerPlan,
  { backendNodes }: LoadBalancerRequest,
): LoadBalancerFinding[] {
  if (!backendNodes || (plan.problems ?? []).length > 0) {
    return [];
  }
  const brokers = nodePoolsOf(cluster).filter(({ isBroker }) => isBroker);
  const elsewhere = brokers.filter(({ pinnedTo }) => pinnedTo && !pinnedTo.sameAs(backendNodes));
  if (elsewhere.length > 0) {
    return [
      {
        ruleId: 'listener-nodes-elsewhere',
        who: plan.owner,
        what: `the backend is kept on node pool '${backendNodes.name}', and ${elsewhere.map(pinned).join(', ')}`,
        wayOut: 'pass one object as nodePool to the KafkaNodePool and as backendNodes to the listener',
        value: backendNodes.name,
        wish: LoadBalancerWish.BACKEND_NODES,
      },
    ];
  }
  const isPlaced = brokers.length > 0 && brokers.every(({ pinnedTo }) => pinnedTo !== undefined);
  return RESTRICTED_BY_SERVICE.includes(plan.nodeRestriction) || isPlaced ? [] : [unplaced(backendNodes.name)];
}

function pinned({ name, pinnedTo }: NodePoolDocument): string {
  return `KafkaNodePool ${name} is pinned to '${pinnedTo?.name}'`;
}

function unplaced(pool: string): LoadBalancerFinding {
  return {
    ruleId: 'listener-cannot-carry',
    who: 'strimzi',
    what: `it keeps the backend on node pool '${pool}' by the placement of the pods alone, and a listener does not place them`,
    wayOut:
      'pin the brokers by nodePool of each KafkaNodePool, or leave backendNodes out and pin them by template.pod.affinity',
    value: pool,
    wish: LoadBalancerWish.BACKEND_NODES,
  };
}

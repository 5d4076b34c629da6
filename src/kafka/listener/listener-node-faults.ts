import type { Finding } from '../../contract/finding';
import { isMap, isSet, type Json } from '../../contract/json';
import type { LoadBalancerFinding } from '../../contract/load-balancer-finding';
import type { LoadBalancerPlan } from '../../contract/load-balancer-plan';
import type { LoadBalancerRequest } from '../../contract/load-balancer-request';
import { LoadBalancerWish } from '../../contract/load-balancer-wish';
import type { NodePool } from '../../contract/node-pool';
import { NodeRestriction } from '../../contract/node-restriction';
import { type DescribedRule, findingOf } from '../../contract/rule';
import { TrafficPolicy } from '../../contract/traffic-policy';
import { lookAt } from '../../rules/judge-object';
import type { RuleContext } from '../../rules/rule-context';
import { at } from '../document/kafka-json';
import type { IKafkaCluster } from '../operator/i-kafka-cluster';
import { type NodePoolDocument, nodePoolsOf } from '../operator/node-pool-ids';
import { LISTENER_CANNOT_CARRY } from '../operator/operator-services-claims';
import { SELECTOR_LABELS } from '../strimzi/operator-services.facts';

/** Restrictions that reach the Services of the operator by their annotations and labels. */
const RESTRICTED_BY_SERVICE: readonly unknown[] = [NodeRestriction.ON_SERVICE, NodeRestriction.ON_SIDE_OBJECT];

const POD_TEMPLATE = 'template.pod';

export const LISTENER_NODES_ELSEWHERE: DescribedRule = {
  id: 'listener-nodes-elsewhere',
  severity: 'error',
  says: 'brokers are pinned to the node pool on which their balancers look for them',
  source: 'ours',
};

export const LISTENER_NODES_UNPINNED: DescribedRule = {
  id: 'listener-nodes-unpinned',
  severity: 'warning',
  says: 'brokers are pinned to the node pool of backends with policy Local',
  source: 'ours',
};

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
      ofBackend(LISTENER_NODES_ELSEWHERE, plan.owner, {
        what: `the backend is kept on node pool '${backendNodes.name}', and ${elsewhere.map(pinned).join(', ')}`,
        remedy: 'pass one object as nodePool to the KafkaNodePool and as backendNodes to the listener',
        value: backendNodes.name,
      }),
    ];
  }
  const isPlaced = brokers.length > 0 && brokers.every(({ pinnedTo }) => pinnedTo !== undefined);
  return isRestricted(plan) || isPlaced ? [] : [unplaced(backendNodes.name)];
}

/**
 * What surprises between the nodes of the backend and those of the brokers: the Service of a broker has one pod, which no
 * balancer reaches on any other node where only nodes with a pod answer.
 */
export function nodeWarnings(
  cluster: IKafkaCluster,
  plan: LoadBalancerPlan,
  { backendNodes }: LoadBalancerRequest,
  kafka: Json,
): LoadBalancerFinding[] {
  const isLocal = plan.externalTrafficPolicy === TrafficPolicy.LOCAL;
  if (!backendNodes || !isLocal || (plan.problems ?? []).length > 0 || !isRestricted(plan)) {
    return [];
  }
  const loose = nodePoolsOf(cluster).filter((pool) => pool.isBroker && !pool.pinnedTo && !choosesNodes(pool, kafka));
  return loose.length === 0
    ? []
    : [
        ofBackend(LISTENER_NODES_UNPINNED, plan.owner, {
          what: `the backend is kept on node pool '${backendNodes.name}' with policy Local, and the pods of KafkaNodePool ${loose.map(({ name }) => name).join(', ')} may run elsewhere, where they cannot be reached`,
          remedy: 'pass the same object as nodePool to the KafkaNodePool, or pin the brokers by template.pod.affinity',
          value: backendNodes.name,
        }),
      ];
}

/** Whether a template says on which nodes the pods of a pool run. */
function choosesNodes(pool: NodePoolDocument, kafka: Json): boolean {
  return isSet(at(podsOf(pool, kafka), 'affinity.nodeAffinity'));
}

/** What templates say of the pods of a pool: that of the pool replaces the one of the Kafka resource. */
function podsOf({ object }: NodePoolDocument, kafka: Json): Json {
  const given = at(lookAt(object), `spec.${POD_TEMPLATE}`) ?? at(kafka, `spec.kafka.${POD_TEMPLATE}`);
  return isMap(given) ? given : {};
}

/** What is known of the nodes behind a Service of a listener: bootstrap leads to the brokers of every pool. */
export function placedBy(
  pools: readonly NodePoolDocument[],
  kafka: Json,
  service: Json,
  backendNodes: NodePool | undefined,
): Pick<RuleContext, 'pods' | 'nodePool'> {
  const name: unknown = service.spec.selector[SELECTOR_LABELS.pool];
  const behind = name === undefined ? pools : pools.filter((pool) => pool.name === name);
  return {
    // pools that are pinned elsewhere have a finding of their own
    pods: behind
      .filter(({ pinnedTo }) => !backendNodes || !pinnedTo || pinnedTo.sameAs(backendNodes))
      .map((pool) => podsOf(pool, kafka)),
    nodePool: backendNodes ?? behind.find(({ pinnedTo }) => pinnedTo)?.pinnedTo,
  };
}

function isRestricted({ nodeRestriction }: LoadBalancerPlan): boolean {
  return RESTRICTED_BY_SERVICE.includes(nodeRestriction);
}

function pinned({ name, pinnedTo }: NodePoolDocument): string {
  return `KafkaNodePool ${name} is pinned to '${pinnedTo?.name}'`;
}

function unplaced(pool: string): LoadBalancerFinding {
  return ofBackend(LISTENER_CANNOT_CARRY, 'strimzi', {
    what: `the backend is kept on node pool '${pool}' by the placement of the pods alone, and a listener does not place them`,
    remedy:
      'pin the brokers by nodePool of each KafkaNodePool, or leave backendNodes out and pin them by template.pod.affinity',
    value: pool,
  });
}

function ofBackend(rule: DescribedRule, who: string, finding: Finding): LoadBalancerFinding {
  return { ...findingOf(rule, finding, who), wish: LoadBalancerWish.BACKEND_NODES };
}

import type { ApiObject } from 'cdk8s';
import type { Json } from '../contract/late-rendering';
import type { KafkaBrokerPool, KafkaManifestProps } from './kafka-cluster';
import { isNodeId, type NodePoolDocument } from './node-pool-ids';
import { NEXT_NODE_IDS_ANNOTATION, NODES_WITHOUT_POOL, POOLS_ONLY_SINCE } from './operator-services.facts';
import { StrimziVersion } from './strimzi-version';

/** The brokers of a cluster, each with the name of its pool: as somebody says, or as the manifests tell. */
export function poolsOfBrokers(
  kafka: ApiObject,
  documents: readonly NodePoolDocument[],
  { strimzi, brokerIds, nodePools }: KafkaManifestProps,
): Map<number, string> {
  const fail = failing(kafka);
  if (brokerIds && nodePools) {
    return fail('brokerIds and nodePools are both given', 'keep one');
  }
  if (nodePools) {
    return checked(nodePools, fail);
  }
  const pools = documents.filter(({ isBroker }) => isBroker);
  if (brokerIds) {
    return checked(grouped(brokerIds, poolFinder(kafka, pools, strimzi, fail)), fail);
  }
  if (documents.length > 0) {
    return checked(
      pools.map((pool) => ({ name: pool.name, brokerIds: idsOf(pool, fail) })),
      fail,
    );
  }
  const replicas = replicasOf(kafka, strimzi);
  if (replicas === undefined) {
    return fail(
      'the ids of its brokers are unknown: there is no KafkaNodePool of it in the same construct',
      'pass the construct that holds them as well, or say nodePools',
    );
  }
  return checked([{ name: NODES_WITHOUT_POOL, brokerIds: Array.from({ length: replicas }, (_, id) => id) }], fail);
}

/** Tells what is wrong with a cluster, and the way out. */
type Fail = (what: string, wayOut: string) => never;

function failing(kafka: ApiObject): Fail {
  return (what, wayOut) => {
    throw new Error(`${kafka.node.path}: Kafka ${kafka.name}: ${what}; ${wayOut}`);
  };
}

function checked(pools: readonly KafkaBrokerPool[], fail: Fail): Map<number, string> {
  const found = new Map<number, string>();
  for (const { name, brokerIds } of pools) {
    for (const id of brokerIds) {
      if (!isNodeId(id)) {
        return fail(`'${id}' is no id of a broker`, 'write whole numbers from 0');
      }
      const other = found.get(id);
      if (other !== undefined) {
        return fail(
          other === name ? `broker ${id} stands twice` : `broker ${id} stands in node pool '${other}' and in '${name}'`,
          'give every broker an id of its own',
        );
      }
      found.set(id, name);
    }
  }
  return found.size > 0 ? found : fail('it has no brokers', 'say brokerIds or nodePools');
}

function idsOf(pool: NodePoolDocument, fail: Fail): number[] {
  return pool.ids
    ? [...pool.ids]
    : fail(
        `the ids of node pool '${pool.name}' are unknown: the operator hands out whichever is free`,
        `give it the annotation ${NEXT_NODE_IDS_ANNOTATION} with an id for every replica, or say brokerIds`,
      );
}

/** In which pool a broker is whose id somebody says. */
function poolFinder(
  kafka: ApiObject,
  pools: readonly NodePoolDocument[],
  strimzi: StrimziVersion,
  fail: Fail,
): (id: number) => string {
  const alone = pools.length === 0 && replicasOf(kafka, strimzi) !== undefined ? NODES_WITHOUT_POOL : pools[0]?.name;
  return (id) => {
    const name = pools.length > 1 ? pools.find(({ range }) => range.includes(id))?.name : alone;
    return (
      name ??
      fail(
        `nobody tells the node pool of broker ${id}, and the names of Services begin with it`,
        'say nodePools, each with its name and the ids of its brokers',
      )
    );
  };
}

function grouped(ids: readonly number[], poolOf: (id: number) => string): KafkaBrokerPool[] {
  return ids.map((id) => ({ name: isNodeId(id) ? poolOf(id) : '', brokerIds: [id] }));
}

/** How many brokers a cluster without node pools has; nothing where its operator knows clusters with pools only. */
function replicasOf(kafka: ApiObject, strimzi: StrimziVersion): number | undefined {
  if (strimzi.isAtLeast(StrimziVersion.of(POOLS_ONLY_SINCE))) {
    return undefined;
  }
  const replicas = (kafka.toJson() as Json).spec?.kafka?.replicas;
  return isNodeId(replicas) ? replicas : undefined;
}

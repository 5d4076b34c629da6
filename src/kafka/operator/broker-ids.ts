import type { ApiObject } from 'cdk8s';
import { reaches } from '../../contract/compare-versions';
import { KafkaDocument } from '../document/kafka-document';
import { at, mapAt } from '../document/kafka-json';
import { KRAFT_ANNOTATIONS } from '../strimzi/kafka-cluster.facts';
import { NEXT_NODE_IDS_ANNOTATION, NODES_WITHOUT_POOL, POOLS_ONLY_SINCE } from '../strimzi/operator-services.facts';
import type { StrimziVersion } from '../strimzi/strimzi-version';
import type { KafkaBrokerPool, KafkaManifestProps } from './kafka-manifest-props';
import { isNodeId, type LeftOutPool, MOST_IDS, type NodePoolDocument, type NodePoolsFound } from './node-pool-ids';

const [, NODE_POOLS_ANNOTATION] = KRAFT_ANNOTATIONS;

/** The brokers of a cluster, each with the name of its pool: as they are set, or as in the manifests. */
export function poolsOfBrokers(
  kafka: ApiObject,
  documents: NodePoolsFound,
  { strimzi, brokerIds, nodePools }: KafkaManifestProps,
): Map<number, string> {
  const fail = failing(kafka);
  if (brokerIds && nodePools) {
    return fail('brokerIds and nodePools are both given', 'keep one');
  }
  if (nodePools) {
    return checked(nodePools, fail);
  }
  const read = readsPools(kafka, strimzi);
  const { doubtful, leftOut } = documents;
  if (read && doubtful.length > 0) {
    return fail(
      `it is not known whether these node pools are its own: ${leftOutText(doubtful)}`,
      'write the same namespace in all of them or in none, or set nodePools',
    );
  }
  const pools = read ? documents.pools.filter(({ isBroker }) => isBroker) : [];
  if (brokerIds) {
    const found = checked(grouped(brokerIds, read ? poolFinder(pools, fail) : () => NODES_WITHOUT_POOL), fail);
    compare(found, pools, fail);
    return found;
  }
  if (read && documents.pools.length > 0) {
    return checked(
      pools.map((pool) => ({ name: pool.name, brokerIds: idsOf(pool, fail) })),
      fail,
    );
  }
  if (read) {
    const others = leftOut().length === 0 ? '' : `, but there is ${leftOutText(leftOut())}`;
    return fail(
      `the ids of its brokers are unknown: there is no KafkaNodePool of it in the same construct${others}`,
      'pass the construct that holds them as well, or set nodePools',
    );
  }
  const replicas = at(KafkaDocument.of(kafka).raw(), 'spec.kafka.replicas');
  if (!isNodeId(replicas)) {
    return fail(
      `annotation ${NODE_POOLS_ANNOTATION} is not 'enabled', without which Strimzi ${strimzi.version} ignores node pools, and spec.kafka.replicas is no number`,
      `write ${NODE_POOLS_ANNOTATION}: enabled, or replicas`,
    );
  }
  if (replicas > MOST_IDS) {
    return fail(`spec.kafka.replicas is ${replicas}, more than any cluster has`, `write at most ${MOST_IDS}`);
  }
  return checked([{ name: NODES_WITHOUT_POOL, brokerIds: Array.from({ length: replicas }, (_, id) => id) }], fail);
}

/** Node pools that are not counted, each with the reason; the first ones where there are many. */
function leftOutText(leftOut: readonly LeftOutPool[]): string {
  const all = leftOut.slice(0, MOST_TOLD).map(({ name, why }) => `'${name}', ${why}`);
  return [...all, ...(leftOut.length > MOST_TOLD ? [`and ${leftOut.length - MOST_TOLD} more`] : [])].join('; ');
}

const MOST_TOLD = 5;

/** Reports what is wrong with a cluster, and the remedy. */
type Fail = (what: string, remedy: string) => never;

function failing(kafka: ApiObject): Fail {
  return (what, remedy) => {
    throw new Error(`${kafka.node.path}: Kafka ${kafka.name}: ${what}; ${remedy}`);
  };
}

function checked(pools: readonly KafkaBrokerPool[], fail: Fail): Map<number, string> {
  const found = new Map<number, string>();
  for (const { name, brokerIds } of pools) {
    for (const id of brokerIds) {
      if (!isNodeId(id)) {
        return fail(`'${id}' is not a broker id`, 'write whole numbers from 0');
      }
      const other = found.get(id);
      if (other !== undefined) {
        return fail(
          other === name ? `broker ${id} is listed twice` : `broker ${id} is in node pool '${other}' and in '${name}'`,
          'give every broker an id of its own',
        );
      }
      found.set(id, name);
    }
  }
  return found.size > 0 ? found : fail('it has no brokers', 'set brokerIds or nodePools');
}

function idsOf(pool: NodePoolDocument, fail: Fail): number[] {
  return pool.ids
    ? [...pool.ids]
    : fail(
        `the ids of node pool '${pool.name}' are unknown: ${pool.unknown}`,
        `give it the annotation ${NEXT_NODE_IDS_ANNOTATION}: '[0-99]', with an id for every replica that no other pool gets, or set brokerIds: [0, 1, 2]; the ids of a live pool are in its status.nodeIds`,
      );
}

/** In which pool a broker is whose id is set. */
function poolFinder(pools: readonly NodePoolDocument[], fail: Fail): (id: number) => string {
  return (id) => {
    const name = (pools.length > 1 ? pools.find(({ range }) => range.includes(id)) : pools[0])?.name;
    return (
      name ??
      fail(
        `the node pool of broker ${id} is not known, and the names of Services begin with it`,
        'set nodePools, each with its name and the ids of its brokers',
      )
    );
  };
}

/** Brokers as they are set are those that their pools have, where these are known. */
function compare(found: ReadonlyMap<number, string>, pools: readonly NodePoolDocument[], fail: Fail): void {
  for (const { name, ids, size } of pools) {
    const given = [...found].filter(([, pool]) => pool === name).map(([id]) => id);
    // a pool that loses nodes may be meant as it lives, or as it will be
    if (ids && size !== undefined && sorted(given) !== sorted(ids)) {
      fail(
        `brokerIds has ${sorted([...found.keys()])}, and node pool '${name}' has the brokers ${sorted(ids)}`,
        'correct the one that is wrong, or set nodePools where its brokers live already and have other ids',
      );
    }
    if (size !== undefined && given.length !== size) {
      fail(
        `brokerIds has ${given.length === 0 ? 'no broker' : `the brokers ${sorted(given)}`} of node pool '${name}', and its spec.replicas is ${size}`,
        `list the ids of all ${size}, or correct replicas`,
      );
    }
  }
}

function sorted(ids: readonly number[]): string {
  return [...ids].sort((one, other) => one - other).join(', ');
}

function grouped(ids: readonly number[], poolOf: (id: number) => string): KafkaBrokerPool[] {
  return ids.map((id) => ({ name: isNodeId(id) ? poolOf(id) : '', brokerIds: [id] }));
}

/**
 * Whether the operator reads node pools: below 0.46 only of a cluster that says so, and its nodes are `replicas` otherwise.
 * strimzi/strimzi-kafka-operator 0.45.0: cluster-operator/src/main/java/io/strimzi/operator/cluster/operator/assembly/ReconcilerUtils.java
 */
function readsPools(kafka: ApiObject, strimzi: StrimziVersion): boolean {
  if (reaches(strimzi, POOLS_ONLY_SINCE)) {
    return true;
  }
  const annotation = mapAt(KafkaDocument.of(kafka).raw(), 'metadata.annotations')[NODE_POOLS_ANNOTATION];
  return String(annotation).toLowerCase() === 'enabled';
}

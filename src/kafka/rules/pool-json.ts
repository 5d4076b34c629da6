import { reaches } from '../../contract/compare-versions';
import { isMap, type Json } from '../../contract/json';
import type { NodePool } from '../../contract/node-pool';
import type { CountedPool } from '../document/counted-pool';
import { at, integerAt, listAt, mapAt, textAt } from '../document/kafka-json';
import { isNodeId, nodeIdsIn } from '../operator/node-pool-ids';
import { KRAFT_ANNOTATIONS } from '../strimzi/kafka-config.facts';
import { NEXT_NODE_IDS_ANNOTATION, POOLS_ONLY_SINCE } from '../strimzi/operator-services.facts';
import type { StrimziVersion } from '../strimzi/strimzi-version';

// How the rules look at a finished KafkaNodePool document. Third-party manifests may hold anything: these never throw.

/** The name, or nothing. */
export function poolName(pool: Json): string | undefined {
  return textAt(pool, 'metadata.name');
}

/** How many nodes it has; none where that is not a number. */
export function replicasOf(pool: Json): number {
  return Math.max(0, integerAt(pool, 'spec.replicas') ?? 0);
}

/** Whether its nodes have a role. */
export function hasRole(pool: Json, role: string): boolean {
  return listAt(pool, 'spec.roles').includes(role);
}

/** The ids that its new nodes take first, or nothing where there are none that the operator can read. */
export function nextIdsOf(pool: Json): number[] | undefined {
  return nodeIdsIn(mapAt(pool, 'metadata.annotations')[NEXT_NODE_IDS_ANNOTATION]);
}

/** The ids that its nodes have already. */
export function presentIdsOf(pool: Json): number[] {
  return listAt(pool, 'status.nodeIds').filter(isNodeId);
}

/** How messages call a node pool. */
export function poolTitle(pool: Json): string {
  const name = poolName(pool);
  return name === undefined ? 'a node pool without a name' : `node pool '${name}'`;
}

/** The node pools with a role, and how many nodes they have together. */
export function withRole(pools: readonly Json[], role: string): { readonly pools: Json[]; readonly nodes: number } {
  const found = pools.filter((pool) => hasRole(pool, role) && replicasOf(pool) > 0);
  return { pools: found, nodes: found.reduce((sum, pool) => sum + replicasOf(pool), 0) };
}

/** What its pods have of a template: older operators take nothing from their Kafka where the pool has a template. */
export function podSpecOf(pool: Json, kafka: Json | undefined): Json {
  return mapAt(at(pool, 'spec.template') ?? at(kafka, 'spec.kafka.template'), 'pod');
}

/** The templates that hold something, by their names. */
export function templatesOf(pool: Json): [name: string, template: Json][] {
  return Object.entries(mapAt(pool, 'spec.template')).filter(([, template]) => isMap(template));
}

/** What is known beside a KafkaNodePool document. */
export interface NodePoolContext {
  /** The operator that will read it. */
  readonly strimzi: StrimziVersion;
  /** What its props decide, where it has some. */
  readonly props?: CountedPool;
  /** The nodes of Kubernetes to which its pods are pinned by a prop. */
  readonly pinnedTo?: NodePool;
}

/** A Kafka resource beside another one. */
export interface KafkaNeighbour {
  readonly name: string;
  readonly path: string;
  /** Whether it is in another chart. */
  readonly isElsewhere: boolean;
}

/** What is known beside a Kafka document. */
export interface ClusterContext {
  /** The operator that will read it. */
  readonly strimzi: StrimziVersion;
  /** Its finished KafkaNodePool documents. */
  readonly pools: readonly Json[];
  /** What its node pools had when their brokers were counted by a manifest, each in the place of its document. */
  readonly counted?: readonly (CountedPool | undefined)[];
  /** The first Kafka resource of the app that has the same name, or the same namespace. */
  readonly neighbour?: KafkaNeighbour;
  /** Set where there are no other node pools: only then they can be counted. */
  readonly hasAllPools?: true;
}

export const [KRAFT_ANNOTATION, NODE_POOLS_ANNOTATION] = KRAFT_ANNOTATIONS;

/** What an annotation of a Kafka document is, in small letters. */
export function annotationOf(kafka: Json, annotation: string): string {
  return String(mapAt(kafka, 'metadata.annotations')[annotation]).toLowerCase();
}

/** Whether the operator reads the node pools of a cluster at all. */
export function readsPools(kafka: Json, strimzi: StrimziVersion): boolean {
  return reaches(strimzi, POOLS_ONLY_SINCE) || annotationOf(kafka, NODE_POOLS_ANNOTATION) === 'enabled';
}

/** Whether a cluster runs without ZooKeeper, and so with controllers. */
export function runsKraft(kafka: Json, strimzi: StrimziVersion): boolean {
  return (
    reaches(strimzi, POOLS_ONLY_SINCE) ||
    (readsPools(kafka, strimzi) && annotationOf(kafka, KRAFT_ANNOTATION) === 'enabled')
  );
}

import { reaches } from '../../contract/compare-versions';
import type { Json } from '../../contract/json';
import type { NodePool } from '../../contract/node-pool';
import type { CountedPool } from '../document/counted-pool';
import { at, integerAt, listAt, mapAt, textAt } from '../document/kafka-json';
import { isNodeId, nodeIdsIn } from '../operator/node-pool-ids';
import { KRAFT_ANNOTATIONS } from '../strimzi/kafka-cluster.facts';
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

/** What its pods have of a template: older operators take nothing from their Kafka where the pool has a template. */
export function podSpecOf(pool: Json, kafka: Json | undefined): Json {
  return mapAt(at(pool, 'spec.template') ?? at(kafka, 'spec.kafka.template'), 'pod');
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

/** What is known beside a Kafka document. */
export interface ClusterContext {
  /** The operator that will read it. */
  readonly strimzi: StrimziVersion;
  /** Its finished KafkaNodePool documents. */
  readonly pools: readonly Json[];
  /** What its node pools had when their brokers were counted by a manifest, each in the place of its document. */
  readonly counted?: readonly (CountedPool | undefined)[];
}

export const [, NODE_POOLS_ANNOTATION] = KRAFT_ANNOTATIONS;

/** What an annotation of a Kafka document is, in small letters. */
export function annotationOf(kafka: Json, annotation: string): string {
  return String(mapAt(kafka, 'metadata.annotations')[annotation]).toLowerCase();
}

/** Whether the operator reads the node pools of a cluster at all. */
export function readsPools(kafka: Json, strimzi: StrimziVersion): boolean {
  return reaches(strimzi, POOLS_ONLY_SINCE) || annotationOf(kafka, NODE_POOLS_ANNOTATION) === 'enabled';
}

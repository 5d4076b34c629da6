import { reaches } from '../../contract/compare-versions';
import type { Json } from '../../contract/json';
import type { Finding } from '../../rules/rule';
import { KRAFT_ANNOTATIONS } from '../document/kafka-config.facts';
import { mapAt } from '../document/kafka-json';
import type { KafkaRule } from '../document/kafka-rule';
import { POOLS_ONLY_SINCE } from '../operator/operator-services.facts';
import type { StrimziVersion } from '../strimzi/strimzi-version';
import { type NodePoolContext, POOLS_MODEL } from './node-pool-rule';
import { hasRole, poolName, replicasOf } from './pool-json';

/** What is known beside a Kafka document and its KafkaNodePool documents. */
export interface ClusterContext extends NodePoolContext {
  /** Whether there are no other node pools than those that are known: only then they can be counted. */
  readonly hasAllPools?: boolean;
}

/** Judges what a Kafka document and its KafkaNodePool documents say together. */
export type ClusterRule = KafkaRule<[kafka: Json, pools: readonly Json[], context: ClusterContext]>;

type Look = ClusterRule['judge'];

/** What the operator refuses in its status, or what nobody refuses and is wrong. */
export function clusterError(id: string, says: string, judge: Look, source = POOLS_MODEL): ClusterRule {
  return { id, severity: 'error', says, source, judge };
}

/** What works and surprises. */
export function clusterWarning(id: string, says: string, judge: Look, source = POOLS_MODEL): ClusterRule {
  return { id, severity: 'warning', says, source, judge };
}

const [KRAFT_ANNOTATION, NODE_POOLS_ANNOTATION] = KRAFT_ANNOTATIONS;

function isEnabled(kafka: Json, annotation: string): boolean {
  return String(mapAt(kafka, 'metadata.annotations')[annotation]).toLowerCase() === 'enabled';
}

/** Whether the operator reads the node pools of a cluster at all. */
export function readsPools(kafka: Json, strimzi: StrimziVersion): boolean {
  return reaches(strimzi, POOLS_ONLY_SINCE) || isEnabled(kafka, NODE_POOLS_ANNOTATION);
}

/** Whether a cluster runs without ZooKeeper, and so with controllers. */
export function runsKraft(kafka: Json, strimzi: StrimziVersion): boolean {
  return reaches(strimzi, POOLS_ONLY_SINCE) || (readsPools(kafka, strimzi) && isEnabled(kafka, KRAFT_ANNOTATION));
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

/** A verdict for each two node pools of which something is to be said. */
export function forEachTwo(pools: readonly Json[], look: (one: Json, other: Json) => Finding | undefined): Finding[] {
  return pools.flatMap((one, i) =>
    pools
      .slice(i + 1)
      .map((other) => look(one, other))
      .filter((verdict): verdict is Finding => verdict !== undefined),
  );
}

import { isMap, type Json } from '../../contract/json';
import { annotationsOf } from '../../rules/service-json';
import { REMOVE_NODE_IDS_ANNOTATION } from '../strimzi/node-pool.facts';
import { NEXT_NODE_IDS_ANNOTATION } from '../strimzi/operator-services.facts';
import { idsAfter, isNodeId, MOST_IDS, nodeIdsIn } from './node-pool-ids';

/** A pool as it is written, and the ids of those of its nodes that live. */
export interface LivingPool {
  readonly pool: Json;
  readonly living: readonly number[];
}

/**
 * The ids of the nodes of all pools of a cluster once they are written: nodes that live keep theirs, of which those go that are too
 * many; new nodes get the ids of the annotation that no other node has, and then the lowest that are free.
 * strimzi/strimzi-kafka-operator 1.2.0: cluster-operator/…/model/nodepools/NodeIdAssignor.java
 *
 * @returns the ids of each pool; nothing of one whose number of nodes cannot be known
 */
export function assignedNodeIds(pools: readonly LivingPool[]): (readonly number[] | undefined)[] {
  const used = new Set(pools.flatMap(({ living }) => living));
  return pools.map(({ pool, living }) => {
    const { replicas }: Json = isMap(pool.spec) ? pool.spec : {};
    if (!isNodeId(replicas) || replicas > MOST_IDS) {
      return undefined;
    }
    const next = nodeIdsIn(annotationsOf(pool)[NEXT_NODE_IDS_ANNOTATION]) ?? [];
    const ids = idsAfter(living, living, replicas, annotationsOf(pool)[REMOVE_NODE_IDS_ANNOTATION]);
    while (ids.length < replicas) {
      const id = next.find((one) => !used.has(one)) ?? lowestBeside(used);
      used.add(id);
      ids.push(id);
    }
    return ids;
  });
}

function lowestBeside(used: ReadonlySet<number>): number {
  let id = 0;
  while (used.has(id)) {
    id += 1;
  }
  return id;
}

import { type Json, list, mapIn } from '../contract/json';
import { sameValue } from '../contract/same-value';
import { assignedNodeIds } from '../kafka/operator/assigned-node-ids';
import { idsBefore, isNodeId } from '../kafka/operator/node-pool-ids';
import { KAFKA_KIND } from '../kafka/strimzi/operator-services.facts';
import type { Manifest } from '../rules/manifest-objects';
import { clusterIn, isOfStrimzi, type NodePools, nodePoolsIn } from './kafka-clusters';
import { keyOf } from './maker-edit';

/** The nodes of Kafka clusters that live while their manifests are written anew: an annotation of a pool gives ids to new ones alone. */
export class LivingNodes {
  private readonly kafkas: ReadonlyMap<string, Json>;
  private readonly pools: NodePools<Manifest>;

  /** @param older what is applied, or what a cluster has */
  public constructor(older: readonly Manifest[]) {
    const kafkas = older.filter(({ object }) => isOfStrimzi(object, KAFKA_KIND));
    this.kafkas = new Map(kafkas.map(({ object }) => [keyOf(object), object]));
    this.pools = nodePoolsIn(older);
  }

  /**
   * The pools of a Kafka with the ids of the nodes that they will have; those that say it themselves are as they are.
   *
   * @param kafka the Kafka as it will be written
   * @param pools its pools as they will be written
   */
  public besides(kafka: Json, pools: readonly Json[]): readonly Json[] {
    const old = this.kafkas.get(keyOf(kafka));
    const before = old ? this.pools.of(old).map(({ object }) => object) : [];
    if (!old || before.length === 0 || sameValue(before, pools) || pools.some(isLive)) {
      return pools;
    }
    const living = livingIn(old, before);
    if (!living) {
      return pools;
    }
    const counted = pools.filter((pool) => living.has(nameOf(pool)) || isBroker(pool));
    const ids = assignedNodeIds(counted.map((pool) => ({ pool, living: living.get(nameOf(pool)) ?? [] })));
    return pools.map((pool) => {
      const nodeIds = ids[counted.indexOf(pool)];
      return nodeIds ? { ...pool, status: { ...mapIn(pool, 'status'), nodeIds } } : pool;
    });
  }
}

/** The ids of nodes by the names of their pools, as the older manifests show them; nothing where they do not. */
function livingIn(kafka: Json, pools: readonly Json[]): ReadonlyMap<unknown, readonly number[]> | undefined {
  try {
    const cluster = clusterIn(kafka, pools);
    return new Map(
      pools.flatMap((pool): [unknown, readonly number[]][] => {
        const ofBrokers = cluster.brokerIds.filter((id) => cluster.nodePoolOf(id) === nameOf(pool));
        const ids = isLive(pool) || !isBroker(pool) ? idsBefore(pool) : ofBrokers;
        return ids ? [[nameOf(pool), ids]] : [];
      }),
    );
  } catch {
    return undefined;
  }
}

function isLive(pool: Json): boolean {
  return list<unknown>(mapIn(pool, 'status').nodeIds).some(isNodeId);
}

function isBroker(pool: Json): boolean {
  return list<unknown>(mapIn(pool, 'spec').roles).includes('broker');
}

function nameOf({ metadata }: Json): unknown {
  return metadata?.name;
}

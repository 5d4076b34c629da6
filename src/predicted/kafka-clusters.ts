import { ApiObject, App, Chart } from 'cdk8s';
import { grouped, type Json, list, mapIn, sameValue } from '../contract/json';
import { clusterOfManifest } from '../kafka/cluster/manifest-cluster';
import type { IKafkaCluster } from '../kafka/operator/i-kafka-cluster';
import { integerAt, listAt, mapAt, textAt } from '../kafka/operator/kafka-document';
import { assignedNodeIds, idsBefore, isNodeId, MOST_IDS } from '../kafka/operator/node-pools';
import type { KafkaBrokerPool } from '../kafka/options';
import { CLUSTER_LABEL, KAFKA_KIND, KAFKA_NODE_POOL_KIND, STRIMZI_GROUP } from '../kafka/strimzi/strimzi.facts';
import { StrimziVersion } from '../kafka/strimzi/strimzi-version';
import type { Manifest } from '../rules/manifest-objects';
import { withTypedMetadata } from '../rules/service-fields';
import { keyOf } from './predicted';

/** Whether a node pool is one of a Kafka; what says no namespace may be in any. */
export function isPoolOf(pool: Json, kafka: Json): boolean {
  const [place, other] = [pool, kafka].map((object) => textAt(object, 'metadata.namespace'));
  const isNear = place === other || place === undefined || other === undefined;
  return isNear && clusterNameOf(pool) === textAt(kafka, 'metadata.name');
}

function clusterNameOf(pool: Json): unknown {
  return mapAt(pool, 'metadata.labels')[CLUSTER_LABEL];
}

export class NodePools<T> {
  private readonly byCluster: ReadonlyMap<unknown, readonly T[]>;

  public constructor(
    pools: readonly T[],
    private readonly jsonOf: (pool: T) => Json,
  ) {
    this.byCluster = grouped(pools, (pool) => clusterNameOf(jsonOf(pool)));
  }

  public of(kafka: Json): readonly T[] {
    const namesakes = this.byCluster.get(textAt(kafka, 'metadata.name')) ?? [];
    return namesakes.filter((pool) => isPoolOf(this.jsonOf(pool), kafka));
  }
}

export function nodePoolsIn(manifests: readonly Manifest[]): NodePools<Manifest> {
  const pools = manifests.filter(({ object }) => isOfStrimzi(object, KAFKA_NODE_POOL_KIND));
  return new NodePools(pools, ({ object }) => object);
}

export function isOfStrimzi({ kind, apiVersion }: Json, wanted: string): boolean {
  return kind === wanted && String(apiVersion).startsWith(`${STRIMZI_GROUP}/`);
}

/**
 * What manifests show of a cluster.
 *
 * @throws when it cannot be known how many brokers there are
 */
export function clusterIn(kafka: Json, pools: readonly Json[], strimzi = versionFor(kafka, pools)): IKafkaCluster {
  const chart = new Chart(new App(), 'list');
  const [document] = [kafka, ...pools].map(
    (object, i) => new ApiObject(chart, `${i}`, withTypedMetadata(object) as never),
  );
  const name = document.name;
  try {
    return clusterOfManifest(chart, { strimzi, name });
  } catch (error) {
    const nodePools = counted(pools);
    if (nodePools.length === 0) {
      throw error;
    }
    return clusterOfManifest(chart, { strimzi, name, nodePools });
  }
}

/** A cluster of a Kafka whose brokers are not known, with the brokers that a listener names, or else one for all of them. */
export function uncountedCluster(
  kafka: Json,
  strimzi = versionFor(kafka, []),
  brokerIds: readonly number[] = [],
): IKafkaCluster {
  const chart = new Chart(new App(), 'list');
  const { name } = new ApiObject(chart, 'kafka', withTypedMetadata(kafka) as never);
  const ids = brokerIds.filter((id) => id >= 0 && id <= MOST_IDS);
  return clusterOfManifest(chart, {
    strimzi,
    name,
    nodePools: [{ name: 'broker', brokerIds: ids.length > 0 ? ids : [0] }],
  });
}

/** The newest one that reads the manifest: of these Services it decides little. */
function versionFor(kafka: Json, pools: readonly Json[]): StrimziVersion {
  if (StrimziVersion.V1_2.servesApiVersion(String(kafka.apiVersion))) {
    return StrimziVersion.V1_2;
  }
  const isWithoutPools = pools.length === 0 && integerAt(kafka, 'spec.kafka.replicas') !== undefined;
  return isWithoutPools ? StrimziVersion.V0_45 : StrimziVersion.V0_51;
}

const FEW = 3;

export interface HugePool {
  readonly name: string;
  readonly replicas: number;
  readonly unlisted: number;
}

export function hugePoolsIn(pools: readonly Json[]): HugePool[] {
  return pools.filter(isOfBrokers).flatMap((pool) => {
    const replicas = integerAt(pool, 'spec.replicas') ?? 0;
    return replicas > MOST_IDS
      ? [{ name: textAt(pool, 'metadata.name') ?? '', replicas, unlisted: replicas - FEW }]
      : [];
  });
}

export function isOfBrokers(pool: Json): boolean {
  return listAt(pool, 'spec.roles').includes('broker');
}

export function isWithoutBrokers(pools: readonly Json[]): boolean {
  const brokers = pools.filter(isOfBrokers);
  return brokers.length > 0 && brokers.every((pool) => integerAt(pool, 'spec.replicas') === 0);
}

function counted(pools: readonly Json[]): KafkaBrokerPool[] {
  let next = 0;
  return pools
    .filter(isOfBrokers)
    .map((pool) => {
      const replicas = integerAt(pool, 'spec.replicas') ?? 0;
      const length = replicas > MOST_IDS ? FEW : replicas;
      return { name: textAt(pool, 'metadata.name') ?? '', brokerIds: Array.from({ length }, () => next++) };
    })
    .filter(({ brokerIds }) => brokerIds.length > 0);
}

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

import { ApiObject } from 'cdk8s';
import type { IConstruct } from 'constructs';
import { poolsOfBrokers } from '../operator/broker-ids';
import { nodePoolsAmong, rememberNodePools } from '../operator/node-pool-ids';
import { KAFKA_KIND } from '../operator/operator-services.facts';
import { STRIMZI_GROUP } from '../strimzi/strimzi.facts';
import type { StrimziVersion } from '../strimzi/strimzi-version';

/**
 * The brokers of one node pool.
 */
export interface KafkaBrokerPool {
  /** The name of the KafkaNodePool. */
  readonly name: string;

  /** The ids of its nodes that have the role of a broker. */
  readonly brokerIds: number[];
}

/**
 * A Kafka cluster that listeners can be added to.
 */
export interface IKafkaCluster {
  /** The name of the Kafka resource; names of pods and Services begin with it. */
  readonly clusterName: string;

  /** The namespace of the Kafka resource; unset where the manifest is applied without one. */
  readonly namespace?: string;

  /** The version of the operator that will read the manifests. */
  readonly strimzi: StrimziVersion;

  /** The ids of the nodes that have the role of a broker: each gets a Service for each listener with balancers. */
  readonly brokerIds: number[];

  /** The Kafka resource. */
  readonly kafka: ApiObject;

  /**
   * The name of the node pool that a broker belongs to, as it stands in the names of its pod and Services.
   *
   * @param brokerId one of `brokerIds`
   * @throws when there is no such broker
   */
  nodePoolOf(brokerId: number): string;
}

/**
 * What a manifest does not tell of a Kafka cluster.
 */
export interface KafkaManifestProps {
  /** The version of the operator that will read the manifest. */
  readonly strimzi: StrimziVersion;

  /**
   * The name of the Kafka resource, where the construct holds several, or to be sure.
   *
   * @default - the construct holds exactly one
   */
  readonly name?: string;

  /**
   * The namespace of the Kafka resource, where two have one name.
   *
   * @default - the name tells it
   */
  readonly namespace?: string;

  /**
   * The ids of the nodes that have the role of a broker. Not together with `nodePools`.
   *
   * @default - those of the KafkaNodePools in the same construct, where each has as many as replicas in the annotation
   * `strimzi.io/next-node-ids` or in its status; 0 to replicas - 1 where Strimzi 0.45 is not told to read the pools by
   * `strimzi.io/node-pools: enabled`
   */
  readonly brokerIds?: number[];

  /**
   * The brokers by pool, where the KafkaNodePools stand elsewhere.
   *
   * @default - the KafkaNodePools in the same construct
   */
  readonly nodePools?: KafkaBrokerPool[];
}

/**
 * A Kafka cluster that the Strimzi operator runs.
 *
 * @see https://strimzi.io/docs/operators/latest/configuring
 */
export class KafkaCluster {
  /**
   * A cluster whose Kafka resource exists as YAML.
   *
   * @param construct `Include`, `Helm`, an ApiObject or any construct that holds the Kafka resource, and best also its
   * KafkaNodePools
   * @param props what the manifest does not tell
   * @throws when the construct holds no Kafka of Strimzi, or several and nobody says which, when the ids of the brokers or
   * their pools are unknown, or when `brokerIds` contradicts the pools
   */
  public static fromManifest(construct: IConstruct, props: KafkaManifestProps): IKafkaCluster {
    const objects = construct.node.findAll().filter((child): child is ApiObject => ApiObject.isApiObject(child));
    const kafka = kafkaAmong(objects, construct.node.path, props);
    const pools = nodePoolsAmong(objects, kafka.name, kafka.metadata.namespace);
    const cluster = new ManifestCluster(kafka, props.strimzi, poolsOfBrokers(kafka, pools, props));
    rememberNodePools(cluster, pools);
    return cluster;
  }

  private constructor() {}
}

class ManifestCluster implements IKafkaCluster {
  public readonly clusterName: string;
  public readonly namespace?: string;
  public readonly brokerIds: number[];

  public constructor(
    public readonly kafka: ApiObject,
    public readonly strimzi: StrimziVersion,
    private readonly pools: ReadonlyMap<number, string>,
  ) {
    this.clusterName = kafka.name;
    this.namespace = kafka.metadata.namespace;
    this.brokerIds = [...pools.keys()].sort((one, other) => one - other);
  }

  public nodePoolOf(brokerId: number): string {
    const pool = this.pools.get(brokerId);
    if (pool === undefined) {
      const known = this.brokerIds.join(', ');
      throw new Error(`${this.kafka.node.path}: there is no broker ${brokerId}; the brokers are ${known}`);
    }
    return pool;
  }
}

function kafkaAmong(objects: readonly ApiObject[], path: string, { name, namespace }: KafkaManifestProps): ApiObject {
  const named = objects.filter(({ kind }) => kind === KAFKA_KIND);
  const all = named.filter(({ apiGroup }) => apiGroup === STRIMZI_GROUP);
  if (all.length === 0 && named.length > 0) {
    throw new Error(
      `${path}: the API version of Kafka ${named[0].name} is '${named[0].apiVersion}', which is none of Strimzi; pass a Kafka of ${STRIMZI_GROUP}`,
    );
  }
  if (all.length === 0) {
    const seen = objects.length === 0 ? 'no object at all' : `only ${kindsOf(objects)}`;
    throw new Error(`${path}: there is no Kafka, but ${seen}; pass the construct that holds the Kafka resource`);
  }
  const found = all.filter(
    (kafka) =>
      (name === undefined || kafka.name === name) &&
      (namespace === undefined || kafka.metadata.namespace === namespace),
  );
  if (found.length === 1) {
    return found[0];
  }
  const present = all.map((kafka) => [kafka.metadata.namespace, kafka.name].filter(Boolean).join('/')).join(', ');
  if (found.length === 0) {
    const wanted = [namespace, name].filter(Boolean).join('/');
    throw new Error(
      `${path}: there is no Kafka '${wanted}', but ${present}; pass the name that stands in the manifest`,
    );
  }
  throw new Error(`${path}: there are several Kafka resources: ${present}; say name, and namespace if need be`);
}

function kindsOf(objects: readonly ApiObject[]): string {
  return [...new Set(objects.map(({ kind }) => kind))].join(', ');
}

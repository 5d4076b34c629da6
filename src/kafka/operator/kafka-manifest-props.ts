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
 * What a manifest does not hold of a Kafka cluster.
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
   * @default - it follows from the name
   */
  readonly namespace?: string;

  /**
   * The ids of the nodes that have the role of a broker. Not together with `nodePools`.
   *
   * @default - those of the KafkaNodePools in the same construct, where each has as many as replicas in the annotation
   * `strimzi.io/next-node-ids` or in its status; 0 to replicas - 1 where Strimzi 0.45 is not set to read the pools by
   * `strimzi.io/node-pools: enabled`
   * @see https://github.com/strimzi/strimzi-kafka-operator/blob/1.2.0/CHANGELOG.md
   */
  readonly brokerIds?: number[];

  /**
   * The brokers by pool, where the KafkaNodePools are elsewhere.
   *
   * @default - the KafkaNodePools in the same construct
   */
  readonly nodePools?: KafkaBrokerPool[];
}

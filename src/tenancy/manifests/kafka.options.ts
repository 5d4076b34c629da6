import type { KafkaBrokerPool } from '../../kafka/options';

import type { StrimziVersion } from '../../kafka/strimzi/strimzi-version';

/**
 * What the manifests of a tenant do not hold of its Kafka clusters.
 */
export interface TenantKafkaOptions {
  /** The version of the operator that will read them. */
  readonly strimzi: StrimziVersion;

  /**
   * The brokers by pool, where the KafkaNodePools are elsewhere or do not say the ids of their nodes: each broker has a
   * Service and an address of its own. For a file with one Kafka.
   *
   * @default - those of the KafkaNodePools in the file, where each has as many as replicas in the annotation
   * `strimzi.io/next-node-ids`; 0 to replicas - 1 where Strimzi 0.45 runs a Kafka without pools
   * @see https://github.com/strimzi/strimzi-kafka-operator/blob/1.2.0/CHANGELOG.md
   */
  readonly nodePools?: KafkaBrokerPool[];
}

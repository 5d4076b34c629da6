import { reaches } from '../../contract/compare-versions';
import type { Json } from '../../contract/json';
import { REPLICATED, UNUSED_WITH_KRAFT } from '../cluster/kafka-cluster.facts';
import { POOLS_ONLY_SINCE } from '../operator/operator-services.facts';
import { surprisingInDocument } from './document-says';
import { isSaid, kafkaConfigOf } from './kafka-json';
import type { DocumentRule } from './kafka-rule';

const CHECKER = 'KafkaSpecChecker.java';

/** A whole number as Kafka reads it, or nothing. */
function numberOf(value: unknown): number | undefined {
  return /^\d+$/.test(String(value)) ? Number(value) : undefined;
}

/** How many replicas must be in sync, and how many there are, where both are said. */
function replicationIn(kafka: Json) {
  const config = kafkaConfigOf(kafka);
  return REPLICATED.map((keys) => ({
    ...keys,
    least: numberOf(config[keys.inSync]),
    all: numberOf(config[keys.replicas]),
  }));
}

/** Settings of Kafka that decide whether messages survive a broker. */
export const REPLICATION_RULES: readonly DocumentRule[] = [
  surprisingInDocument(
    'kafka-in-sync',
    'no more replicas must be in sync than there are',
    'KafkaCluster.java',
    (kafka) =>
      replicationIn(kafka)
        .filter(({ least, all }) => least !== undefined && all !== undefined && least > all)
        .map(({ inSync, replicas, least, all }) => ({
          what: `spec.kafka.config: ${inSync} is ${least} and ${replicas} is ${all}, so nothing can be written with acks=all`,
          remedy: `write fewer for ${inSync}, or more for ${replicas}`,
          value: String(least),
        })),
  ),
  surprisingInDocument(
    'kafka-in-sync-all',
    'a broker may be down without stopping producers',
    'KafkaCluster.java',
    (kafka) =>
      replicationIn(kafka)
        .filter(({ least, all }) => least !== undefined && least === all && least > 1)
        .map(({ inSync, replicas, least }) => ({
          what: `spec.kafka.config: ${inSync} and ${replicas} are both ${least}, so one broker that is down, if only for an update, stops all writes with acks=all`,
          remedy: `write ${inSync} below ${replicas}`,
          value: String(least),
        })),
  ),
  surprisingInDocument(
    'kafka-config-unused',
    'Kafka without ZooKeeper is not configured as if it had one',
    CHECKER,
    (kafka, { strimzi }) =>
      UNUSED_WITH_KRAFT.filter((key) => reaches(strimzi, POOLS_ONLY_SINCE) && isSaid(kafkaConfigOf(kafka)[key])).map(
        (key) => ({
          what: `spec.kafka.config has ${key}, which means nothing with KRaft`,
          remedy: 'remove it, and write spec.kafka.metadataVersion where a version is meant',
          value: key,
        }),
      ),
  ),
];

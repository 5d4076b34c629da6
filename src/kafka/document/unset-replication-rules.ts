import { KAFKA_INTERNAL_REPLICAS, OFFSETS_REPLICAS, REPLICATED } from '../cluster/kafka-cluster.facts';
import { surprisingInDocument } from './document-says';
import { isSaid, kafkaConfigOf } from './kafka-json';
import type { DocumentRule } from './kafka-rule';

/** What is not possible where fewer brokers than replicas are there. */
const WITHOUT_ROOM: Readonly<Record<string, string>> = {
  [OFFSETS_REPLICAS]: 'no group of consumers can commit where it is',
  [REPLICATED[1].replicas]: 'no transaction can begin',
};

/** What Kafka does with topics of which nobody says how often they are replicated. */
export const UNSET_REPLICATION_RULES: readonly DocumentRule[] = [
  surprisingInDocument(
    'kafka-replication-unset',
    'a cluster of several brokers says how often its topics are replicated',
    'KafkaSpecChecker.java',
    (kafka, { brokerIds = [] }) => {
      const { inSync, replicas } = REPLICATED[0];
      const unset = [replicas, inSync].filter((key) => !isSaid(kafkaConfigOf(kafka)[key]));
      return brokerIds.length > 1 && unset.length > 0
        ? {
            what: `spec.kafka.config does not say ${unset.join(' and ')}, which is 1 then: a topic that says nothing itself is lost with one of the ${brokerIds.length} brokers`,
            remedy: `write ${replicas}: ${Math.min(3, brokerIds.length)} and ${inSync}: ${Math.min(2, brokerIds.length - 1)}`,
            value: unset.join(', '),
          }
        : undefined;
    },
  ),
  surprisingInDocument(
    'kafka-offsets-unset',
    'offsets and transactions are replicated no more often than there are brokers',
    'KafkaSpecChecker.java',
    (kafka, { brokerIds = [] }) =>
      Object.entries(WITHOUT_ROOM)
        .filter(
          ([key]) =>
            brokerIds.length > 0 && brokerIds.length < KAFKA_INTERNAL_REPLICAS && !isSaid(kafkaConfigOf(kafka)[key]),
        )
        .map(([key, then]) => ({
          what: `spec.kafka.config does not say ${key}, which is ${KAFKA_INTERNAL_REPLICAS} then, and there are fewer brokers: ${then}`,
          remedy: `write ${key}: ${brokerIds.length}`,
          value: key,
        })),
  ),
];

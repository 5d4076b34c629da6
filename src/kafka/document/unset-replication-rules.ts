import { REPLICATED } from '../cluster/kafka-cluster.facts';
import { surprisingInDocument } from './document-says';
import { isSaid, kafkaConfigOf } from './kafka-json';
import type { DocumentRule } from './kafka-rule';

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
            wayOut: `write ${replicas}: ${Math.min(3, brokerIds.length)} and ${inSync}: ${Math.min(2, brokerIds.length - 1)}`,
            value: unset.join(', '),
          }
        : undefined;
    },
  ),
];

import type { Json } from '../../contract/json';
import {
  ALLOWED_CRUISE_CONTROL,
  CRUISE_CONTROL_BROKERS,
  CRUISE_CONTROL_TOPIC,
  FORBIDDEN_CRUISE_CONTROL,
} from '../cluster/kafka-cluster.facts';
import { refusedInDocument, surprisingInDocument } from './document-says';
import { at, isSaid, kafkaConfigOf, listAt, mapAt, shown, textAt } from './kafka-json';
import { about, type DocumentRule, type ListenerContext } from './kafka-rule';

const REPORTER = 'cruisecontrol/CruiseControlMetricsReporter.java';
const OVERRIDES = 'spec.cruiseControl.brokerCapacity.overrides';
const AUTO_REBALANCE = 'spec.cruiseControl.autoRebalance';

function hasCruiseControl(kafka: Json): boolean {
  return isSaid(at(kafka, 'spec.cruiseControl'));
}

function isForbidden(key: string): boolean {
  const lower = key.toLowerCase();
  return FORBIDDEN_CRUISE_CONTROL.some((start) => lower.startsWith(start)) && !ALLOWED_CRUISE_CONTROL.includes(key);
}

/** The brokers that entries about capacity name, in their order. */
function overridden(kafka: Json): unknown[] {
  return listAt(kafka, OVERRIDES).flatMap((entry) => listAt(entry, 'brokers'));
}

/** What is wrong with the topic of metrics. */
function topicFault(kafka: Json, { brokerIds }: ListenerContext): string | undefined {
  const { replicas, inSync } = CRUISE_CONTROL_TOPIC;
  const config = kafkaConfigOf(kafka);
  const odd = [replicas, inSync].find((key) => isSaid(config[key]) && !/^[+-]?\d+$/.test(String(config[key])));
  if (odd !== undefined) {
    return `${odd} is ${shown(config[odd])}, no whole number`;
  }
  const factor = Number(config[replicas] ?? config['default.replication.factor'] ?? 1);
  if (isSaid(config[replicas]) && brokerIds !== undefined && factor > brokerIds.length) {
    return `${replicas} is ${factor}, and there are ${brokerIds.length} brokers`;
  }
  return isSaid(config[inSync]) && Number(config[inSync]) > factor
    ? `${inSync} is ${config[inSync]}, and the topic has ${factor} replicas`
    : undefined;
}

/** Cruise Control. */
export const CRUISE_CONTROL_RULES: readonly DocumentRule[] = [
  refusedInDocument(
    'kafka-cruise-control-brokers',
    'Cruise Control has brokers to balance',
    REPORTER,
    (kafka, { brokerIds }) =>
      hasCruiseControl(kafka) && brokerIds !== undefined && brokerIds.length < CRUISE_CONTROL_BROKERS
        ? {
            what: `spec.cruiseControl stands in a cluster of ${brokerIds.length} brokers, and needs ${CRUISE_CONTROL_BROKERS}`,
            remedy: 'remove it, or add brokers',
            value: String(brokerIds.length),
          }
        : undefined,
  ),
  refusedInDocument(
    'kafka-cruise-control-topic',
    'the metrics for Cruise Control have as many replicas as the brokers can hold',
    REPORTER,
    (kafka, context) => {
      const fault = hasCruiseControl(kafka) ? topicFault(kafka, context) : undefined;
      return fault === undefined
        ? undefined
        : {
            what: `spec.kafka.config: ${fault}`,
            remedy: 'write numbers that the brokers can hold, the second not above the first',
          };
    },
  ),
  ...about('spec.cruiseControl.config', [
    surprisingInDocument(
      'kafka-cruise-control-config',
      'Cruise Control is configured by nothing that the operator sets itself',
      'api/src/main/java/io/strimzi/api/kafka/model/kafka/cruisecontrol/CruiseControlSpec.java',
      (kafka) =>
        Object.keys(mapAt(kafka, 'spec.cruiseControl.config'))
          .filter(isForbidden)
          .map((key) => ({
            what: `spec.cruiseControl.config has ${key}, which the operator ignores`,
            remedy: 'remove it',
            value: key,
          })),
    ),
  ]),
  ...about(OVERRIDES, [
    surprisingInDocument(
      'kafka-cruise-control-capacity',
      'capacities are said of brokers that exist, once',
      'cruisecontrol/CapacityConfiguration.java',
      (kafka, { brokerIds }) => {
        const named = overridden(kafka);
        const twice = new Set(named.filter((id, i) => named.indexOf(id) !== i));
        const unknown = new Set(named.filter((id) => brokerIds !== undefined && !brokerIds.includes(id as number)));
        return [
          ...[...unknown].map((id) => ({
            what: `${OVERRIDES} names broker ${shown(id)}, which does not exist: the brokers are ${brokerIds?.join(', ')}`,
            remedy: 'correct the id, or remove it',
            value: shown(id),
          })),
          ...[...twice].map((id) => ({
            what: `${OVERRIDES} names broker ${shown(id)} twice, and the first entry counts`,
            remedy: 'name it once',
            value: shown(id),
          })),
        ];
      },
    ),
  ]),
  ...about(AUTO_REBALANCE, [
    surprisingInDocument(
      'kafka-auto-rebalance',
      'each mode of a rebalance that comes by itself stands once',
      'cluster-operator/src/main/java/io/strimzi/operator/cluster/operator/assembly/KafkaAutoRebalancingReconciler.java',
      (kafka) => {
        const modes = listAt(kafka, AUTO_REBALANCE).map((entry) => textAt(entry, 'mode'));
        const twice = new Set(modes.filter((mode, i) => mode !== undefined && modes.indexOf(mode) !== i));
        return [...twice].map((mode) => ({
          what: `${AUTO_REBALANCE} has mode ${mode} twice, and the first entry counts`,
          remedy: 'write it once',
          value: mode,
        }));
      },
    ),
  ]),
];

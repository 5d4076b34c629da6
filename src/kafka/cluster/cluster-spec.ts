import { reaches } from '../../contract/compare-versions';
import { defined, definedOrNothing, type Json } from '../../contract/json';
import { KRAFT_ANNOTATIONS, KRAFT_ANNOTATIONS_UNTIL } from '../document/kafka-config.facts';
import type { KafkaListener } from '../listener/kafka-listener';
import { jvmOptionsJson } from '../nodes/jvm-options-json';
import { podTemplateJson } from '../nodes/pod-template-json';
import { PAUSE_ANNOTATION } from '../operator/operator-services.facts';
import { certificateAuthorityJson } from './certificate-authority-json';
import { containerTemplateJson } from './container-template-json';
import { cruiseControlJson } from './cruise-control-json';
import { OFFSETS_REPLICAS, REPLICATED } from './kafka-cluster.facts';
import type { KafkaClusterProps } from './kafka-cluster-props';
import { KafkaEntityOperator } from './kafka-entity-operator';
import { kafkaExporterJson } from './kafka-exporter-json';
import { probeJson } from './probe-json';

/** The spec of a Kafka resource, without the listeners that are written into it later. */
export function clusterSpec(props: KafkaClusterProps, listeners: readonly KafkaListener[], brokers: number): Json {
  const { cruiseControl, kafkaExporter, clusterCa, clientsCa, maintenanceTimeWindows } = props;
  return defined({
    kafka: kafkaSpec(props, listeners, brokers),
    entityOperator: (props.entityOperator ?? KafkaEntityOperator.both())._toJson(),
    cruiseControl: cruiseControl && cruiseControlJson(cruiseControl),
    kafkaExporter: kafkaExporter && kafkaExporterJson(kafkaExporter),
    clusterCa: clusterCa && certificateAuthorityJson(clusterCa),
    clientsCa: clientsCa && certificateAuthorityJson(clientsCa),
    maintenanceTimeWindows,
  });
}

/** The annotations by which the operator knows what to do with a cluster. */
export function clusterAnnotations({ strimzi, pauseReconciliation }: KafkaClusterProps): Record<string, string> {
  const kraft = reaches(strimzi, KRAFT_ANNOTATIONS_UNTIL) ? [] : KRAFT_ANNOTATIONS.map((key) => [key, 'enabled']);
  const paused = pauseReconciliation === undefined ? [] : [[PAUSE_ANNOTATION, String(pauseReconciliation)]];
  return Object.fromEntries([...kraft, ...paused]);
}

function kafkaSpec(props: KafkaClusterProps, listeners: readonly KafkaListener[], brokers: number): Json {
  const { jvm, livenessProbe, readinessProbe, podTemplate, kafkaContainer } = props;
  return defined({
    version: props.kafkaVersion,
    metadataVersion: props.metadataVersion,
    listeners: listeners.map((listener) => listener._toJson()),
    config: configOf(props, brokers),
    authorization: props.authorization?._toJson(),
    rack: props.rack?._toJson(),
    metricsConfig: props.metrics?._toJson(),
    jvmOptions: jvm && jvmOptionsJson(jvm),
    logging: props.logging?._toJson(),
    livenessProbe: livenessProbe && probeJson(livenessProbe),
    readinessProbe: readinessProbe && probeJson(readinessProbe),
    template: definedOrNothing({
      pod: podTemplate && podTemplateJson(podTemplate),
      kafkaContainer: kafkaContainer && containerTemplateJson(kafkaContainer),
    }),
    tieredStorage: props.tieredStorage?._toJson(),
    quotas: props.quotas?._toJson(),
  });
}

/**
 * Kafka's own defaults are one replica of a topic, so that the loss of a broker is the loss of data, and three of offsets and
 * transactions, which fewer brokers cannot hold. Of what belongs together either all numbers are somebody's, or none is.
 */
function configOf({ config = {} }: KafkaClusterProps, brokers: number): Json | undefined {
  const replicas = Math.min(MOST_REPLICAS, brokers);
  const inSync = Math.max(1, replicas - 1);
  const groups: Json[] = [
    ...REPLICATED.map((keys) => ({ [keys.replicas]: replicas, [keys.inSync]: inSync })),
    { [OFFSETS_REPLICAS]: replicas },
  ];
  const unsaid = groups.filter((group) => brokers > 0 && !Object.keys(group).some((key) => key in config));
  const all = Object.assign({}, ...unsaid, config);
  return Object.keys(all).length > 0 ? all : undefined;
}

/** More replicas cost space and time, and save little. */
const MOST_REPLICAS = 3;

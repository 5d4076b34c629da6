import { StrimziVersion } from '../../src';
import type { Json } from '../../src/contract/json';
import { kafka } from './document-mistakes';

const { V0_45, V0_46, V0_51, V1_1 } = StrimziVersion;
const OLD_API = { apiVersion: 'kafka.strimzi.io/v1beta2' };
const SCRAM = { name: 'plain', port: 9092, type: 'internal', tls: false, authentication: { type: 'scram-sha-512' } };

/** A Kafka resource with more in `spec`. */
export function spec(more: Json, document: Json = {}): Json {
  return kafka({}, { ...document, spec: more });
}

const unknown = (where: string, remedy: string, lacking = 'Strimzi 1.2.0') =>
  `strimzi: ${where} does not exist in ${lacking}, and the API server drops it; ${remedy} (kafka-field-unknown)`;
const ANYHOW = 'correct its name or its place, or remove it';

const FIELDS: [Json, string[], StrimziVersion?][] = [
  [spec({ template: { pod: {} } }), [unknown('spec.template', 'write it as spec.kafka.template, or remove it')]],
  [kafka({ cruiseControl: {} }), [unknown('spec.kafka.cruiseControl', 'write it as spec.cruiseControl, or remove it')]],
  [spec({ kafkaExportr: {} }), [unknown('spec.kafkaExportr', 'write kafkaExporter')]],
  [spec({ kafkaExprtr: {} }), [unknown('spec.kafkaExprtr', 'write kafkaExporter')]],
  [spec({ Kafkaexporter: {} }), [unknown('spec.Kafkaexporter', 'write kafkaExporter')]],
  [kafka({ livenesProbe: {} }), [unknown('spec.kafka.livenesProbe', 'write livenessProbe')]],
  [kafka({ wishes: 3 }), [unknown('spec.kafka.wishes', ANYHOW)]],
  [kafka({ 'odd name': 3 }), [unknown("spec.kafka['odd name']", ANYHOW)]],
  [spec({ nodePools: [] }), [unknown('spec.nodePools', 'write KafkaNodePools with the label of this cluster')]],
  [
    kafka({ template: { perPodService: { metadata: { finalizers: ['example.com/a'] } } } }),
    [
      unknown(
        'spec.kafka.template.perPodService.metadata.finalizers',
        'write finalizers in configuration of each listener that needs them',
      ),
    ],
  ],
  [
    kafka({ template: { pod: { nodeSelector: { pool: 'kafka' } } } }),
    [
      unknown(
        'spec.kafka.template.pod.nodeSelector',
        'write required node affinity with the labels of the nodes in template.pod.affinity',
      ),
    ],
  ],
  [
    kafka({ template: { pod: { metadata: { affinity: {} } } } }),
    [
      unknown(
        'spec.kafka.template.pod.metadata.affinity',
        'write it as spec.kafka.template.pod.affinity, or remove it',
      ),
    ],
  ],
  [
    spec({ cruiseControl: { autoRebalance: [{ mode: 'add-brokers' }, { modus: 'a' }] } }),
    [unknown('spec.cruiseControl.autoRebalance[1].modus', ANYHOW)],
  ],
  [
    kafka({ rack: { type: 'environment-variable', envVarName: 'ZONE' } }, OLD_API),
    [
      unknown('spec.kafka.rack.type', 'use Strimzi 1.0.0 or newer, or remove it', 'Strimzi 0.51.0'),
      unknown('spec.kafka.rack.envVarName', 'use Strimzi 1.0.0 or newer, or remove it', 'Strimzi 0.51.0'),
    ],
    V0_51,
  ],
  [
    kafka({ template: { pod: { templatedVolumes: [] } } }),
    [unknown('spec.kafka.template.pod.templatedVolumes', 'use Strimzi 1.2.0 or newer, or remove it', 'Strimzi 1.1.0')],
    V1_1,
  ],
  [
    kafka({ metricsConfig: { type: 'strimziMetricsReporter', values: { allowList: ['a'] } } }, OLD_API),
    [unknown('spec.kafka.metricsConfig.values', 'use Strimzi 0.47.0 or newer, or remove it', 'Strimzi 0.46.1')],
    V0_46,
  ],
  [
    kafka({ replicas: 3, template: { statefulset: {} } }, { spec: { zookeeper: {} } }),
    [
      unknown('spec.zookeeper', ANYHOW, 'API version v1'),
      unknown('spec.kafka.replicas', 'write replicas of a KafkaNodePool', 'API version v1'),
      unknown('spec.kafka.template.statefulset', ANYHOW, 'API version v1'),
    ],
  ],
  [spec({ zookeeper: { replicas: 3 } }, OLD_API), [], V0_45],
];

const CONFIGURATION: [Json, string[], StrimziVersion?][] = [
  [
    kafka({
      listeners: [{ ...SCRAM, configuration: { maxConnections: -1, maxConnectionCreationRate: 0 } }],
    }),
    [
      "strimzi: listener 'plain': configuration.maxConnections is -1, with which no client connects; write a whole number from 1, or remove it (listener-limit)",
      "strimzi: listener 'plain': configuration.maxConnectionCreationRate is 0, with which no client connects; write a whole number from 1, or remove it (listener-limit)",
    ],
  ],
];

/** Kafka resources, and all that is found beside their listeners. */
export const CLUSTER_MISTAKES = [...FIELDS, ...CONFIGURATION];

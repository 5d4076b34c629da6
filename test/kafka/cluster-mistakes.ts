import { StrimziVersion } from '../../src';
import type { Json } from '../../src/contract/json';
import { kafka } from './document-mistakes';

const { V0_45, V0_46, V0_47, V0_49, V0_51, V1_0 } = StrimziVersion;
const OLD_API = { apiVersion: 'kafka.strimzi.io/v1beta2' };
const KRAFT = {
  ...OLD_API,
  metadata: { name: 'events', annotations: { 'strimzi.io/kraft': 'enabled', 'strimzi.io/node-pools': 'enabled' } },
};
const SCRAM = { name: 'plain', port: 9092, type: 'internal', tls: false, authentication: { type: 'scram-sha-512' } };
const MUTUAL = { name: 'tls', port: 9093, type: 'internal', tls: true, authentication: { type: 'tls' } };

/** A Kafka resource with more in `spec`. */
export function spec(more: Json, document: Json = {}): Json {
  return kafka({}, { ...document, spec: more });
}

const unknown = (where: string, remedy: string) =>
  `strimzi: no known version of Strimzi has a field ${where}, so the API server drops it silently; ${remedy} (kafka-field-unknown)`;
const shape = (where: string, takes: string) =>
  `strimzi: ${where}, so the API server refuses the resource; write ${takes} (kafka-field-shape)`;
const missing = (where: string) =>
  `strimzi: ${where} is missing; set it: the API server requires it (kafka-field-missing)`;
const since = (where: string, version: string, first: string) =>
  `strimzi: ${where} does not exist in Strimzi ${version}; use Strimzi ${first} or newer, or remove it (kafka-field-since)`;
const idle = (where: string, type: string, remedy: string) =>
  `strimzi: ${where} means nothing to type ${type}; remove it, or use type ${remedy} (kafka-field-type)`;

const FIELDS: [Json, string[], StrimziVersion?][] = [
  [spec({ template: { pod: {} } }), [unknown('spec.template', 'write it as spec.kafka.template, or remove it')]],
  [kafka({ cruiseControl: {} }), [unknown('spec.kafka.cruiseControl', 'write it as spec.cruiseControl, or remove it')]],
  [spec({ kafkaExportr: {} }), [unknown('spec.kafkaExportr', 'write kafkaExporter')]],
  [spec({ kafkaExprtr: {} }), [unknown('spec.kafkaExprtr', 'write kafkaExporter')]],
  [spec({ Kafkaexporter: {} }), [unknown('spec.Kafkaexporter', 'write kafkaExporter')]],
  [kafka({ livenesProbe: {} }), [unknown('spec.kafka.livenesProbe', 'write livenessProbe')]],
  [kafka({ wishes: 3 }), [unknown('spec.kafka.wishes', 'correct its name or its place, or remove it')]],
  [kafka({ 'odd name': 3 }), [unknown("spec.kafka['odd name']", 'correct its name or its place, or remove it')]],
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
        'write affinity with the labels of the nodes: pods of Kafka have no node selector',
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
  [kafka({ quotas: { producerByteRate: 1 } }), [missing('spec.kafka.quotas.type')]],
  [
    spec({ cruiseControl: { autoRebalance: [{ template: { name: 'a' } }] } }),
    [missing('spec.cruiseControl.autoRebalance[0].mode')],
  ],
  [kafka({ rack: 'zone' }), [shape("spec.kafka.rack is 'zone'", 'a map'), rackWithout('topologyKey')]],
  [kafka({ metadataVersion: 4.3 }), [shape('spec.kafka.metadataVersion is 4.3', 'text')]],
  [
    kafka({ jvmOptions: { '-Xmx': '4Gi' } }),
    [shape("spec.kafka.jvmOptions.-Xmx is '4Gi'", 'a whole number with m, M, g or G behind it, or bytes')],
  ],
  [
    kafka({ jvmOptions: { '-XX': { UseG1GC: true } } }),
    [shape("spec.kafka.jvmOptions.-XX['UseG1GC'] is true", 'text, in quotes')],
  ],
  [
    kafka({ quotas: { type: 'strimzi', minAvailableRatioPerVolume: 10 } }),
    [shape('spec.kafka.quotas.minAvailableRatioPerVolume is 10', 'a number, at most 1')],
  ],
  [
    kafka({ readinessProbe: { periodSeconds: 0 } }),
    [shape('spec.kafka.readinessProbe.periodSeconds is 0', 'a whole number, at least 1')],
  ],
  [
    spec({ clusterCa: { certificateExpirationPolicy: 'renew' } }),
    [shape("spec.clusterCa.certificateExpirationPolicy is 'renew'", 'one of renew-certificate, replace-key')],
  ],
  [
    spec({ cruiseControl: { brokerCapacity: { inboundNetwork: '10MB' } } }),
    [shape("spec.cruiseControl.brokerCapacity.inboundNetwork is '10MB'", 'a throughput such as 10000KiB/s')],
  ],
  [
    spec({ maintenanceTimeWindows: '* * 2-4 ? * SUN' }),
    [shape("spec.maintenanceTimeWindows is '* * 2-4 ? * SUN'", 'a list of texts')],
  ],
  [
    kafka({ rack: { type: 'environment-variable', envVarName: 'ZONE', topologyKey: 'zone' } }, OLD_API),
    [
      since("spec.kafka.rack.type 'environment-variable'", '0.51.0', '1.0.0'),
      since('spec.kafka.rack.envVarName', '0.51.0', '1.0.0'),
      idle('spec.kafka.rack.topologyKey', 'environment-variable', 'topology-label'),
    ],
    V0_51,
  ],
  [
    kafka({ metricsConfig: { type: 'strimziMetricsReporter' } }, KRAFT),
    [since("spec.kafka.metricsConfig.type 'strimziMetricsReporter'", '0.46.1', '0.47.0')],
    V0_46,
  ],
  [
    kafka({ template: { pod: { hostUsers: false } } }),
    [since('spec.kafka.template.pod.hostUsers', '0.49.1', '0.50.0')],
    V0_49,
  ],
  [
    kafka({ template: { pod: { templatedVolumes: [] } } }),
    [since('spec.kafka.template.pod.templatedVolumes', '1.0.1', '1.2.0')],
    V1_0,
  ],
  [
    spec({ kafkaExporter: { template: { podDisruptionBudget: { maxUnavailable: 1 } } } }, KRAFT),
    [since('spec.kafkaExporter.template.podDisruptionBudget', '0.47.0', '0.48.0')],
    V0_47,
  ],
];

function rackWithout(field: string): string {
  return `strimzi: spec.kafka.rack has no ${field}, so the API server refuses the resource; write ${field}, or remove the rack (kafka-rack)`;
}

const TYPES: [Json, string[], StrimziVersion?][] = [
  [
    kafka({ quotas: { type: 'strimzi', requestPercentage: 50 } }),
    [idle('spec.kafka.quotas.requestPercentage', 'strimzi', 'kafka')],
  ],
  [
    kafka({ listeners: [SCRAM], authorization: { type: 'simple', supportsAdminApi: true } }),
    [idle('spec.kafka.authorization.supportsAdminApi', 'simple', 'custom')],
  ],
  [
    kafka({ rack: { topologyKey: 'zone', envVarName: 'ZONE' } }),
    [idle('spec.kafka.rack.envVarName', 'topology-label', 'environment-variable')],
  ],
  [
    spec({ entityOperator: { topicOperator: { logging: { type: 'inline', valueFrom: {} } } } }),
    [idle('spec.entityOperator.topicOperator.logging.valueFrom', 'inline', 'external')],
  ],
  [kafka({ rack: {} }), [rackWithout('topologyKey')]],
  [kafka({ rack: { topologyKey: '' } }), [rackWithout('topologyKey')]],
  [kafka({ rack: { type: 'environment-variable' } }), [rackWithout('envVarName')]],
  [
    kafka({ quotas: { type: 'strimzi', minAvailableBytesPerVolume: 1000, minAvailableRatioPerVolume: 0.1 } }),
    [
      'strimzi: spec.kafka.quotas.minAvailableBytesPerVolume is 1000 and spec.kafka.quotas.minAvailableRatioPerVolume is 0.1; remove one of them (kafka-quotas-volume)',
    ],
  ],
  [
    kafka({ quotas: { type: 'kafka' }, config: { 'client.quota.callback.class': 'a.B' } }),
    [
      'strimzi: spec.kafka.config has client.quota.callback.class, which the operator ignores beside spec.kafka.quotas; remove one of them (kafka-quotas-callback)',
    ],
  ],
  [
    kafka({ quotas: { type: 'strimzi', excludedPrincipals: ['User:a', 'b'] } }),
    [
      "strimzi: spec.kafka.quotas.excludedPrincipals has 'b', which is the principal of nobody; write User:b (kafka-quotas-principal)",
    ],
  ],
  [
    kafka({ metricsConfig: { type: 'jmxPrometheusExporter' } }),
    [
      'strimzi: spec.kafka.metricsConfig.valueFrom.configMapKeyRef has no name and no key; name the ConfigMap and the key in it (kafka-metrics)',
    ],
  ],
  [
    spec({
      cruiseControl: {
        metricsConfig: { type: 'jmxPrometheusExporter', valueFrom: { configMapKeyRef: { name: 'm', key: '' } } },
      },
    }),
    [
      'strimzi: spec.cruiseControl.metricsConfig.valueFrom.configMapKeyRef has no key; name the ConfigMap and the key in it (kafka-metrics)',
    ],
  ],
  [
    kafka({ metricsConfig: { type: 'strimziMetricsReporter', values: { allowList: [] } } }),
    [
      'strimzi: spec.kafka.metricsConfig.values.allowList is empty; name metrics, or remove it for the list of the operator (kafka-metrics-list)',
    ],
  ],
  [
    spec({ cruiseControl: { metricsConfig: { type: 'strimziMetricsReporter' } } }),
    [
      'strimzi: spec.cruiseControl.metricsConfig is of type strimziMetricsReporter; use type jmxPrometheusExporter (kafka-metrics-cruise-control)',
    ],
  ],
  [
    kafka({ logging: { type: 'external', valueFrom: { configMapKeyRef: { key: 'log4j2.properties' } } } }),
    [
      'strimzi: spec.kafka.logging.valueFrom.configMapKeyRef has no name; name the ConfigMap and the key in it (kafka-logging)',
    ],
  ],
  [
    spec({ entityOperator: { userOperator: { logging: { type: 'external' } } } }),
    [
      'strimzi: spec.entityOperator.userOperator.logging.valueFrom.configMapKeyRef has no name and no key; name the ConfigMap and the key in it (kafka-logging)',
    ],
  ],
  [
    spec({ cruiseControl: { apiUsers: { type: 'hashLoginService', valueFrom: { secretKeyRef: { name: 's' } } } } }),
    [
      'strimzi: spec.cruiseControl.apiUsers.valueFrom.secretKeyRef has no key; name the Secret and the key in it (kafka-cruise-control-users)',
    ],
  ],
];

const value = (what: string, takes: string) =>
  `strimzi: spec.kafka.config: ${what}, with which the operator does not reconcile the cluster; write ${takes} (kafka-config-value)`;

const HIGHEST = '9223372036854775807';

/** Values of another type, or beyond the limits of a key. */
const VALUES: [key: string, given: unknown, shownAs: string, takes: string][] = [
  ['num.partitions', 'abc', "'abc'", 'a whole number from 1 to 2147483647'],
  ['num.partitions', 2147483648, '2147483648', 'a whole number from 1 to 2147483647'],
  ['num.partitions', ' 3', "' 3'", 'a whole number from 1 to 2147483647'],
  ['num.io.threads', 0, '0', 'a whole number from 1 to 2147483647'],
  ['num.io.threads', '+0', "'+0'", 'a whole number from 1 to 2147483647'],
  ['num.io.threads', { a: 1 }, '{"a":1}', 'a whole number from 1 to 2147483647'],
  ['log.retention.hours', 1.5, '1.5', 'a whole number from -2147483648 to 2147483647'],
  ['log.retention.ms', true, 'true', `a whole number from -9223372036854775808 to ${HIGHEST}`],
  // Java's highest number is none of JavaScript: it is written as the next one that is
  [
    'log.retention.ms',
    Number(HIGHEST),
    '9223372036854776000',
    `a whole number from -9223372036854775808 to ${HIGHEST}`,
  ],
  ['log.local.retention.ms', -3, '-3', `a whole number from -2 to ${HIGHEST}`],
  ['min.insync.replicas', 'two', "'two'", 'a whole number from 1 to 2147483647'],
  ['offsets.topic.replication.factor', 0, '0', 'a whole number from 1 to 32767'],
  ['auto.create.topics.enable', 'yes', "'yes'", 'true or false'],
  ['auto.create.topics.enable', 'True', "'True'", 'true or false'],
  ['log.cleanup.policy', 'foo', "'foo'", 'compact, delete, or several of them with commas between'],
  ['log.cleanup.policy', 'compact,', "'compact,'", 'compact, delete, or several of them with commas between'],
  ['log.cleanup.policy', ['delete'], '["delete"]', 'compact, delete, or several of them with commas between'],
  ['compression.type', 'none', "'none'", 'one of uncompressed, zstd, lz4, snappy, gzip, producer'],
  ['compression.type', 'ZSTD', "'ZSTD'", 'one of uncompressed, zstd, lz4, snappy, gzip, producer'],
  ['group.consumer.migration.policy', 'up', "'up'", 'one of DISABLED, DOWNGRADE, UPGRADE, BIDIRECTIONAL'],
  ['log.cleaner.min.cleanable.ratio', 1.01, '1.01', 'a number from 0 to 1'],
  ['log.cleaner.io.max.bytes.per.second', 'fast', "'fast'", 'a number'],
  ['log.segment.bytes', 1024, '1024', 'a whole number from 1048576 to 2147483647'],
  ['compression.lz4.level', 18, '18', 'a whole number from 1 to 17'],
];

const CONFIGURATION: [Json, string[], StrimziVersion?][] = [
  ...VALUES.map(([key, given, shownAs, takes]): [Json, string[]] => [
    kafka({ config: { [key]: given } }),
    [value(`${key} is ${shownAs}`, takes)],
  ]),
  [
    kafka({
      listeners: [{ ...SCRAM, configuration: { maxConnections: -1, maxConnectionCreationRate: 0 } }],
    }),
    [
      "strimzi: listener 'plain': configuration.maxConnections is -1, with which no client connects; write a whole number from 1, or remove it (listener-limit)",
      "strimzi: listener 'plain': configuration.maxConnectionCreationRate is 0, with which no client connects; write a whole number from 1, or remove it (listener-limit)",
    ],
  ],
  [
    kafka({ config: { 'default.replication.factor': 2, 'min.insync.replicas': '3' } }),
    [
      'strimzi: spec.kafka.config: min.insync.replicas is 3 and default.replication.factor is 2, so nothing can be written with acks=all; write fewer for min.insync.replicas, or more for default.replication.factor (kafka-in-sync)',
    ],
  ],
  [
    kafka({ config: { 'transaction.state.log.replication.factor': 3, 'transaction.state.log.min.isr': 3 } }),
    [
      'strimzi: spec.kafka.config: transaction.state.log.min.isr and transaction.state.log.replication.factor are both 3, so one broker that is down, if only for an update, stops all writes with acks=all; write transaction.state.log.min.isr below transaction.state.log.replication.factor (kafka-in-sync-all)',
    ],
  ],
  [
    kafka({ config: { 'inter.broker.protocol.version': '3.9' } }),
    [
      'strimzi: spec.kafka.config has inter.broker.protocol.version, which means nothing with KRaft; remove it, and write spec.kafka.metadataVersion where a version is meant (kafka-config-unused)',
    ],
  ],
  [
    kafka({ metadataVersion: '4.3-0' }),
    [
      "strimzi: spec.kafka.metadataVersion is '4.3-0', which is no metadata version; write major and minor of the version of Kafka, such as 4.2, or remove it (kafka-metadata-version)",
    ],
  ],
  [
    kafka({ metadataVersion: '3.2' }),
    [
      "strimzi: spec.kafka.metadataVersion is '3.2', which is older than 3.3; write major and minor of the version of Kafka, such as 4.2, or remove it (kafka-metadata-version)",
      "strimzi: spec.kafka.metadataVersion is '3.2' and Kafka 4.3.1 runs, so its upgrade is not finished; write that of the version of Kafka once there is no way back to an older one, or acknowledge it until then (kafka-metadata-version-other)",
    ],
  ],
  [
    kafka({ version: '4.2.1', metadataVersion: '4.3-IV0' }),
    [
      "strimzi: spec.kafka.metadataVersion is '4.3-IV0' and Kafka 4.2.1 runs, so the operator takes an older one; write that of the version of Kafka once there is no way back to an older one, or acknowledge it until then (kafka-metadata-version-other)",
    ],
  ],
  [
    kafka({ authorization: { type: 'simple' } }),
    [
      'strimzi: spec.kafka.authorization is of type simple, and no listener has authentication, so every client is ANONYMOUS and may do nothing; write authentication of a listener, or remove the authorization (kafka-authorization-anonymous)',
    ],
  ],
  [
    kafka({ authorization: { type: 'custom' } }),
    [
      'strimzi: spec.kafka.authorization is of type custom and has no authorizerClass, so no broker starts; name the class of the authorizer (kafka-authorizer-class)',
    ],
  ],
  [
    kafka({ listeners: [SCRAM], authorization: { type: 'simple', superUsers: ['User:alice', ''] } }),
    [
      "strimzi: spec.kafka.authorization.superUsers has 'User:alice', of which the operator makes 'User:User:alice', and that is nobody; write alice (kafka-super-user-prefix)",
      "strimzi: spec.kafka.authorization.superUsers has '', of which the operator makes 'User:', and that is nobody; remove it (kafka-super-user-prefix)",
    ],
  ],
  [
    kafka({ listeners: [SCRAM], authorization: { type: 'simple', superUsers: ['CN=alice'] } }),
    [
      "strimzi: spec.kafka.authorization.superUsers has 'CN=alice', and every client proves itself by a password, under its bare name; write alice (kafka-super-user-name)",
    ],
  ],
  [
    kafka({ listeners: [MUTUAL], authorization: { type: 'simple', superUsers: ['alice'] } }),
    [
      "strimzi: spec.kafka.authorization.superUsers has 'alice', and every client proves itself by a certificate, whose name begins with CN=; write CN=alice (kafka-super-user-name)",
    ],
  ],
];

const COMPONENTS: [Json, string[], StrimziVersion?][] = [
  [
    spec(
      {
        entityOperator: { topicOperator: { watchedNamespace: 'topics' }, userOperator: { watchedNamespace: 'kafka' } },
      },
      { metadata: { name: 'events', namespace: 'kafka' } },
    ),
    [
      "strimzi: spec.entityOperator.topicOperator.watchedNamespace is 'topics', and the cluster is in 'kafka', so Strimzi 1.2.0 deletes the entity operator unless its installation allows other namespaces; set STRIMZI_ENTITY_OPERATOR_WATCHED_NAMESPACE_ENABLED=true in the operator's installation and acknowledge this, or watch the namespace of the cluster (kafka-watched-namespace)",
    ],
  ],
  [
    spec({ entityOperator: { template: {} } }),
    [
      'strimzi: spec.entityOperator has neither topicOperator nor userOperator, so none is deployed; write topicOperator: {} or userOperator: {}, or remove it (kafka-entity-operator-empty)',
    ],
  ],
  [
    kafka({ config: { 'cruise.control.metrics.topic.replication.factor': 4 } }, { spec: { cruiseControl: {} } }),
    [
      'strimzi: spec.kafka.config: cruise.control.metrics.topic.replication.factor is 4, and there are 3 brokers; write numbers that the brokers can hold, the second not above the first (kafka-cruise-control-topic)',
    ],
  ],
  [
    kafka({ config: { 'cruise.control.metrics.topic.min.insync.replicas': 2 } }, { spec: { cruiseControl: {} } }),
    [
      'strimzi: spec.kafka.config: cruise.control.metrics.topic.min.insync.replicas is 2, and the topic has 1 replicas; write numbers that the brokers can hold, the second not above the first (kafka-cruise-control-topic)',
    ],
  ],
  [
    kafka({ config: { 'cruise.control.metrics.topic.replication.factor': 'two' } }, { spec: { cruiseControl: {} } }),
    [
      "strimzi: spec.kafka.config: cruise.control.metrics.topic.replication.factor is 'two', no whole number; write numbers that the brokers can hold, the second not above the first (kafka-cruise-control-topic)",
    ],
  ],
  [
    spec({ cruiseControl: { config: { 'self.healing.goals': 'a', 'webserver.http.port': 1, 'ssl.protocol': 'TLS' } } }),
    [
      'strimzi: spec.cruiseControl.config has self.healing.goals, which the operator ignores; remove it (kafka-cruise-control-config)',
      'strimzi: spec.cruiseControl.config has webserver.http.port, which the operator ignores; remove it (kafka-cruise-control-config)',
    ],
  ],
  [
    spec({ cruiseControl: { brokerCapacity: { overrides: [{ brokers: [0, 7], cpu: '2' }, { brokers: [0] }] } } }),
    [
      'strimzi: spec.cruiseControl.brokerCapacity.overrides names broker 7, which does not exist: the brokers are 0, 1, 2; correct the id, or remove it (kafka-cruise-control-capacity)',
      'strimzi: spec.cruiseControl.brokerCapacity.overrides names broker 0 twice, and the first entry counts; name it once (kafka-cruise-control-capacity)',
    ],
  ],
  [
    spec({ cruiseControl: { autoRebalance: [{ mode: 'add-brokers' }, { mode: 'add-brokers' }] } }),
    [
      'strimzi: spec.cruiseControl.autoRebalance has mode add-brokers twice, and the first entry counts; write it once (kafka-auto-rebalance)',
    ],
  ],
  [
    spec({ clusterCa: { validityDays: 30 }, clientsCa: { renewalDays: 365 } }),
    [
      'strimzi: spec.clusterCa renews certificates 30 days before they expire, and they are valid for 30, so each reconciliation renews them and rolls the pods; write renewalDays below validityDays (kafka-ca-renewal)',
      'strimzi: spec.clientsCa renews certificates 365 days before they expire, and they are valid for 365, so each reconciliation renews them and rolls the pods; write renewalDays below validityDays (kafka-ca-renewal)',
    ],
  ],
  [
    spec({ maintenanceTimeWindows: ['* 2-4 * * SUN'] }),
    [
      "strimzi: spec.maintenanceTimeWindows[0]: '* 2-4 * * SUN' has 5 fields, not 6 or 7: seconds, minutes, hours, day of month, month, day of week, year, so there is no window at all and certificates expire; write it like '* * 2-4 ? * SUN', in UTC (kafka-maintenance-window)",
    ],
  ],
  [
    spec({ maintenanceTimeWindows: ['* * 2-4 ? * SUN', '0 0 2 ? * SUN', '* 0 2 ? * SUN'] }),
    [
      "strimzi: spec.maintenanceTimeWindows[1] '0 0 2 ? * SUN' is open for one second at a time, and the operator looks every 120 seconds; write * for seconds and a range of minutes or hours (kafka-maintenance-window-short)",
      "strimzi: spec.maintenanceTimeWindows[2] '* 0 2 ? * SUN' is open for 60 seconds at a time, and the operator looks every 120 seconds; write * for seconds and a range of minutes or hours (kafka-maintenance-window-short)",
    ],
  ],
  [spec({ zookeeper: { replicas: 3 } }, OLD_API), [], V0_45],
];

/** Kafka resources, and all that is said of what stands beside their listeners. */
export const CLUSTER_MISTAKES = [...FIELDS, ...TYPES, ...CONFIGURATION, ...COMPONENTS];

import { type SchemaField, type SchemaFields, Shape } from '../../contract/schema/field';
import { RACK_BY_ENVIRONMENT, RACK_BY_LABEL } from '../cluster/kafka-cluster.facts';

// The fields of a Kafka resource beside its listeners, as the schema has them.
// strimzi/strimzi-kafka-operator, tags 0.45.0 to 1.2.0: packaging/install/cluster-operator/040-Crd-kafka.yaml

/** What the schema takes for a size of Java's heap. */
export const HEAP_FORM = /^[0-9]+[mMgG]?$/;

/** What the schema takes for a quantity. */
export const QUANTITY_FORM = /^([0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$/;

const TEXT: SchemaField = { shape: Shape.TEXT };
const TEXTS: SchemaField = { shape: Shape.TEXTS };
const BOOLEAN: SchemaField = { shape: Shape.BOOLEAN };
const FREE: SchemaField = { shape: Shape.FREE };
const FREE_LIST: SchemaField = { shape: Shape.FREE_LIST };

function integer(atLeast: number): SchemaField {
  return { shape: Shape.INTEGER, atLeast };
}

function words(...taken: string[]): SchemaField {
  return { shape: Shape.TEXT, values: taken };
}

function required(field: SchemaField): SchemaField {
  return { ...field, required: true };
}

function since(version: string, field: SchemaField): SchemaField {
  return { ...field, since: version };
}

function old(field: SchemaField): SchemaField {
  return { ...field, oldApi: true };
}

function map(fields: SchemaFields): SchemaField {
  return { shape: Shape.MAP, fields };
}

function maps(fields: SchemaFields): SchemaField {
  return { shape: Shape.MAPS, fields };
}

/** Some fields of one shape. */
function all(field: SchemaField, names: string): SchemaFields {
  return Object.fromEntries(names.split(/\s+/).map((name) => [name, field]));
}

const PROBE = map({
  initialDelaySeconds: integer(0),
  ...all(integer(1), 'timeoutSeconds periodSeconds successThreshold failureThreshold'),
});

const HEAP: SchemaField = {
  shape: Shape.TEXT,
  pattern: HEAP_FORM,
  takes: 'a whole number with m, M, g or G behind it, or bytes',
};

const JVM_OPTIONS = map({
  '-XX': { shape: Shape.TEXT_MAP },
  '-Xmx': HEAP,
  '-Xms': HEAP,
  gcLoggingEnabled: BOOLEAN,
  javaSystemProperties: maps({ name: TEXT, value: TEXT }),
});

const KEY_REFERENCE = map({ name: TEXT, key: TEXT, optional: BOOLEAN });
const FROM_CONFIG_MAP = map({ configMapKeyRef: KEY_REFERENCE });

const LOGGING = map({
  type: required(words('inline', 'external')),
  loggers: { shape: Shape.TEXT_MAP },
  valueFrom: FROM_CONFIG_MAP,
});

const METRICS = map({
  type: required({
    ...words('jmxPrometheusExporter', 'strimziMetricsReporter'),
    valuesSince: { strimziMetricsReporter: '0.47.0' },
  }),
  valueFrom: FROM_CONFIG_MAP,
  values: since('0.47.0', map({ allowList: TEXTS })),
});

const JMX = map({ authentication: map({ type: required(words('password')) }) });

const CA = map({
  ...all(BOOLEAN, 'generateCertificateAuthority generateSecretOwnerReference'),
  ...all(integer(1), 'validityDays renewalDays'),
  certificateExpirationPolicy: words('renew-certificate', 'replace-key'),
});

const METADATA = map({ metadata: map(all({ shape: Shape.TEXT_MAP }, 'labels annotations')) });

/** The texts in the metadata of the Services of listeners are judged by rules of their own. */
const LISTENER_SERVICE = map({ metadata: map(all(FREE, 'labels annotations')) });

function widened(field: SchemaField, more: SchemaFields): SchemaField {
  return map({ ...field.fields, ...more });
}

const SERVICE = widened(METADATA, {
  ipFamilyPolicy: words('SingleStack', 'PreferDualStack', 'RequireDualStack'),
  ipFamilies: { shape: Shape.TEXTS, values: ['IPv4', 'IPv6'] },
});
const DEPLOYMENT = widened(METADATA, { deploymentStrategy: words('RollingUpdate', 'Recreate') });
const DISRUPTION_BUDGET = widened(METADATA, { maxUnavailable: integer(0) });
const CONTAINER = map({ env: FREE_LIST, securityContext: FREE, volumeMounts: FREE_LIST });

const POD = widened(METADATA, {
  ...all(FREE, 'affinity securityContext'),
  ...all(FREE_LIST, 'hostAliases imagePullSecrets tolerations topologySpreadConstraints volumes'),
  ...all(TEXT, 'priorityClassName schedulerName'),
  enableServiceLinks: BOOLEAN,
  terminationGracePeriodSeconds: integer(0),
  tmpDirSizeLimit: {
    shape: Shape.TEXT,
    pattern: QUANTITY_FORM,
    takes: 'a quantity such as 5Mi',
  },
  dnsPolicy: since('0.46.0', words('ClusterFirst', 'ClusterFirstWithHostNet', 'Default', 'None')),
  dnsConfig: since('0.46.0', FREE),
  hostUsers: since('0.50.0', BOOLEAN),
});

const RACK = map({
  topologyKey: TEXT,
  type: since('1.0.0', words(RACK_BY_LABEL, RACK_BY_ENVIRONMENT)),
  envVarName: since('1.0.0', TEXT),
});

const QUOTAS = map({
  type: required(words('kafka', 'strimzi')),
  ...all(integer(0), 'producerByteRate consumerByteRate requestPercentage minAvailableBytesPerVolume'),
  controllerMutationRate: { shape: Shape.NUMBER, atLeast: 0 },
  minAvailableRatioPerVolume: { shape: Shape.NUMBER, atLeast: 0, atMost: 1 },
  excludedPrincipals: TEXTS,
});

const AUTHORIZATION = map({
  type: required(TEXT),
  authorizerClass: TEXT,
  superUsers: TEXTS,
  supportsAdminApi: BOOLEAN,
  ...all(
    old(BOOLEAN),
    `allowOnError delegateToKafkaAcls disableTlsHostnameVerification enableMetrics grantsAlwaysLatest
    includeAcceptHeader`,
  ),
  ...all(
    old(integer(1)),
    `connectTimeoutSeconds readTimeoutSeconds grantsGcPeriodSeconds grantsMaxIdleTimeSeconds grantsRefreshPoolSize`,
  ),
  ...all(old(integer(0)), 'grantsRefreshPeriodSeconds httpRetries'),
  ...all(old({ shape: Shape.INTEGER }), 'expireAfterMs initialCacheCapacity maximumCacheSize'),
  ...all(old(TEXT), 'clientId tokenEndpointUri url'),
  tlsTrustedCertificates: old(FREE_LIST),
});

const KAFKA = map({
  ...all({ shape: Shape.ANYTHING }, 'version listeners'),
  ...all(TEXT, 'metadataVersion image brokerRackInitImage'),
  config: FREE,
  authorization: AUTHORIZATION,
  rack: RACK,
  ...all(PROBE, 'livenessProbe readinessProbe'),
  jvmOptions: JVM_OPTIONS,
  jmxOptions: JMX,
  metricsConfig: METRICS,
  logging: LOGGING,
  tieredStorage: map({
    type: required(words('custom')),
    remoteStorageManager: map({ ...all(TEXT, 'className classPath'), config: FREE }),
  }),
  quotas: QUOTAS,
  template: map({
    ...all(SERVICE, 'bootstrapService brokersService'),
    ...all(LISTENER_SERVICE, 'externalBootstrapService perPodService'),
    ...all(
      METADATA,
      `clusterCaCert clusterRoleBinding externalBootstrapIngress externalBootstrapRoute jmxSecret perPodIngress
      perPodRoute persistentVolumeClaim podSet serviceAccount`,
    ),
    ...all(CONTAINER, 'initContainer kafkaContainer'),
    podDisruptionBudget: DISRUPTION_BUDGET,
    pod: widened(POD, { templatedVolumes: since('1.2.0', FREE_LIST) }),
    statefulset: old(FREE),
  }),
  replicas: old(integer(1)),
  ...all(old(FREE), 'storage resources'),
});

const OPERATOR: SchemaFields = {
  ...all(TEXT, 'watchedNamespace image'),
  reconciliationIntervalMs: integer(0),
  ...all(PROBE, 'livenessProbe readinessProbe'),
  resources: FREE,
  logging: LOGGING,
  jvmOptions: JVM_OPTIONS,
  ...all(old(integer(0)), 'reconciliationIntervalSeconds zookeeperSessionTimeoutSeconds'),
};

const ENTITY_OPERATOR = map({
  topicOperator: map({ ...OPERATOR, startupProbe: PROBE, topicMetadataMaxAttempts: old(integer(0)) }),
  userOperator: map({ ...OPERATOR, secretPrefix: TEXT }),
  template: map({
    deployment: DEPLOYMENT,
    pod: POD,
    ...all(METADATA, 'entityOperatorRole serviceAccount topicOperatorRoleBinding userOperatorRoleBinding'),
    ...all(CONTAINER, 'topicOperatorContainer userOperatorContainer'),
    podDisruptionBudget: since('0.48.0', DISRUPTION_BUDGET),
    tlsSidecarContainer: old(FREE),
  }),
  tlsSidecar: old(FREE),
});

const THROUGHPUT: SchemaField = {
  shape: Shape.TEXT,
  pattern: /^[0-9]+([KMG]i?)?B\/s$/,
  takes: 'a throughput such as 10000KiB/s',
};

const CAPACITY: SchemaFields = {
  cpu: {
    shape: Shape.TEXT,
    pattern: /^[0-9]+([.][0-9]{0,3}|[m]?)$/,
    takes: 'processors such as 2, 1.5 or 500m',
  },
  ...all(THROUGHPUT, 'inboundNetwork outboundNetwork'),
};

const CRUISE_CONTROL = map({
  image: TEXT,
  resources: FREE,
  ...all(PROBE, 'livenessProbe readinessProbe'),
  jvmOptions: JVM_OPTIONS,
  logging: LOGGING,
  config: FREE,
  metricsConfig: METRICS,
  apiUsers: map({
    type: required(words('hashLoginService')),
    valueFrom: required(map({ secretKeyRef: KEY_REFERENCE })),
  }),
  brokerCapacity: map({
    ...CAPACITY,
    overrides: maps({ ...CAPACITY, brokers: FREE_LIST }),
    disk: old(TEXT),
    cpuUtilization: old(integer(0)),
  }),
  autoRebalance: maps({ mode: required(words('add-brokers', 'remove-brokers')), template: map({ name: TEXT }) }),
  template: map({
    deployment: DEPLOYMENT,
    pod: POD,
    apiService: SERVICE,
    cruiseControlContainer: CONTAINER,
    podDisruptionBudget: DISRUPTION_BUDGET,
    serviceAccount: METADATA,
    tlsSidecarContainer: old(FREE),
  }),
  tlsSidecar: old(FREE),
});

const KAFKA_EXPORTER = map({
  ...all(TEXT, 'image groupRegex topicRegex groupExcludeRegex topicExcludeRegex logging'),
  resources: FREE,
  ...all(PROBE, 'livenessProbe readinessProbe'),
  ...all(BOOLEAN, 'enableSaramaLogging showAllOffsets'),
  template: map({
    deployment: DEPLOYMENT,
    pod: POD,
    container: CONTAINER,
    podDisruptionBudget: since('0.48.0', DISRUPTION_BUDGET),
    serviceAccount: METADATA,
    service: old(FREE),
  }),
});

/** What stands in `spec`. */
export const KAFKA_FIELDS: SchemaFields = {
  kafka: KAFKA,
  entityOperator: ENTITY_OPERATOR,
  cruiseControl: CRUISE_CONTROL,
  kafkaExporter: KAFKA_EXPORTER,
  ...all(CA, 'clusterCa clientsCa'),
  maintenanceTimeWindows: TEXTS,
  ...all(old(FREE), 'zookeeper jmxTrans'),
};

/** Fields that people write elsewhere by mistake, and where they go. */
export const MISPLACED_FIELDS: Readonly<Record<string, string>> = {
  finalizers: 'write finalizers in configuration of each listener that needs them',
  loadBalancerClass: 'write class in configuration of each listener that needs it',
  nodeSelector: 'write affinity with the labels of the nodes: pods of Kafka have no node selector',
  nodePools: 'write KafkaNodePools with the label of this cluster',
};

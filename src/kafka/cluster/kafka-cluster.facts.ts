// Words of a Kafka resource beside its listeners, and from which version the operator acts differently on them.
// strimzi/strimzi-kafka-operator 1.2.0: api/src/main/java/io/strimzi/api/kafka/model/kafka and …/model/common, and where
// a constant says so.

/** Types of authorization. `keycloak` and `opa` exist in the API version `v1beta2` alone. */
export const AUTHORIZATION = { simple: 'simple', custom: 'custom', keycloak: 'keycloak', opa: 'opa' } as const;

/** The type of a rack that is not the default. 1.0.0: common/Rack.java */
export const RACK_BY_ENVIRONMENT = 'environment-variable';

/** The type of a rack where nothing is said. */
export const RACK_BY_LABEL = 'topology-label';

/** Types of metrics. common/metrics/MetricsConfig.java */
export const METRICS = {
  jmxPrometheusExporter: 'jmxPrometheusExporter',
  strimziMetricsReporter: 'strimziMetricsReporter',
} as const;

/** Types of logging. common/Logging.java */
export const LOGGING = { inline: 'inline', external: 'external' } as const;

/** Types of quotas. quotas/QuotasPlugin.java */
export const QUOTAS = { kafka: 'kafka', strimzi: 'strimzi' } as const;

/** The type of the users of Cruise Control's API. cruisecontrol/HashLoginServiceApiUsers.java */
export const CRUISE_CONTROL_USERS = 'hashLoginService';

/** Days of a CA where nothing is said. common/CertificateAuthority.java */
export const CA_VALIDITY_DAYS = 365;
export const CA_RENEWAL_DAYS = 30;

/** From here the entity operator watches another namespace only if the operator's installation allows it. CHANGELOG.md */
export const OTHER_NAMESPACE_GUARDED_SINCE = '1.0.1';

/** The variable of the operator that allows it. cluster-operator/…/ClusterOperatorConfig.java */
export const OTHER_NAMESPACE_VARIABLE = 'STRIMZI_ENTITY_OPERATOR_WATCHED_NAMESPACE_ENABLED';

/** How many brokers Cruise Control needs. cluster-operator/…/model/cruisecontrol/CruiseControlMetricsReporter.java */
export const CRUISE_CONTROL_BROKERS = 2;

/** The oldest metadata version that Kafka 4 runs with. cluster-operator/…/model/KafkaCluster.java */
export const OLDEST_METADATA = '3.3';

/** Settings of Kafka that mean nothing without ZooKeeper. cluster-operator/…/model/KafkaSpecChecker.java */
export const UNUSED_WITH_KRAFT: readonly string[] = ['inter.broker.protocol.version', 'log.message.format.version'];

/** The setting that names a plugin for quotas, which `spec.kafka.quotas` replaces. cluster-operator/…/KafkaCluster.java */
export const QUOTA_CALLBACK = 'client.quota.callback.class';

/** What the operator puts before the name of a super user. cluster-operator/…/model/KafkaBrokerConfigurationBuilder.java */
export const USER_PREFIX = 'User:';

/** The operator's own time between two reconciliations, in seconds. STRIMZI_FULL_RECONCILIATION_INTERVAL_MS */
export const RECONCILIATION_SECONDS = 120;

/** Fields that the operator reads with one type only; with another one it ignores them. By place, type and field. */
export const FIELDS_BY_TYPE: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  'spec.kafka.authorization': {
    [AUTHORIZATION.simple]: ['superUsers'],
    [AUTHORIZATION.custom]: ['superUsers', 'authorizerClass', 'supportsAdminApi'],
  },
  'spec.kafka.quotas': {
    [QUOTAS.kafka]: ['producerByteRate', 'consumerByteRate', 'requestPercentage', 'controllerMutationRate'],
    [QUOTAS.strimzi]: [
      'producerByteRate',
      'consumerByteRate',
      'minAvailableBytesPerVolume',
      'minAvailableRatioPerVolume',
      'excludedPrincipals',
    ],
  },
  'spec.kafka.rack': { [RACK_BY_LABEL]: ['topologyKey'], [RACK_BY_ENVIRONMENT]: ['envVarName'] },
  'spec.kafka.metricsConfig': {
    [METRICS.jmxPrometheusExporter]: ['valueFrom'],
    [METRICS.strimziMetricsReporter]: ['values'],
  },
  'spec.kafka.logging': { [LOGGING.inline]: ['loggers'], [LOGGING.external]: ['valueFrom'] },
  'spec.cruiseControl.logging': { [LOGGING.inline]: ['loggers'], [LOGGING.external]: ['valueFrom'] },
  'spec.entityOperator.topicOperator.logging': { [LOGGING.inline]: ['loggers'], [LOGGING.external]: ['valueFrom'] },
  'spec.entityOperator.userOperator.logging': { [LOGGING.inline]: ['loggers'], [LOGGING.external]: ['valueFrom'] },
};

/** Types that are meant where nothing is said. */
export const DEFAULT_TYPES: Readonly<Record<string, string>> = { 'spec.kafka.rack': RACK_BY_LABEL };

/** Where logging is configured. */
export const LOGGING_PLACES: readonly string[] = Object.keys(FIELDS_BY_TYPE).filter((path) => path.endsWith('logging'));

/** How many replicas of a partition must have a message, and how many there are: of topics, and of transactions. */
export const REPLICATED: readonly { readonly inSync: string; readonly replicas: string }[] = [
  { inSync: 'min.insync.replicas', replicas: 'default.replication.factor' },
  { inSync: 'transaction.state.log.min.isr', replicas: 'transaction.state.log.replication.factor' },
];

/**
 * The same of the topic in which consumers commit their offsets; Kafka knows no minimum in sync of it. Nothing can be consumed
 * in a group where there are fewer brokers than replicas. apache/kafka 4.3.0, GroupCoordinatorConfig.java
 */
export const OFFSETS_REPLICAS = 'offsets.topic.replication.factor';

/** How often Kafka replicates offsets and transactions where nobody says it. */
export const KAFKA_INTERNAL_REPLICAS = 3;

/** Settings of the topic that brokers tell Cruise Control their metrics by. CruiseControlConfigurationParameters.java */
export const CRUISE_CONTROL_TOPIC = {
  replicas: 'cruise.control.metrics.topic.replication.factor',
  inSync: 'cruise.control.metrics.topic.min.insync.replicas',
} as const;

/** Beginnings of keys of Cruise Control's configuration that the operator ignores. 0.45.0 to 1.2.0: CruiseControlSpec.java */
export const FORBIDDEN_CRUISE_CONTROL: readonly string[] = `bootstrap.servers client.id zookeeper. network. security.
  failed.brokers.zk.path webserver.http. webserver.api.urlprefix webserver.session.path webserver.accesslog. two.step.
  request.reason.required metric.reporter.sampler.bootstrap.servers capacity.config.file self.healing. ssl.
  kafka.broker.failure.detection.enable topic.config.provider.class`.split(/\s+/);

/** Keys that begin so, and that it takes all the same. */
export const ALLOWED_CRUISE_CONTROL: readonly string[] = `ssl.cipher.suites ssl.protocol ssl.enabled.protocols
  webserver.http.cors.enabled webserver.http.cors.origin webserver.http.cors.exposeheaders webserver.security.enable
  webserver.ssl.enable`.split(/\s+/);

/** The setting by which Kafka lets everybody do what no access list speaks of. */
export const ALLOW_WITHOUT_LIST = 'allow.everyone.if.no.acl.found';

/** What Kafka calls a client without a name. */
export const ANONYMOUS = 'ANONYMOUS';

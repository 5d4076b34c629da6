// What the operator does not take from a Kafka resource. strimzi/strimzi-kafka-operator, tags 0.45.0 to 1.2.0:
// api/…/kafka/KafkaClusterSpec.java, cluster-operator/…/model/AbstractConfiguration.java and KafkaConfiguration.java,
// operator-common/…/model/Labels.java, packaging/install/cluster-operator/040-Crd-kafka.yaml

/** A key, or the beginning of keys, of Kafka's own configuration. */
export interface ConfigKey {
  readonly key: string;
  /** The first version to which it means something, where that is newer than 0.45. */
  readonly since?: string;
}

function keys(text: string, since?: string): ConfigKey[] {
  return text.split(/\s+/).map((key) => ({ key, since }));
}

/** Beginnings of keys that the operator ignores, since it sets them itself. */
export const FORBIDDEN_CONFIG: readonly ConfigKey[] = [
  ...keys(`listeners advertised. broker. listener. host.name port inter.broker.listener.name sasl. ssl. security. password.
    log.dir zookeeper.connect zookeeper.set.acl zookeeper.ssl zookeeper.clientCnxnSocket authorizer. super.user
    cruise.control.metrics.topic cruise.control.metrics.reporter.bootstrap.servers node.id process.roles controller.
    metadata.log.dir zookeeper.metadata.migration.enable client.quota.callback.static.kafka.admin.
    client.quota.callback.static.produce client.quota.callback.static.fetch
    client.quota.callback.static.storage.per.volume.limit.min.available.
    client.quota.callback.static.excluded.principal.name.list`),
  ...keys('prometheus.metrics.reporter.', '0.47.0'),
  ...keys('cordoned.log.dirs', '1.2.0'),
];

/** Keys that begin so, and that it takes all the same. */
export const ALLOWED_CONFIG: readonly ConfigKey[] = [
  ...keys(`zookeeper.connection.timeout.ms sasl.server.max.receive.size ssl.cipher.suites ssl.protocol
    ssl.enabled.protocols ssl.secure.random.implementation cruise.control.metrics.topic.num.partitions
    cruise.control.metrics.topic.replication.factor cruise.control.metrics.topic.retention.ms
    cruise.control.metrics.topic.auto.create.retries cruise.control.metrics.topic.auto.create.timeout.ms
    cruise.control.metrics.topic.min.insync.replicas controller.quorum.election.backoff.max.ms
    controller.quorum.election.timeout.ms controller.quorum.fetch.timeout.ms`),
  ...keys('broker.session.timeout.ms broker.heartbeat.interval.ms controller.socket.timeout.ms', '0.48.0'),
];

/** The ends of `listener.name.<name>-<port>.` that it takes. */
export const ALLOWED_LISTENER_CONFIG: readonly string[] = [
  'connections.max.reauth.ms',
  'max.connections',
  'max.connection.creation.rate',
];

/** Keys whose value is at most the number of brokers. KafkaCluster.java */
export const AT_MOST_BROKERS: readonly string[] = [
  'default.replication.factor',
  'offsets.topic.replication.factor',
  'transaction.state.log.replication.factor',
  'transaction.state.log.min.isr',
];

/** What the API version `v1` has no more, and where it went. */
export const REMOVED_IN_V1: Readonly<Record<string, string>> = {
  'spec.zookeeper': 'remove it: Kafka runs without ZooKeeper',
  'spec.jmxTrans': 'remove it',
  'spec.kafka.replicas': 'write replicas of a KafkaNodePool',
  'spec.kafka.storage': 'write storage of a KafkaNodePool',
  'spec.kafka.resources': 'write resources of a KafkaNodePool',
  'spec.kafka.template.statefulset': 'remove it: pods are of a StrimziPodSet',
  'spec.cruiseControl.brokerCapacity.disk': 'remove it: capacity is read from the volumes',
  'spec.cruiseControl.brokerCapacity.cpuUtilization': 'remove it: capacity is read from the resources',
  'spec.cruiseControl.tlsSidecar': 'remove it',
  'spec.cruiseControl.template.tlsSidecarContainer': 'remove it',
  'spec.entityOperator.tlsSidecar': 'remove it',
  'spec.entityOperator.template.tlsSidecarContainer': 'remove it',
  'spec.entityOperator.topicOperator.reconciliationIntervalSeconds': 'write reconciliationIntervalMs',
  'spec.entityOperator.topicOperator.zookeeperSessionTimeoutSeconds': 'remove it',
  'spec.entityOperator.topicOperator.topicMetadataMaxAttempts': 'remove it',
  'spec.entityOperator.userOperator.reconciliationIntervalSeconds': 'write reconciliationIntervalMs',
  'spec.entityOperator.userOperator.zookeeperSessionTimeoutSeconds': 'remove it',
  'spec.kafkaExporter.template.service': 'remove it',
};

/** The types of authorization in `v1`, and those that `v1beta2` has besides. */
export const AUTHORIZATION_TYPES: readonly string[] = ['simple', 'custom'];
export const OLD_AUTHORIZATION_TYPES: readonly string[] = ['keycloak', 'opa'];

/** What of `v1beta2` is read no more where every cluster has node pools. */
export const IGNORED_WITH_POOLS: readonly string[] = ['spec.zookeeper', 'spec.kafka.replicas', 'spec.kafka.storage'];

/** Labels and annotations of the operator's own begin so. */
export const OWN_PREFIX = 'strimzi.io/';

/** Where the annotations that told the operator to run with KRaft and node pools stand, and up to which version. */
export const KRAFT_ANNOTATIONS: readonly string[] = ['strimzi.io/kraft', 'strimzi.io/node-pools'];
export const KRAFT_ANNOTATIONS_UNTIL = '0.48.0';

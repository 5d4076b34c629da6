// What the operator does not take from a Kafka resource. strimzi/strimzi-kafka-operator, tags 0.45.0 to 1.2.0:
// api/…/kafka/KafkaClusterSpec.java, cluster-operator/…/model/AbstractConfiguration.java and KafkaConfiguration.java,
// operator-common/…/model/Labels.java, packaging/install/cluster-operator/040-Crd-kafka.yaml

/** Beginnings of keys of Kafka's own configuration that say what listeners have fields for: the operator ignores them. */
export const LISTENER_CONFIG: readonly string[] = [
  'listeners',
  'listener.',
  'advertised.',
  'host.name',
  'port',
  'inter.broker.listener.name',
];

/** The ends of `listener.name.<name>-<port>.` that it takes. */
export const ALLOWED_LISTENER_CONFIG: readonly string[] = [
  'connections.max.reauth.ms',
  'max.connections',
  'max.connection.creation.rate',
];

/** Labels and annotations of the operator's own begin so. */
export const OWN_PREFIX = 'strimzi.io/';

/** Where the annotations that had the operator run with KRaft and node pools are read, and up to which version. */
export const KRAFT_ANNOTATIONS: readonly string[] = ['strimzi.io/kraft', 'strimzi.io/node-pools'];
export const KRAFT_ANNOTATIONS_UNTIL = '0.48.0';

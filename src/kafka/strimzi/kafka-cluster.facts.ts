// Fields of a Kafka resource beside its listeners, and from which version the operator acts differently on them.
// strimzi/strimzi-kafka-operator 1.2.0: api/src/main/java/io/strimzi/api/kafka/model/kafka and …/model/common, and where
// a constant says so.

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

/** What Kafka calls a client without a name. */
export const ANONYMOUS = 'ANONYMOUS';

/** Where the annotations that had the operator run with KRaft and node pools are read, and up to which version. */
export const KRAFT_ANNOTATIONS: readonly string[] = ['strimzi.io/kraft', 'strimzi.io/node-pools'];
export const KRAFT_ANNOTATIONS_UNTIL = '0.48.0';

// Fields of a Kafka resource beside its listeners, and from which version the operator acts differently on them.
// strimzi/strimzi-kafka-operator 1.2.0: api/src/main/java/io/strimzi/api/kafka/model/kafka and …/model/common, and where
// a constant says so.

/** Types of authorization. `keycloak` and `opa` exist in the API version `v1beta2` alone. */
export const AUTHORIZATION = { simple: 'simple', custom: 'custom', keycloak: 'keycloak', opa: 'opa' } as const;

/** From here the entity operator watches another namespace only if the operator's installation allows it. CHANGELOG.md */
export const OTHER_NAMESPACE_GUARDED_SINCE = '1.0.1';

/** The variable of the operator that allows it. cluster-operator/…/ClusterOperatorConfig.java */
export const OTHER_NAMESPACE_VARIABLE = 'STRIMZI_ENTITY_OPERATOR_WATCHED_NAMESPACE_ENABLED';

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

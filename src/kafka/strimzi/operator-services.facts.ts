// What the Strimzi operator writes on the Services of a listener, and where it reads what a manifest says of its nodes.
// strimzi/strimzi-kafka-operator 1.2.0: cluster-operator/src/main/java/io/strimzi/operator/cluster/model/ListenersUtils.java,
// KafkaCluster.java, NodePoolUtils.java, NodeIdRange.java; operator-common/src/main/java/io/strimzi/operator/common/model/Labels.java

/** The kind of a Kafka cluster. */
export const KAFKA_KIND = 'Kafka';

/** The kind of a group of its nodes. */
export const KAFKA_NODE_POOL_KIND = 'KafkaNodePool';

/** The cluster that a node pool, topic or user belongs to. */
export const CLUSTER_LABEL = 'strimzi.io/cluster';

/** The ids that new nodes of a pool get, such as `[0, 1, 10-19]`. */
export const NEXT_NODE_IDS_ANNOTATION = 'strimzi.io/next-node-ids';

/** The name under which the nodes of a cluster without node pools are in the names of pods and Services. */
export const NODES_WITHOUT_POOL = 'kafka';

/** The first version in which every cluster has node pools, and `spec.kafka.replicas` means nothing. */
export const POOLS_ONLY_SINCE = '0.46.0';

/** The first version with `perBrokerAnnotationsTemplate` and `perBrokerLabelsTemplate`. */
export const PER_BROKER_TEMPLATES_SINCE = '1.1.0';

/** Labels that select the pods behind a Service. */
export const SELECTOR_LABELS = {
  cluster: CLUSTER_LABEL,
  kind: 'strimzi.io/kind',
  name: 'strimzi.io/name',
  brokerRole: 'strimzi.io/broker-role',
  pool: 'strimzi.io/pool-name',
  pod: 'strimzi.io/pod-name',
} as const;

/** Labels of a resource that do not reach its Services. STRIMZI_LABELS_EXCLUSION_PATTERN */
export const EXCLUDED_LABELS = /^app\.kubernetes\.io\/(?!part-of)|^kustomize\.toolkit\.fluxcd\.io/;

/** Annotations and labels that the operator drops from templates silently. operator-common/…/Util.java, mergeLabelsOrAnnotations */
export const DROPPED_FROM_TEMPLATES = /^app\.kubernetes\.io\//;

/** The listener whose brokers' Services are named without it. */
export const NAMELESS_LISTENER = { name: 'external', port: 9094 } as const;

/** The types of a listener. api/src/main/java/io/strimzi/api/kafka/model/kafka/listener/KafkaListenerType.java */
export const LISTENER_TYPES = {
  internal: 'internal',
  clusterIp: 'cluster-ip',
  nodePort: 'nodeport',
  loadBalancer: 'loadbalancer',
  ingress: 'ingress',
  route: 'route',
  tlsRoute: 'tlsroute',
} as const;

/** Whether the operator leaves a resource alone. api/src/main/java/io/strimzi/api/ResourceAnnotations.java */
export const PAUSE_ANNOTATION = 'strimzi.io/pause-reconciliation';

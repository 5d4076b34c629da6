// Listeners whose clients come through a Gateway. strimzi/strimzi-kafka-operator 1.2.0:
// cluster-operator/src/main/java/io/strimzi/operator/cluster/model/KafkaCluster.java, ListenersUtils.java,
// cluster-operator/src/main/java/io/strimzi/operator/cluster/operator/assembly/KafkaListenersReconciler.java; CHANGELOG.md

/** The first version with listeners of type tlsroute. */
export const TLS_ROUTE_SINCE = '1.1.0';

/** The port that brokers advertise and the status of the resource names, whatever the Gateway listens on. */
export const TLS_ROUTE_PORT = 443;

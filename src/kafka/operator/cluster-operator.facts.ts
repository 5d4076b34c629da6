// How a Deployment is known to run Strimzi's cluster operator, and what its variables mean. strimzi/strimzi-kafka-operator, tag
// 1.2.0: packaging/install/{cluster,topic,user}-operator/*-Deployment-*.yaml, docker-images/operator/Dockerfile,
// cluster-operator/src/main/java/io/strimzi/operator/cluster/ClusterOperatorConfig.java

/** Where scripts of the operator's image are. */
export const OPERATOR_SCRIPTS = '/opt/strimzi/bin/';

/** What the cluster operator runs; topic and user operators have the same image and other scripts. */
export const CLUSTER_OPERATOR_SCRIPT = `${OPERATOR_SCRIPTS}cluster_operator_run.sh`;

/** How images of the operator end, before tag or digest. */
export const OPERATOR_IMAGE = 'strimzi/operator';

/** The namespaces that are watched; all where it is unset or empty. */
export const NAMESPACE_VARIABLE = 'STRIMZI_NAMESPACE';

/** Values of it. */
export const NAMESPACES = { all: '*', separator: ',' } as const;

/** By which labels of their own several operators may share a namespace. */
export const RESOURCE_SELECTOR = 'STRIMZI_CUSTOM_RESOURCE_SELECTOR';
export const LEASE_NAME_VARIABLE = 'STRIMZI_LEADER_ELECTION_LEASE_NAME';

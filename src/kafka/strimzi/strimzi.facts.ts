import { type Citation, Confidence } from '../../contract/kubernetes.facts';
import { BOOLEAN, INTEGER, REQUIRED_TEXT, TEXT } from '../../contract/schema/common.facts';
import { type SchemaField, type SchemaFields, Shape } from '../../contract/schema/field';
import type { ProvisioningTime } from '../../rules/controller-definition';

// What releases of the Strimzi operator run, serve and are known for. strimzi/strimzi-kafka-operator, tags 0.45.0 to
// 1.2.0: CHANGELOG.md, kafka-versions.yaml; api/…/kafka/listener; cluster-operator/…/ServiceOperator.java.

/** One release. */
export interface StrimziRelease {
  /** Versions of Kafka that it runs, the oldest first; the last one is its default. */
  readonly kafka: readonly string[];
  /** The oldest Kubernetes that it runs on. */
  readonly kubernetes: string;
}

/** By version, the oldest first. */
export const STRIMZI_RELEASES: Readonly<Record<string, StrimziRelease>> = {
  '0.45.0': { kafka: ['3.8.0', '3.8.1', '3.9.0'], kubernetes: '1.25' },
  '0.45.1': { kafka: ['3.8.0', '3.8.1', '3.9.0', '3.9.1'], kubernetes: '1.25' },
  '0.45.2': { kafka: ['3.8.0', '3.8.1', '3.9.0', '3.9.1', '3.9.2'], kubernetes: '1.25' },
  '0.46.0': { kafka: ['3.9.0', '4.0.0'], kubernetes: '1.25' },
  '0.46.1': { kafka: ['3.9.0', '4.0.0'], kubernetes: '1.25' },
  '0.47.0': { kafka: ['3.9.0', '3.9.1', '4.0.0'], kubernetes: '1.25' },
  '0.48.0': { kafka: ['4.0.0', '4.1.0'], kubernetes: '1.27' },
  '0.49.0': { kafka: ['4.0.0', '4.0.1', '4.1.0', '4.1.1'], kubernetes: '1.27' },
  '0.49.1': { kafka: ['4.0.0', '4.0.1', '4.1.0', '4.1.1'], kubernetes: '1.27' },
  '0.50.0': { kafka: ['4.0.0', '4.0.1', '4.1.0', '4.1.1'], kubernetes: '1.27' },
  '0.50.1': { kafka: ['4.0.0', '4.0.1', '4.1.0', '4.1.1'], kubernetes: '1.27' },
  '0.51.0': { kafka: ['4.1.0', '4.1.1', '4.2.0'], kubernetes: '1.30' },
  '1.0.0': { kafka: ['4.1.0', '4.1.1', '4.1.2', '4.2.0'], kubernetes: '1.30' },
  '1.0.1': { kafka: ['4.1.0', '4.1.1', '4.1.2', '4.2.0'], kubernetes: '1.30' },
  '1.1.0': { kafka: ['4.2.0', '4.2.1', '4.3.0'], kubernetes: '1.30' },
  '1.2.0': { kafka: ['4.2.0', '4.2.1', '4.3.0', '4.3.1'], kubernetes: '1.30' },
};

/** The API group of Kafka, KafkaNodePool, KafkaTopic and KafkaUser. */
export const STRIMZI_GROUP = 'kafka.strimzi.io';

/** The kind of topics, whose finalizer the Topic Operator of their cluster removes. */
export const KAFKA_TOPIC_KIND = 'KafkaTopic';

/** The API version before `v1`. */
export const STRIMZI_OLD_API = 'v1beta2';

/** From here the old API version is served no more. */
export const STRIMZI_OLD_API_UNTIL = '1.0.0';

/** API versions of Kafka that no operator serves from `STRIMZI_REMOVED_APIS_UNTIL` on. */
export const STRIMZI_REMOVED_APIS: readonly string[] = ['v1alpha1', 'v1beta1'];

/** The first release that reads `v1beta2` alone. strimzi/strimzi-kafka-operator 0.23.0: its release notes (CRD upgrades) */
export const STRIMZI_REMOVED_APIS_UNTIL = '0.23.0';

/** The API version that is served beside the old one at first, and alone in the end. */
export const STRIMZI_API = 'v1';

/** From here the API version `v1` is served. */
export const STRIMZI_API_SINCE = '0.49.0';

/** The feature gate by which Services are written with server-side apply. */
export const SERVER_SIDE_APPLY_GATE = 'ServerSideApplyPhase1';

/** The gate is on unless it is switched off: foreign finalizers, annotations and labels of Services survive. */
export const SERVER_SIDE_APPLY_SINCE = '0.51.0';

/** The gate exists from here, switched off. */
export const SERVER_SIDE_APPLY_GATE_SINCE = '0.48.0';

/** From here the gate is gone, always on, and an operator that has it configured does not start. */
export const SERVER_SIDE_APPLY_FIXED_SINCE = '1.2.0';

/** Vulnerabilities of all versions before the one that fixes them. */
export const STRIMZI_SECURITY_FLOORS: readonly { readonly fixed: string; readonly cves: readonly string[] }[] = [
  { fixed: '0.50.1', cves: ['CVE-2026-27133', 'CVE-2026-27134'] },
  { fixed: '1.0.1', cves: ['CVE-2026-55225', 'CVE-2026-55226'] },
];

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

// What decides nodes and their ids in a KafkaNodePool, and what the operator makes of it. strimzi/strimzi-kafka-operator, tags 0.45.0 to 1.2.0:
// packaging/install/cluster-operator/045-Crd-kafkanodepool.yaml (0.45: 04A-…), cluster-operator/…/model/KafkaPool.java,
// nodepools/NodePoolUtils.java and NodeIdRange.java; CHANGELOG.md

/** The ids of the nodes that go first when there are to be fewer, such as `[7, 3-5]`. Annotations.java */
export const REMOVE_NODE_IDS_ANNOTATION = 'strimzi.io/remove-node-ids';

/** Ids are integers of Java. NodeIdRange.java */
export const HIGHEST_NODE_ID = 2_147_483_647;

/** The templates of a node pool; the Kafka resource has the same, and others. */
export const POOL_TEMPLATES: readonly string[] = [
  'podSet',
  'pod',
  'perPodService',
  'perPodRoute',
  'perPodIngress',
  'persistentVolumeClaim',
  'kafkaContainer',
  'initContainer',
];

/** From here each template of a pool replaces the one of its name; before, any of them replaced all of the Kafka resource. */
export const TEMPLATES_MERGED_SINCE = '0.49.0';

const UPSTREAM = { repository: 'strimzi/strimzi-kafka-operator', version: '0.45.0 to 1.2.0' };
const MODEL = 'cluster-operator/src/main/java/io/strimzi/operator/cluster/model';

/** Where the fields of a node pool were read. */
export const POOL_SCHEMA: Citation = {
  ...UPSTREAM,
  file: 'packaging/install/cluster-operator/045-Crd-kafkanodepool.yaml',
};

/** Where it was read what the operator makes of a node pool. */
export const POOL_MODEL: Citation = { ...UPSTREAM, file: `${MODEL}/KafkaPool.java` };

/** Where it was read what the operator makes of all node pools of a cluster. */
export const POOLS_MODEL: Citation = { ...UPSTREAM, file: `${MODEL}/nodepools/NodePoolUtils.java` };

/** By the path below `spec`: what decides nodes and where they run. All else is plain data, whose names alone are compared. */
export const NODE_POOL_FIELDS: SchemaFields = {
  replicas: { shape: Shape.INTEGER, atLeast: 0, takes: `${Shape.INTEGER} from 0`, required: true },
  roles: { shape: Shape.TEXTS, required: true, values: ['controller', 'broker'] },
  storage: { shape: Shape.FREE, required: true },
  template: { shape: Shape.MAP },
  'template.pod': { shape: Shape.MAP },
  'template.pod.affinity': { shape: Shape.FREE },
  'template.pod.tolerations': { shape: Shape.FREE_LIST },
  'template.pod.topologySpreadConstraints': { shape: Shape.FREE_LIST },
};

// Listeners whose clients come through a Gateway. strimzi/strimzi-kafka-operator 1.2.0:
// cluster-operator/src/main/java/io/strimzi/operator/cluster/model/KafkaCluster.java, ListenersUtils.java,
// cluster-operator/src/main/java/io/strimzi/operator/cluster/operator/assembly/KafkaListenersReconciler.java; CHANGELOG.md

/** The first version with listeners of type tlsroute. */
export const TLS_ROUTE_SINCE = '1.1.0';

/** The port that brokers advertise and the status of the resource names, whatever the Gateway listens on. */
export const TLS_ROUTE_PORT = 443;

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

/** Where it was read that of several resources with one name only one gets its record. */
export const CONFLICTS = {
  repository: 'kubernetes-sigs/external-dns',
  version: 'v0.22.0',
  file: 'plan/conflict.go',
};

// The fields of a listener, as the schema of the Kafka resource has them, and the types of listener on which the operator
// takes them. strimzi/strimzi-kafka-operator, tags 0.45.0 to 1.2.0: packaging/install/cluster-operator/040-Crd-kafka.yaml,
// and 1.2.0: cluster-operator/…/model/ListenersValidator.java

/** One field of a listener. */
export interface ListenerField extends SchemaField {
  /** The types of listener on which the operator takes it; all of them where none are named. */
  readonly types?: readonly string[];
  /** An empty list or map is as good as none where the type does not fit. */
  readonly emptyIsFine?: true;
}

/** The port that a listener may have at least; below are those between brokers and controllers. */
export const LOWEST_PORT = 9092;

/** Ports that the operator keeps for itself, with what they serve. */
export const RESERVED_PORTS: Readonly<Record<number, string>> = { 9404: 'metrics', 9999: 'JMX' };

/** The pattern of names of listeners: the name of a container's port is `tcp-` and the name. */
export const LISTENER_NAME = /^[a-z0-9]{1,11}$/;

/** Types whose listeners can be reached from outside the cluster by themselves. */
export const OUTSIDE_TYPES: readonly string[] = ['loadbalancer', 'nodeport', 'ingress', 'route', 'tlsroute'];

/** Those whose clients speak to the brokers without TLS where `tls` is false; the others have a client that demands TLS. */
export const PLAIN_TEXT_TYPES: readonly string[] = ['loadbalancer', 'nodeport'];

const OWN_SERVICE = ['route', 'tlsroute', 'loadbalancer', 'nodeport', 'ingress', 'cluster-ip'];
const LOAD_BALANCER = ['loadbalancer'];
const WITH_NODE_PORT = ['nodeport', 'loadbalancer'];
const WITH_HOST = ['route', 'ingress', 'tlsroute'];

const METADATA: ListenerField = { shape: Shape.TEXT_MAP, types: OWN_SERVICE, emptyIsFine: true };

/** The address of one Service and its metadata: the same fields for bootstrap and for a broker. */
function addressFields(prefix: string): Record<string, ListenerField> {
  return {
    [`${prefix}.host`]: { ...TEXT, types: WITH_HOST },
    [`${prefix}.nodePort`]: { ...INTEGER, types: WITH_NODE_PORT },
    [`${prefix}.loadBalancerIP`]: { ...TEXT, types: LOAD_BALANCER },
    [`${prefix}.annotations`]: METADATA,
    [`${prefix}.labels`]: METADATA,
    [`${prefix}.externalIPs`]: { shape: Shape.TEXTS, types: ['nodeport'] },
  };
}

/** By the path below the listener; what is in the maps of a list has the path of that list. */
export const LISTENER_FIELDS: Readonly<Record<string, ListenerField>> = {
  name: REQUIRED_TEXT,
  port: { shape: Shape.INTEGER, required: true },
  type: {
    shape: Shape.TEXT,
    required: true,
    values: ['internal', 'route', 'tlsroute', 'loadbalancer', 'nodeport', 'ingress', 'cluster-ip'],
    valuesSince: { tlsroute: '1.1.0' },
  },
  tls: { shape: Shape.BOOLEAN, required: true },
  authentication: { shape: Shape.MAP, open: true },
  'authentication.type': {
    ...REQUIRED_TEXT,
    values: ['tls', 'scram-sha-512', 'custom', 'oauth'],
    oldApiValues: ['oauth'],
  },
  networkPolicyPeers: { shape: Shape.FREE_LIST },
  configuration: { shape: Shape.MAP },
  'configuration.brokerCertChainAndKey': { shape: Shape.MAP },
  'configuration.brokerCertChainAndKey.secretName': REQUIRED_TEXT,
  'configuration.brokerCertChainAndKey.certificate': REQUIRED_TEXT,
  'configuration.brokerCertChainAndKey.key': REQUIRED_TEXT,
  'configuration.class': { ...TEXT, types: ['loadbalancer', 'ingress'] },
  'configuration.externalTrafficPolicy': { ...TEXT, values: ['Local', 'Cluster'], types: WITH_NODE_PORT },
  'configuration.loadBalancerSourceRanges': { shape: Shape.TEXTS, types: LOAD_BALANCER, emptyIsFine: true },
  'configuration.finalizers': { shape: Shape.TEXTS, types: LOAD_BALANCER, emptyIsFine: true },
  'configuration.allocateLoadBalancerNodePorts': { ...BOOLEAN, types: LOAD_BALANCER },
  'configuration.createBootstrapService': BOOLEAN,
  'configuration.publishNotReadyAddresses': { ...BOOLEAN, types: OWN_SERVICE },
  'configuration.ipFamilyPolicy': {
    ...TEXT,
    values: ['SingleStack', 'PreferDualStack', 'RequireDualStack'],
    types: OWN_SERVICE,
  },
  'configuration.ipFamilies': { shape: Shape.TEXTS, values: ['IPv4', 'IPv6'], types: OWN_SERVICE },
  'configuration.useServiceDnsDomain': { ...BOOLEAN, types: ['internal', 'cluster-ip'] },
  'configuration.maxConnections': INTEGER,
  'configuration.maxConnectionCreationRate': INTEGER,
  'configuration.preferredNodePortAddressType': {
    ...TEXT,
    values: ['ExternalIP', 'ExternalDNS', 'InternalIP', 'InternalDNS', 'Hostname'],
    types: ['nodeport'],
  },
  'configuration.hostTemplate': { ...TEXT, types: WITH_HOST },
  'configuration.advertisedHostTemplate': TEXT,
  'configuration.advertisedPortTemplate': { ...TEXT, since: '1.0.0' },
  'configuration.perBrokerAnnotationsTemplate': { ...METADATA, since: '1.1.0' },
  'configuration.perBrokerLabelsTemplate': { ...METADATA, since: '1.1.0' },
  'configuration.parentRefs': { shape: Shape.MAPS, since: '1.1.0', types: ['tlsroute'] },
  'configuration.parentRefs.group': TEXT,
  'configuration.parentRefs.kind': TEXT,
  'configuration.parentRefs.name': TEXT,
  'configuration.parentRefs.namespace': TEXT,
  'configuration.parentRefs.sectionName': TEXT,
  'configuration.parentRefs.port': INTEGER,
  'configuration.bootstrap': { shape: Shape.MAP },
  'configuration.bootstrap.alternativeNames': { shape: Shape.TEXTS },
  ...addressFields('configuration.bootstrap'),
  'configuration.brokers': { shape: Shape.MAPS },
  'configuration.brokers.broker': { shape: Shape.INTEGER, required: true },
  'configuration.brokers.advertisedHost': TEXT,
  'configuration.brokers.advertisedPort': INTEGER,
  ...addressFields('configuration.brokers'),
};

// The operator waits until every Service of its listeners has an address before it makes any pod.

/** Where it waits. */
export const WAITING: Citation = {
  repository: 'strimzi/strimzi-kafka-operator',
  version: '1.2.0',
  file: 'cluster-operator/src/main/java/io/strimzi/operator/cluster/operator/assembly/KafkaListenersReconciler.java',
};

/** How long the operator waits, unless its installation says otherwise: one limit for all Services that it waits for. */
export const OPERATION_TIMEOUT = { variable: 'STRIMZI_OPERATION_TIMEOUT_MS', seconds: 300 } as const;

/**
 * What controllers are taken to need of which nothing is known: the service controller of Kubernetes makes one balancer at a
 * time unless it is configured otherwise, and a cloud takes about so many seconds.
 */
export const UNKNOWN_PROVISIONING_TIME: ProvisioningTime = {
  concurrency: 1,
  seconds: 15,
  confidence: Confidence.UNVERIFIED,
  source: {
    repository: 'kubernetes/cloud-provider',
    version: 'v0.36.3',
    file: 'controllers/service/config/v1alpha1/defaults.go',
  },
};

/** A controller that gives a Service no address before a ready pod is behind it. */
export interface Withholding {
  /** As messages call it. */
  readonly name: string;
  /** Whether it does so with any traffic policy, or only with `Local`. */
  readonly when: 'always' | 'local';
  /** Classes by which its Services are known. */
  readonly classes: readonly string[];
  /** How keys of annotations and labels begin that only its Services have. */
  readonly keys: readonly string[];
  /** The annotation of a Service of policy `Cluster` with which it does not, where its value is `true`. */
  readonly unless?: string;
  /** Where that was read. */
  readonly source: Citation;
}

/** Those that are known. None of them has a class in this package: they serve clusters without a cloud. */
export const WITHHOLDING: readonly Withholding[] = [
  {
    name: 'Node IPAM of Cilium',
    when: 'local',
    classes: ['io.cilium/node'],
    keys: ['io.cilium.nodeipam/'],
    source: { repository: 'cilium/cilium', version: '02674019', file: 'operator/pkg/nodeipam/nodesvclb.go' },
  },
  {
    name: 'kube-vip from 1.2 on',
    when: 'always',
    classes: ['kube-vip.io/kube-vip-class'],
    keys: ['kube-vip.io/'],
    unless: 'kube-vip.io/allow-reconcile-without-endpoints',
    source: { repository: 'kube-vip/kube-vip', version: 'v1.2.1', file: 'pull request 1578' },
  },
  {
    name: 'ServiceLB of k3s',
    when: 'local',
    classes: [],
    keys: ['svccontroller.k3s.cattle.io/'],
    source: { repository: 'k3s-io/k3s', version: '0821db5a', file: 'pkg/cloudprovider/servicelb.go' },
  },
];

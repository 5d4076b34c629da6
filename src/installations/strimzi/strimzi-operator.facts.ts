// The Deployment of the Strimzi operator. strimzi/strimzi-kafka-operator, tags 0.45.0 to 1.2.0, compared tag by tag:
// packaging/install/cluster-operator/ (010, 050, 060), packaging/helm-charts/helm3/strimzi-kafka-operator/templates/ (051, 060),
// cluster-operator/…/ClusterOperatorConfig.java, operator-common/…/featuregates/FeatureGates.java.

import { OTHER_NAMESPACE_GUARDED_SINCE, OTHER_NAMESPACE_VARIABLE } from '../../kafka/cluster/kafka-cluster.facts';
import { OPERATION_TIMEOUT } from '../../kafka/listener/listener-waiting.facts';
import {
  CLUSTER_OPERATOR_SCRIPT,
  LEASE_NAME_VARIABLE,
  NAMESPACE_VARIABLE,
} from '../../kafka/operator/cluster-operator.facts';

const DEPLOYMENT = 'packaging/install/cluster-operator/060-Deployment-strimzi-cluster-operator.yaml';
const CONFIG = 'cluster-operator/src/main/java/io/strimzi/operator/cluster/ClusterOperatorConfig.java';
const GATES = 'operator-common/src/main/java/io/strimzi/operator/common/featuregates/FeatureGates.java';
const CHART =
  'packaging/helm-charts/helm3/strimzi-kafka-operator/templates/060-Deployment-strimzi-cluster-operator.yaml';

/** Something that some versions have. */
export interface SomeVersions {
  /** The first version that has it; all that are known where it is unset. */
  readonly since?: string;
  /** The first version that has it no more. */
  readonly until?: string;
  /** Where it was read. */
  readonly file: string;
  /** In which tag it was read. */
  readonly tag: string;
}

/** Names of the installation where nobody says otherwise. */
export const OPERATOR_NAME = 'strimzi-cluster-operator';

/** The label of every object of the installation. */
export const OPERATOR_LABELS = { app: 'strimzi' } as const;

/** The labels of the operator's pods beside `name`. Network policies of Kafka let in pods that carry the second. */
export const POD_LABELS = { name: 'name', kind: 'strimzi.io/kind' } as const;

export const POD_KIND = 'cluster-operator';

/** Where images are, and how those of the release are called. */
export const IMAGES = {
  registry: 'quay.io',
  repository: 'strimzi',
  operator: 'operator',
  kafka: 'kafka',
  bridge: 'kafka-bridge',
  kaniko: 'kaniko-executor',
  buildah: 'buildah',
  maven: 'maven-builder',
} as const;

/** The bridge has versions of its own: the newest one that a version of the operator reaches. */
export const BRIDGES: readonly (SomeVersions & { readonly bridge: string })[] = [
  { bridge: '0.31.1', file: DEPLOYMENT, tag: '0.45.0' },
  { bridge: '0.31.2', since: '0.45.1', file: DEPLOYMENT, tag: '0.45.1' },
  { bridge: '0.32.0', since: '0.46.0', file: DEPLOYMENT, tag: '0.46.0' },
  { bridge: '0.33.1', since: '0.48.0', file: DEPLOYMENT, tag: '0.48.0' },
  { bridge: '1.0.0', since: '1.0.0', file: DEPLOYMENT, tag: '1.0.0' },
  { bridge: '1.1.0', since: '1.2.0', file: DEPLOYMENT, tag: '1.2.0' },
];

/** A variable of the operator. */
export interface OperatorVariable extends SomeVersions {
  readonly name: string;
  /** The prop that decides it; without one it may be replaced freely. */
  readonly prop?: string;
  /** It is written only where the prop says something. */
  readonly onlyWhenSaid?: boolean;
  /** It names images by version of Kafka or of the bridge, so it is unknown for a release that is. */
  readonly ofRelease?: boolean;
}

/** In the order of the vendor's file. */
export const VARIABLES: readonly OperatorVariable[] = [
  { name: NAMESPACE_VARIABLE, prop: 'watch', file: DEPLOYMENT, tag: '1.2.0' },
  {
    name: 'STRIMZI_FULL_RECONCILIATION_INTERVAL_MS',
    prop: 'fullReconciliationInterval',
    file: DEPLOYMENT,
    tag: '1.2.0',
  },
  { name: OPERATION_TIMEOUT.variable, prop: 'operationTimeout', file: DEPLOYMENT, tag: '1.2.0' },
  { name: 'STRIMZI_DEFAULT_KAFKA_EXPORTER_IMAGE', ofRelease: true, file: DEPLOYMENT, tag: '1.2.0' },
  { name: 'STRIMZI_DEFAULT_CRUISE_CONTROL_IMAGE', ofRelease: true, file: DEPLOYMENT, tag: '1.2.0' },
  { name: 'STRIMZI_KAFKA_IMAGES', ofRelease: true, file: DEPLOYMENT, tag: '1.2.0' },
  { name: 'STRIMZI_KAFKA_CONNECT_IMAGES', ofRelease: true, file: DEPLOYMENT, tag: '1.2.0' },
  { name: 'STRIMZI_KAFKA_MIRROR_MAKER_IMAGES', until: '0.46.0', ofRelease: true, file: DEPLOYMENT, tag: '0.45.2' },
  { name: 'STRIMZI_KAFKA_MIRROR_MAKER_2_IMAGES', ofRelease: true, file: DEPLOYMENT, tag: '1.2.0' },
  { name: 'STRIMZI_DEFAULT_TOPIC_OPERATOR_IMAGE', file: DEPLOYMENT, tag: '1.2.0' },
  { name: 'STRIMZI_DEFAULT_USER_OPERATOR_IMAGE', file: DEPLOYMENT, tag: '1.2.0' },
  { name: 'STRIMZI_DEFAULT_KAFKA_INIT_IMAGE', file: DEPLOYMENT, tag: '1.2.0' },
  { name: 'STRIMZI_DEFAULT_KAFKA_BRIDGE_IMAGE', ofRelease: true, file: DEPLOYMENT, tag: '1.2.0' },
  { name: 'STRIMZI_DEFAULT_KANIKO_EXECUTOR_IMAGE', file: DEPLOYMENT, tag: '1.2.0' },
  { name: 'STRIMZI_DEFAULT_BUILDAH_IMAGE', since: '0.49.0', file: DEPLOYMENT, tag: '0.49.0' },
  { name: 'STRIMZI_DEFAULT_MAVEN_BUILDER', file: DEPLOYMENT, tag: '1.2.0' },
  { name: 'STRIMZI_OPERATOR_NAMESPACE', prop: 'namespace', file: DEPLOYMENT, tag: '1.2.0' },
  { name: 'STRIMZI_FEATURE_GATES', prop: 'featureGates', file: DEPLOYMENT, tag: '1.2.0' },
  { name: 'STRIMZI_LEADER_ELECTION_ENABLED', prop: 'leaderElection', file: DEPLOYMENT, tag: '1.2.0' },
  { name: LEASE_NAME_VARIABLE, prop: 'leaderElection', file: DEPLOYMENT, tag: '1.2.0' },
  { name: 'STRIMZI_LEADER_ELECTION_LEASE_NAMESPACE', prop: 'leaderElection', file: DEPLOYMENT, tag: '1.2.0' },
  { name: 'STRIMZI_LEADER_ELECTION_IDENTITY', prop: 'leaderElection', file: DEPLOYMENT, tag: '1.2.0' },
  {
    name: 'STRIMZI_NETWORK_POLICY_GENERATION',
    prop: 'networkPolicyGeneration',
    onlyWhenSaid: true,
    file: CONFIG,
    tag: '1.2.0',
  },
  {
    name: 'STRIMZI_POD_DISRUPTION_BUDGET_GENERATION',
    prop: 'podDisruptionBudgetGeneration',
    onlyWhenSaid: true,
    file: CONFIG,
    tag: '1.2.0',
  },
  {
    name: OTHER_NAMESPACE_VARIABLE,
    prop: 'entityOperatorWatchedNamespace',
    onlyWhenSaid: true,
    since: OTHER_NAMESPACE_GUARDED_SINCE,
    file: CONFIG,
    tag: '1.0.1',
  },
  {
    name: 'STRIMZI_POD_SECURITY_PROVIDER_CLASS',
    prop: 'podSecurityProvider',
    onlyWhenSaid: true,
    file: CONFIG,
    tag: '1.2.0',
  },
  {
    name: 'STRIMZI_LABELS_EXCLUSION_PATTERN',
    prop: 'labelsExclusionPattern',
    onlyWhenSaid: true,
    file: CHART,
    tag: '1.2.0',
  },
  { name: 'STRIMZI_IMAGE_PULL_SECRETS', prop: 'imagePullSecrets', onlyWhenSaid: true, file: CONFIG, tag: '1.2.0' },
  {
    name: 'STRIMZI_LOG_LEVEL',
    prop: 'logLevel',
    onlyWhenSaid: true,
    file: 'packaging/install/cluster-operator/050-ConfigMap-strimzi-cluster-operator.yaml',
    tag: '1.2.0',
  },
];

/** What the vendor's file says where no prop says otherwise. */
export const DEFAULTS = { operationTimeoutSeconds: OPERATION_TIMEOUT.seconds, fullReconciliationSeconds: 120 } as const;

/** The name of the lease: the only one that the role for leader election opens. */
export const LEASE_NAME = 'strimzi-cluster-operator';

/** A feature gate: an operator that is told of any other does not start. */
export interface FeatureGate extends SomeVersions {
  readonly name: string;
  /** The prop of StrimziFeatureGates. */
  readonly prop: string;
  /** Versions from which it is on unless it is switched off; never where it is unset. */
  readonly onSince?: string;
}

export const FEATURE_GATES: readonly FeatureGate[] = [
  {
    name: 'ContinueReconciliationOnManualRollingUpdateFailure',
    prop: 'continueReconciliationOnManualRollingUpdateFailure',
    onSince: '0.45.0',
    until: '0.46.0',
    file: GATES,
    tag: '0.45.2',
  },
  {
    name: 'ServerSideApplyPhase1',
    prop: 'serverSideApplyPhase1',
    since: '0.48.0',
    onSince: '0.51.0',
    until: '1.2.0',
    file: GATES,
    tag: '1.1.0',
  },
  {
    name: 'UseConnectBuildWithBuildah',
    prop: 'useConnectBuildWithBuildah',
    since: '0.49.0',
    onSince: '1.0.0',
    file: GATES,
    tag: '1.2.0',
  },
  { name: 'UseBackgroundPodDeletion', prop: 'useBackgroundPodDeletion', since: '1.1.0', file: GATES, tag: '1.2.0' },
];

/** The container. */
export const CONTAINER = {
  args: [CLUSTER_OPERATOR_SCRIPT],
  port: { name: 'http', containerPort: 8080 },
  paths: { liveness: '/healthy', readiness: '/ready' },
  delaySeconds: 10,
  periodSeconds: 30,
  resources: { limits: { cpu: '1', memory: '384Mi' }, requests: { cpu: '200m', memory: '384Mi' } },
  mounts: {
    tmp: { name: 'strimzi-tmp', mountPath: '/tmp' },
    config: { name: 'co-config-volume', mountPath: '/opt/strimzi/custom-config/' },
    token: { name: 'kube-api-access', mountPath: '/var/run/secrets/kubernetes.io/serviceaccount' },
  },
  tmpSize: '1Mi',
} as const;

/** From here the vendor's file has a restricted security context and a projected token. */
export const RESTRICTED_SINCE = '1.2.0';

/** The ConfigMap with the configuration of Log4j 2: its key, and loggers with a level of their own. */
export const LOGGING = {
  key: 'log4j2.properties',
  monitorSeconds: 30,
  pattern: '%d{yyyy-MM-dd HH:mm:ss} %-5p %c{1}:%L - %m%n',
  levelVariable: 'STRIMZI_LOG_LEVEL',
  level: 'INFO',
} as const;

export const LOGGERS: readonly (SomeVersions & {
  readonly id: string;
  readonly logger: string;
  readonly level: string;
})[] = [
  {
    id: 'kafka',
    logger: 'org.apache.kafka',
    level: 'WARN',
    file: 'packaging/install/cluster-operator/050-ConfigMap-strimzi-cluster-operator.yaml',
    tag: '1.2.0',
  },
  {
    id: 'zookeepertrustmanager',
    logger: 'org.apache.zookeeper',
    level: 'WARN',
    until: '0.46.0',
    file: 'packaging/install/cluster-operator/050-ConfigMap-strimzi-cluster-operator.yaml',
    tag: '0.45.2',
  },
  {
    id: 'netty',
    logger: 'io.netty',
    level: 'INFO',
    file: 'packaging/install/cluster-operator/050-ConfigMap-strimzi-cluster-operator.yaml',
    tag: '1.2.0',
  },
];

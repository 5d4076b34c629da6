// The Deployment of the Strimzi operator. strimzi/strimzi-kafka-operator, tags 0.45.0 to 1.2.0, compared tag by tag:
// packaging/install/cluster-operator/ (010, 050, 060), packaging/helm-charts/helm3/strimzi-kafka-operator/templates/ (051, 060),
// cluster-operator/…/ClusterOperatorConfig.java, operator-common/…/featuregates/FeatureGates.java.

import { OPERATION_TIMEOUT } from '../../kafka/listener/listener-waiting.facts';
import {
  CLUSTER_OPERATOR_SCRIPT,
  LEASE_NAME_VARIABLE,
  NAMESPACE_VARIABLE,
} from '../../kafka/operator/cluster-operator.facts';

const DEPLOYMENT = 'packaging/install/cluster-operator/060-Deployment-strimzi-cluster-operator.yaml';
const CONFIG = 'cluster-operator/src/main/java/io/strimzi/operator/cluster/ClusterOperatorConfig.java';
const GATES = 'operator-common/src/main/java/io/strimzi/operator/common/featuregates/FeatureGates.java';

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

/** Names of the installation unless set otherwise. */
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

/** The gates that are set. */
export const FEATURE_GATES_VARIABLE = 'STRIMZI_FEATURE_GATES';

/** In the order of the vendor's file. */
export const VARIABLES: readonly OperatorVariable[] = [
  { name: NAMESPACE_VARIABLE, prop: 'watch', file: DEPLOYMENT, tag: '1.2.0' },
  { name: 'STRIMZI_FULL_RECONCILIATION_INTERVAL_MS', file: DEPLOYMENT, tag: '1.2.0' },
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
  { name: FEATURE_GATES_VARIABLE, prop: 'featureGates', file: DEPLOYMENT, tag: '1.2.0' },
  { name: 'STRIMZI_LEADER_ELECTION_ENABLED', prop: 'leaderElection', file: DEPLOYMENT, tag: '1.2.0' },
  { name: LEASE_NAME_VARIABLE, prop: 'leaderElection', file: DEPLOYMENT, tag: '1.2.0' },
  { name: 'STRIMZI_LEADER_ELECTION_LEASE_NAMESPACE', prop: 'leaderElection', file: DEPLOYMENT, tag: '1.2.0' },
  { name: 'STRIMZI_LEADER_ELECTION_IDENTITY', prop: 'leaderElection', file: DEPLOYMENT, tag: '1.2.0' },
  { name: 'STRIMZI_IMAGE_PULL_SECRETS', prop: 'imagePullSecrets', onlyWhenSaid: true, file: CONFIG, tag: '1.2.0' },
];

/** What the vendor's file says where no prop says otherwise. */
export const DEFAULTS = { operationTimeoutSeconds: OPERATION_TIMEOUT.seconds, fullReconciliationSeconds: 120 } as const;

/** The name of the lease: the only one that the role for leader election opens. */
export const LEASE_NAME = 'strimzi-cluster-operator';

/** A feature gate: an operator that is configured with any other does not start. */
export interface FeatureGate extends SomeVersions {
  readonly name: string;
  /** Versions from which it is on unless it is switched off; never where it is unset. */
  readonly onSince?: string;
}

export const FEATURE_GATES: readonly FeatureGate[] = [
  {
    name: 'ContinueReconciliationOnManualRollingUpdateFailure',
    onSince: '0.45.0',
    until: '0.46.0',
    file: GATES,
    tag: '0.45.2',
  },
  {
    name: 'ServerSideApplyPhase1',
    since: '0.48.0',
    onSince: '0.51.0',
    until: '1.2.0',
    file: GATES,
    tag: '1.1.0',
  },
  {
    name: 'UseConnectBuildWithBuildah',
    since: '0.49.0',
    onSince: '1.0.0',
    file: GATES,
    tag: '1.2.0',
  },
  { name: 'UseBackgroundPodDeletion', since: '1.1.0', file: GATES, tag: '1.2.0' },
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

// The custom resource definitions of a release, and what distinguishes those of one release from those of another.
// strimzi/strimzi-kafka-operator, tags 0.45.0 to 1.2.0, packaging/install/cluster-operator/04*-Crd-*.yaml, compared field by
// field: patches of one minor version have the same fields, but for 0.45.1; 0.51 has those of 0.50.

export const DEFINITION = { apiGroup: 'apiextensions.k8s.io', kind: 'CustomResourceDefinition' } as const;

/** The labels by which the vendor's definitions are known. */
export const DEFINITION_LABELS = { app: 'strimzi', 'strimzi.io/crd-install': 'true' } as const;

/** The domain of names of definitions that belong to the operator. */
export const DEFINITION_DOMAIN = '.strimzi.io';

const INSTALL = 'packaging/install/cluster-operator';
const kind = (name: string, file: string, versions: Partial<SomeVersions> = {}) => ({
  name,
  file: `${INSTALL}/${file}`,
  tag: '1.2.0',
  ...versions,
});

/** Without any of these the operator does not start: it watches all of them. */
export const DEFINITIONS: readonly (SomeVersions & { readonly name: string })[] = [
  kind('kafkas.kafka.strimzi.io', '040-Crd-kafka.yaml'),
  kind('kafkaconnects.kafka.strimzi.io', '041-Crd-kafkaconnect.yaml'),
  kind('strimzipodsets.core.strimzi.io', '042-Crd-strimzipodset.yaml'),
  kind('kafkatopics.kafka.strimzi.io', '043-Crd-kafkatopic.yaml'),
  kind('kafkausers.kafka.strimzi.io', '044-Crd-kafkauser.yaml'),
  kind('kafkamirrormakers.kafka.strimzi.io', '045-Crd-kafkamirrormaker.yaml', { until: '0.46.0', tag: '0.45.2' }),
  kind('kafkanodepools.kafka.strimzi.io', '045-Crd-kafkanodepool.yaml'),
  kind('kafkabridges.kafka.strimzi.io', '046-Crd-kafkabridge.yaml'),
  kind('kafkaconnectors.kafka.strimzi.io', '047-Crd-kafkaconnector.yaml'),
  kind('kafkamirrormaker2s.kafka.strimzi.io', '048-Crd-kafkamirrormaker2.yaml'),
  kind('kafkarebalances.kafka.strimzi.io', '049-Crd-kafkarebalance.yaml'),
];

/** A field of every API version that is served, by which definitions of a release are known; lists are passed through. */
export interface TellingField extends SomeVersions {
  readonly definition: string;
  readonly path: string;
}

export const TELLING_FIELDS: readonly TellingField[] = [
  {
    definition: 'kafkanodepools.kafka.strimzi.io',
    path: 'spec.resources.claims.request',
    since: '0.45.1',
    file: `${INSTALL}/04A-Crd-kafkanodepool.yaml`,
    tag: '0.45.1',
  },
  {
    definition: 'kafkanodepools.kafka.strimzi.io',
    path: 'spec.template.pod.dnsPolicy',
    since: '0.46.0',
    file: `${INSTALL}/045-Crd-kafkanodepool.yaml`,
    tag: '0.46.0',
  },
  {
    definition: 'kafkaconnects.kafka.strimzi.io',
    path: 'spec.plugins',
    since: '0.47.0',
    file: `${INSTALL}/041-Crd-kafkaconnect.yaml`,
    tag: '0.47.0',
  },
  {
    definition: 'kafkabridges.kafka.strimzi.io',
    path: 'spec.metricsConfig',
    since: '0.48.0',
    file: `${INSTALL}/046-Crd-kafkabridge.yaml`,
    tag: '0.48.0',
  },
  {
    definition: 'kafkanodepools.kafka.strimzi.io',
    path: 'spec.template.pod.hostUsers',
    since: '0.50.0',
    file: `${INSTALL}/045-Crd-kafkanodepool.yaml`,
    tag: '0.50.0',
  },
  {
    definition: 'kafkausers.kafka.strimzi.io',
    path: 'spec.authentication.validityDays',
    since: '1.1.0',
    file: `${INSTALL}/044-Crd-kafkauser.yaml`,
    tag: '1.1.0',
  },
  {
    definition: 'kafkanodepools.kafka.strimzi.io',
    path: 'spec.template.pod.templatedVolumes',
    since: '1.2.0',
    file: `${INSTALL}/045-Crd-kafkanodepool.yaml`,
    tag: '1.2.0',
  },
];

/** The definition whose served API versions are compared. */
export const KAFKA_DEFINITION = 'kafkas.kafka.strimzi.io';

/** Where the vendor has the definitions of all kinds in one file. */
const RELEASES = 'https://github.com/strimzi/strimzi-kafka-operator/releases/download';

export const releaseFileName = (version: string): string => `strimzi-crds-${version}.yaml`;

export const releaseFileUrl = (version: string): string => `${RELEASES}/${version}/${releaseFileName(version)}`;

/**
 * SHA-256 of the file with the definitions, by release: the files packaging/install/cluster-operator/*-Crd-*.yaml of the tag, joined
 * as release_single_file of strimzi/strimzi-kafka-operator:Makefile joins them.
 */
export const RELEASE_FILE_SHA256: Readonly<Record<string, string>> = {
  '0.45.0': 'e859c73429319225b4a52e78dd03ec4d061dcb75b67140d327a0996ea162bdf4',
  '0.45.1': 'fbf66e3326782f9aba03a4447eb319d1113550f5999bc736907892d57d050ad1',
  '0.45.2': 'fbf66e3326782f9aba03a4447eb319d1113550f5999bc736907892d57d050ad1',
  '0.46.0': '81cc621b04f1ca6acb4cf4c6c2070c82a4e71d416011466dd3184bf3be4114e2',
  '0.46.1': '81cc621b04f1ca6acb4cf4c6c2070c82a4e71d416011466dd3184bf3be4114e2',
  '0.47.0': '60dabbf272d17ecdc0d95acdd135c6105472a0ea9ee3126cc24dbb9bcb23222d',
  '0.48.0': '5a2c6579e45e2263b3d44d4ca2d25ddfb293b34bff6deb4bfc9aa69bb69632c8',
  '0.49.0': '28c9c98c324dbe5dbeb5f97ba9f78bc4e83b3a342d654a921aa6cc300f242d37',
  '0.49.1': '80934c2739706c8f79b1d358bb755ca8d6d971f9eed3bf5b2b6cfc30e5c2723e',
  '0.50.0': 'ef87c9aa54f4bb78c068859535b083416b16482a3616168dc6e9beb319fc3bc7',
  '0.50.1': 'ef87c9aa54f4bb78c068859535b083416b16482a3616168dc6e9beb319fc3bc7',
  '0.51.0': 'a11257e67985a946a6facfb17d729aac5670b89675d410d13162fe455a5ac7a8',
  '1.0.0': '6edef9139c1b6f0816f7fc3592d837ec47c7862df6a1f52d94a6b988edbb32d8',
  '1.0.1': '6edef9139c1b6f0816f7fc3592d837ec47c7862df6a1f52d94a6b988edbb32d8',
  '1.1.0': 'af43f68a5f3eb8be6256d25aada98a5e94b3f505cd3ee4622e23888a3d8009cc',
  '1.2.0': '6f300e77128dc0963b8a6153c520a0f11b6f8999486a9b8e361c06aaa17860a3',
};

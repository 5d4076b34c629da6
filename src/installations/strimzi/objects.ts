import { ApiObject, type ApiObjectProps } from 'cdk8s';
import { Construct } from 'constructs';
import { reaches } from '../../contract/compare-versions';
import type { Json } from '../../contract/json';
import { POD_TEMPLATE_HASH_LABEL } from '../../contract/kubernetes.facts';
import { PodSpread } from '../../contract/options';
import { spreadPods } from '../../contract/pod-placement';
import { NAMESPACES } from '../../kafka/strimzi/strimzi.facts';
import type { StrimziVersion } from '../../kafka/strimzi/strimzi-version';
import { clusterScoped } from '../objects';
import type { OperatorBinding } from '../tables';
import { isIn } from './crd-faults';
import * as facts from './installation.facts';
import { CLUSTER_BINDINGS, CONTAINER, OPERATOR_ROLES } from './installation.facts';
import { gatesText, type OperatorSettings, rowsOf } from './operator';

export function podLabels(name: string): Record<string, string> {
  return { [facts.POD_LABELS.name]: name, [facts.POD_LABELS.kind]: facts.POD_KIND };
}

function probe(path: string): Json {
  return {
    httpGet: { path, port: facts.CONTAINER.port.name },
    initialDelaySeconds: facts.CONTAINER.delaySeconds,
    periodSeconds: facts.CONTAINER.periodSeconds,
  };
}

function resources({ props }: OperatorSettings): Json {
  const { limits, requests } = facts.CONTAINER.resources;
  const { limits: most, requests: least, ...others } = props.resources ?? {};
  return { ...others, limits: { ...limits, ...most }, requests: { ...requests, ...least } };
}

const RESTRICTED = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ['ALL'] },
  readOnlyRootFilesystem: true,
  runAsNonRoot: true,
  seccompProfile: { type: 'RuntimeDefault' },
};

/** What a ServiceAccount's token volume holds where Kubernetes adds it by itself. */
const TOKEN = {
  defaultMode: 420,
  sources: [
    { serviceAccountToken: { path: 'token', expirationSeconds: 3600 } },
    { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
    {
      downwardAPI: {
        items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }],
      },
    },
  ],
};

/** Pods that stand by for each other stand by on other nodes, where that is possible. */
function spread(pod: Json, { name, props: { nodePool }, replicas }: OperatorSettings): Json {
  if (replicas > 1) {
    const hasZones = nodePool === undefined || nodePool.zones.length > 1;
    spreadPods(pod, {
      spread: PodSpread.PREFERRED,
      matchLabels: podLabels(name),
      generation: POD_TEMPLATE_HASH_LABEL,
      zoneSpread: hasZones ? PodSpread.PREFERRED : PodSpread.NONE,
    });
  }
  return pod;
}

/** The `spec` of the Deployment. */
export function deploymentSpec(settings: OperatorSettings): Json {
  const { name, replicas, version } = settings;
  const { mounts } = facts.CONTAINER;
  const isRestricted = reaches(version, facts.RESTRICTED_SINCE);
  const labels = podLabels(name);
  return {
    replicas,
    selector: { matchLabels: labels },
    template: {
      metadata: { labels },
      spec: spread(
        {
          serviceAccountName: name,
          ...(isRestricted && { automountServiceAccountToken: false }),
          volumes: [
            ...(isRestricted ? [{ name: mounts.token.name, projected: TOKEN }] : []),
            { name: mounts.tmp.name, emptyDir: { medium: 'Memory', sizeLimit: facts.CONTAINER.tmpSize } },
            { name: mounts.config.name, configMap: { name } },
          ],
          containers: [
            {
              name,
              image: imageOf(settings, facts.IMAGES.operator),
              ports: [{ ...CONTAINER.port }],
              args: [...CONTAINER.args],
              volumeMounts: [
                ...(isRestricted ? [{ ...mounts.token, readOnly: true }] : []),
                { ...mounts.tmp },
                { ...mounts.config },
              ],
              env: operatorEnv(settings),
              livenessProbe: probe(facts.CONTAINER.paths.liveness),
              readinessProbe: probe(facts.CONTAINER.paths.readiness),
              ...(isRestricted && { securityContext: RESTRICTED }),
              resources: resources(settings),
            },
          ],
        },
        settings,
      ),
    },
  };
}

export function loggingData({ version }: OperatorSettings): Record<string, string> {
  const { key, level, levelVariable, monitorSeconds, pattern } = facts.LOGGING;
  const lines = [
    'name = COConfig',
    `monitorInterval = ${monitorSeconds}`,
    '',
    'appender.console.type = Console',
    'appender.console.name = STDOUT',
    'appender.console.layout.type = PatternLayout',
    `appender.console.layout.pattern = ${pattern}`,
    '',
    `rootLogger.level = \${env:${levelVariable}:-${level}}`,
    'rootLogger.appenderRefs = stdout',
    'rootLogger.appenderRef.console.ref = STDOUT',
    ...rowsOf(version, facts.LOGGERS).flatMap((row) => [
      '',
      `logger.${row.id}.name = ${row.logger}`,
      `logger.${row.id}.level = ${row.level}`,
    ]),
  ];
  return { [key]: lines.map((line) => `${line}\n`).join('') };
}

/** The value of a variable: a text, or a field of the pod. */
type Value = string | { readonly fieldPath: string } | undefined;

const OWN_NAMESPACE = { fieldPath: 'metadata.namespace' };
const OWN_NAME = { fieldPath: 'metadata.name' };

function imageOf(settings: OperatorSettings, name: string, tag = settings.version.version): string {
  const { imageRegistry = facts.IMAGES.registry, imageRepository = facts.IMAGES.repository } = settings.props;
  return `${[imageRegistry, imageRepository, name].filter((part) => part !== '').join('/')}:${tag}`;
}

function kafkaImage(settings: OperatorSettings, kafka: string): string {
  return imageOf(settings, facts.IMAGES.kafka, `${settings.version.version}-kafka-${kafka}`);
}

function bridgeOf(version: StrimziVersion): string {
  const reached = rowsOf(version, facts.BRIDGES);
  return reached[reached.length - 1].bridge;
}

function watched({ watch }: OperatorSettings): Value {
  if (watch.isOwn) {
    return OWN_NAMESPACE;
  }
  return watch.isAll ? NAMESPACES.all : watch.listedNamespaces.join(NAMESPACES.separator);
}

/** The values of all variables, also of those that a version does not have. */
function values(settings: OperatorSettings): Readonly<Record<string, Value>> {
  const { props, version } = settings;
  const operator = imageOf(settings, facts.IMAGES.operator);
  const newest = kafkaImage(settings, version.defaultKafkaVersion);
  const byKafka = version.kafkaVersions.map((kafka) => `${kafka}=${kafkaImage(settings, kafka)}\n`).join('');
  return {
    STRIMZI_NAMESPACE: watched(settings),
    STRIMZI_FULL_RECONCILIATION_INTERVAL_MS: String(facts.DEFAULTS.fullReconciliationSeconds * 1000),
    STRIMZI_OPERATION_TIMEOUT_MS: String(
      props.operationTimeout?.toMilliseconds() ?? facts.DEFAULTS.operationTimeoutSeconds * 1000,
    ),
    STRIMZI_DEFAULT_KAFKA_EXPORTER_IMAGE: newest,
    STRIMZI_DEFAULT_CRUISE_CONTROL_IMAGE: newest,
    STRIMZI_KAFKA_IMAGES: byKafka,
    STRIMZI_KAFKA_CONNECT_IMAGES: byKafka,
    STRIMZI_KAFKA_MIRROR_MAKER_IMAGES: byKafka,
    STRIMZI_KAFKA_MIRROR_MAKER_2_IMAGES: byKafka,
    STRIMZI_DEFAULT_TOPIC_OPERATOR_IMAGE: operator,
    STRIMZI_DEFAULT_USER_OPERATOR_IMAGE: operator,
    STRIMZI_DEFAULT_KAFKA_INIT_IMAGE: operator,
    STRIMZI_DEFAULT_KAFKA_BRIDGE_IMAGE: imageOf(settings, facts.IMAGES.bridge, bridgeOf(version)),
    STRIMZI_DEFAULT_KANIKO_EXECUTOR_IMAGE: imageOf(settings, facts.IMAGES.kaniko),
    STRIMZI_DEFAULT_BUILDAH_IMAGE: imageOf(settings, facts.IMAGES.buildah),
    STRIMZI_DEFAULT_MAVEN_BUILDER: imageOf(settings, facts.IMAGES.maven),
    STRIMZI_OPERATOR_NAMESPACE: OWN_NAMESPACE,
    STRIMZI_FEATURE_GATES: gatesText(settings.gates),
    STRIMZI_LEADER_ELECTION_ENABLED: String(settings.leaderElection),
    STRIMZI_LEADER_ELECTION_LEASE_NAME: facts.LEASE_NAME,
    STRIMZI_LEADER_ELECTION_LEASE_NAMESPACE: OWN_NAMESPACE,
    STRIMZI_LEADER_ELECTION_IDENTITY: OWN_NAME,
  };
}

function operatorEnv(settings: OperatorSettings): Json[] {
  const { props, version } = settings;
  const all = values(settings);
  const extra = { ...props.extraEnv };
  const own = facts.VARIABLES.filter((row) => isIn(version, row)).flatMap(({ name }) => {
    const value = extra[name] ?? all[name];
    delete extra[name];
    return value === undefined ? [] : [entry(name, value)];
  });
  return [...own, ...Object.entries(extra).map(([name, value]) => entry(name, value))];
}

function entry(name: string, value: Exclude<Value, undefined>): Json {
  return typeof value === 'string'
    ? { name, value }
    : { name, valueFrom: { fieldRef: { apiVersion: 'v1', ...value } } };
}

const GROUP = 'rbac.authorization.k8s.io';
const API_VERSION = `${GROUP}/v1`;

interface Rights {
  readonly scope: Construct;
  readonly settings: OperatorSettings;
  readonly labels: { [key: string]: string };
}

export function addRights(scope: Construct, settings: OperatorSettings, labels: { [key: string]: string }): void {
  const rights = { scope: new Construct(scope, 'Rbac'), settings, labels };
  const { watch, createsClusterScoped, leaderElection } = settings;
  if (createsClusterScoped) {
    addRoles(rights);
    for (const binding of [...CLUSTER_BINDINGS, ...(watch.isAll ? facts.WATCH_ALL_BINDINGS : [])]) {
      addClusterBinding(rights, binding);
    }
  }
  for (const binding of leaderElection ? facts.OWN_BINDINGS : []) {
    addBinding(rights, binding, settings.namespace);
  }
  for (const namespace of watch.isOwn ? [settings.namespace] : new Set(watch.listedNamespaces)) {
    for (const binding of facts.WATCH_BINDINGS) {
      addBinding(rights, binding, namespace);
    }
  }
}

export function clusterScopedNames({ createsClusterScoped, name, watch }: OperatorSettings): string[] {
  if (!createsClusterScoped) {
    return [];
  }
  const bindings = [...CLUSTER_BINDINGS, ...(watch.isAll ? facts.WATCH_ALL_BINDINGS : [])];
  return [
    ...OPERATOR_ROLES.map((role) => `ClusterRole ${role.name}`),
    ...bindings.map(({ suffix }) => `ClusterRoleBinding ${name}${suffix}`),
  ];
}

function addRoles({ scope, settings, labels }: Rights): void {
  for (const role of facts.OPERATOR_ROLES) {
    clusterScoped(scope, role.name, {
      apiVersion: API_VERSION,
      kind: 'ClusterRole',
      metadata: { name: role.name, labels },
      rules: rowsOf(settings.version, role.rules).map(({ groups, resources, resourceNames, verbs }) => ({
        apiGroups: [...groups],
        resources: [...resources],
        ...(resourceNames && { resourceNames: [...resourceNames] }),
        verbs: [...verbs],
      })),
    } as Json & ApiObjectProps);
  }
}

function addClusterBinding(rights: Rights, binding: OperatorBinding): void {
  const name = `${rights.settings.name}${binding.suffix}`;
  clusterScoped(rights.scope, `Cluster${binding.suffix}`, {
    apiVersion: API_VERSION,
    kind: 'ClusterRoleBinding',
    metadata: { name, labels: rights.labels },
    ...bound(rights, binding),
  });
}

function addBinding(rights: Rights, binding: OperatorBinding, namespace: string | undefined): void {
  const name = `${rights.settings.name}${binding.suffix}`;
  new ApiObject(rights.scope, `Namespace${binding.suffix}-${namespace ?? ''}`, {
    apiVersion: API_VERSION,
    kind: 'RoleBinding',
    metadata: { name, namespace, labels: rights.labels },
    ...bound(rights, binding),
  });
}

function bound({ settings: { name, namespace } }: Rights, { role }: OperatorBinding): Json {
  return {
    subjects: [{ kind: 'ServiceAccount', name, namespace }],
    roleRef: { kind: 'ClusterRole', name: role, apiGroup: GROUP },
  };
}

import type { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { reaches } from '../../contract/compare-versions';
import type { Json } from '../../contract/json';
import { POD_TEMPLATE_HASH_LABEL } from '../../contract/kubernetes.facts';
import { PodSpread } from '../../contract/options';
import { spreadPods } from '../../contract/pod-placement';
import { filled } from '../../contract/rule';
import { NAMESPACES } from '../../kafka/strimzi/strimzi.facts';
import type { StrimziVersion } from '../../kafka/strimzi/strimzi-version';
import { addObjects, filledTemplate, type TemplateValues } from '../objects';
import type { OperatorBinding } from '../tables';
import { isIn } from './crd-faults';
import * as facts from './installation.facts';
import { gatesText, type OperatorSettings, rowsOf, watchesAll } from './operator';

export function makeObjects(scope: Construct, settings: OperatorSettings): Readonly<Record<string, ApiObject>> {
  const { name, namespace, replicas } = settings;
  const own = { name, namespace };
  const account = addObjects(scope, facts.SERVICE_ACCOUNT, own);
  addRights(new Construct(scope, 'Rbac'), settings);
  const logging = loggingOf(settings);
  return { ...account, ...addObjects(scope, facts.WORKLOAD, { ...own, replicas, logging, pod: podOf(settings) }) };
}

export function podLabels(name: string): Record<string, string> {
  return filledTemplate(facts.POD_LABELS, { name });
}

function podOf(settings: OperatorSettings): Json {
  const { name, replicas, version } = settings;
  const { limits, requests, ...resources } = settings.props.resources ?? {};
  const { nodePool } = settings.props;
  const pod = filledTemplate(facts.POD, {
    name,
    image: imageOf(settings, facts.IMAGES.operator),
    env: operatorEnv(settings),
    resources: {
      ...resources,
      limits: { ...facts.RESOURCES.limits, ...limits },
      requests: { ...facts.RESOURCES.requests, ...requests },
    },
    ...(reaches(version, facts.RESTRICTED_SINCE) && facts.RESTRICTED),
  });
  // pods that stand by for each other stand by on other nodes, if that is possible
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

function loggingOf({ version }: OperatorSettings): string {
  const { variable, level } = facts.LOG_LEVEL;
  const root = filled(facts.LOGGING, { level: `\${env:${variable}:-${level}}` });
  const loggers = rowsOf(version, facts.LOGGERS).map(
    ({ id, logger, level }) => `\nlogger.${id}.name = ${logger}\nlogger.${id}.level = ${level}\n`,
  );
  return [root, ...loggers].join('');
}

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

const OWN_NAMESPACE = { fieldPath: 'metadata.namespace' };

function valuesOf(settings: OperatorSettings): TemplateValues {
  const { gates, leaderElection, props, version } = settings;
  const { operationTimeoutSeconds } = facts.DEFAULTS;
  return {
    watched: props.watchNamespaces?.join(NAMESPACES.separator) ?? OWN_NAMESPACE,
    operationTimeout: String(props.operationTimeout?.toMilliseconds() ?? operationTimeoutSeconds * 1000),
    newestKafka: kafkaImage(settings, version.defaultKafkaVersion),
    byKafka: version.kafkaVersions.map((kafka) => `${kafka}=${kafkaImage(settings, kafka)}\n`).join(''),
    operator: imageOf(settings, facts.IMAGES.operator),
    bridge: imageOf(settings, facts.IMAGES.bridge, bridgeOf(version)),
    kaniko: imageOf(settings, facts.IMAGES.kaniko),
    buildah: imageOf(settings, facts.IMAGES.buildah),
    maven: imageOf(settings, facts.IMAGES.maven),
    gates: gatesText(gates),
    leaderElection: String(leaderElection),
  };
}

function operatorEnv(settings: OperatorSettings): Json[] {
  const values = valuesOf(settings);
  const extra = { ...settings.props.extraEnv };
  const own = facts.VARIABLES.filter((row) => isIn(settings.version, row)).map(({ name, value }) => {
    const given = extra[name] ?? filledTemplate(value, values);
    delete extra[name];
    return given === undefined ? undefined : variableOf(name, given);
  });
  return [
    ...own.filter((one) => one !== undefined),
    ...Object.entries(extra).map(([name, value]) => variableOf(name, value)),
  ];
}

function variableOf(name: string, value: string | Json): Json {
  return typeof value === 'string'
    ? { name, value }
    : { name, valueFrom: { fieldRef: { apiVersion: 'v1', ...value } } };
}

function addRights(scope: Construct, settings: OperatorSettings): void {
  const { createsClusterScoped, leaderElection, name, namespace, props, version } = settings;
  const own = { name, namespace };
  for (const { name: role, rules } of createsClusterScoped ? facts.OPERATOR_ROLES : []) {
    const ofVersion = rowsOf(version, rules).map(({ groups: apiGroups, resources, resourceNames, verbs }) => ({
      apiGroups,
      resources,
      resourceNames,
      verbs,
    }));
    addObjects(scope, facts.ROLE, { role, rules: ofVersion });
  }
  for (const binding of clusterBindings(settings)) {
    addObjects(scope, facts.CLUSTER_BINDING, { ...own, ...binding });
  }
  const watched = watchesAll(props) ? [] : [...new Set(props.watchNamespaces ?? [namespace])];
  const bindings = [
    ...(leaderElection ? facts.OWN_BINDINGS : []).map((binding) => ({ ...binding, bound: namespace })),
    ...watched.flatMap((bound) => facts.WATCH_BINDINGS.map((binding) => ({ ...binding, bound }))),
  ];
  for (const binding of bindings) {
    addObjects(scope, facts.BINDING, { ...own, ...binding, part: binding.bound ?? '' });
  }
}

function clusterBindings({ createsClusterScoped, props }: OperatorSettings): readonly OperatorBinding[] {
  const ofAll = watchesAll(props) ? facts.WATCH_ALL_BINDINGS : [];
  return createsClusterScoped ? [...facts.CLUSTER_BINDINGS, ...ofAll] : [];
}

export function clusterScopedNames(settings: OperatorSettings): string[] {
  return [
    ...(settings.createsClusterScoped ? facts.OPERATOR_ROLES : []).map((role) => `ClusterRole ${role.name}`),
    ...clusterBindings(settings).map(({ suffix }) => `ClusterRoleBinding ${settings.name}${suffix}`),
  ];
}

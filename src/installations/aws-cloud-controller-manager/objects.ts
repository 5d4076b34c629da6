import { createHash } from 'node:crypto';
import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import type { Json } from '../../contract/json';
import { HOSTNAME_LABEL } from '../../contract/kubernetes.facts';
import { keepOnPool } from '../../contract/pod-placement';
import { clusterScoped } from '../objects';
import type { CloudControllerRule } from '../tables';
import * as facts from './installation.facts';
import { CCM_HEALTH } from './installation.facts';
import { type AwsCloudConfig, AwsCloudController, type AwsCloudControllerManagerInstallationProps } from './options';

/** The controllers that run by default. */
export const USUAL_CONTROLLERS: readonly AwsCloudController[] = [
  AwsCloudController.NODE,
  AwsCloudController.NODE_LIFECYCLE,
  AwsCloudController.SERVICE,
];

/** The value of `--controllers`, or nothing where the program starts what is wanted by itself. */
function controllersFlag(wanted: readonly AwsCloudController[]): string | undefined {
  const differing = facts.CLOUD_CONTROLLERS.filter(
    // routes have a flag of their own
    ({ name, byDefault }) =>
      name !== AwsCloudController.ROUTE && byDefault !== wanted.includes(name as AwsCloudController),
  );
  return differing.length === 0
    ? undefined
    : ['*', ...differing.map(({ name, byDefault }) => (byDefault ? `-${name}` : name))].join(',');
}

/** The arguments of the program: those of props, and others. */
function argsOf(props: AwsCloudControllerManagerInstallationProps): string[] {
  const { clusterCidrs, clusterName, flags = {} } = props;
  const wanted = props.controllers ?? USUAL_CONTROLLERS;
  const controllers = controllersFlag(wanted);
  const own = {
    ...(flags.v === undefined && { v: '2' }),
    'cloud-provider': 'aws',
    'cloud-config': `${facts.CLOUD_CONFIG_FILE.folder}/${facts.CLOUD_CONFIG_FILE.key}`,
    'cluster-name': clusterName,
    'configure-cloud-routes': String(wanted.includes(AwsCloudController.ROUTE)),
    ...(clusterCidrs && { 'cluster-cidr': clusterCidrs.join(',') }),
    ...(controllers && { controllers }),
  };
  return [...Object.entries(own), ...Object.entries(flags)].map(([flag, value]) => `--${flag}=${value}`);
}

/** Whether a program with these flags runs a controller, as it reads `--controllers`. */
export function runs(flags: Readonly<Record<string, string>>, controller: AwsCloudController): boolean {
  const names = (flags.controllers ?? '*').split(',').map((name) => name.trim());
  if (names.includes(controller)) {
    return true;
  }
  const byDefault = facts.CLOUD_CONTROLLERS.some(({ name, byDefault }) => name === controller && byDefault);
  return !names.includes(`-${controller}`) && names.includes('*') && byDefault;
}

type Line = readonly [key: string, value: string];

const PLAIN = /^[\w.:/-]+$/;

/** A line of the file: what is no plain text would end at a `#` or `;`. */
function written([key, value]: Line): string {
  return `${key} = ${PLAIN.test(value) ? value : `"${value.replace(/(["\\])/g, '\\$1')}"`}`;
}

export function cloudConfigFile({ globalKeys, ...config }: AwsCloudConfig): string {
  const values: Readonly<Record<string, unknown>> = {
    ...config,
    disableSecurityGroupIngress: config.disableSecurityGroupIngress || undefined,
    nlbSecurityGroupMode: config.nlbSecurityGroups ? 'Managed' : undefined,
    sharedHealthCheck: config.sharedHealthCheck ? 'Shared' : undefined,
  };
  const own = Object.entries(facts.CLOUD_CONFIG_KEYS).flatMap(([option, key]): Line[] =>
    values[option] === undefined ? [] : [[key, String(values[option])]],
  );
  return `${['[Global]', ...[...own, ...(Object.entries(globalKeys ?? {}) as Line[])].map(written)].join('\n')}\n`;
}

/** The keys of the section `Global` of a finished file. */
export function globalOf(file: string): Record<string, string> {
  const [, global = ''] = /^\s*\[Global\]([\s\S]*?)(?=^\s*\[|(?![\s\S]))/im.exec(file) ?? [];
  return Object.fromEntries(
    [...global.matchAll(/^\s*(\w+)\s*=\s*"?(.*?)"?\s*$/gm)].map(([, key, value]) => [key.toLowerCase(), value]),
  );
}

const VOLUME = 'cloud-config';

/** An installation that sets by flag where it listens must set how it is asked, by a patch. */
function probes({ flags = {} }: AwsCloudControllerManagerInstallationProps): Json {
  if (facts.CCM_HEALTH_FLAGS.some((flag) => flag in flags)) {
    return {};
  }
  const { failures, failuresAtStart, periodSeconds, timeoutSeconds } = facts.CCM_PATIENCE;
  const probe = (failureThreshold: number) => ({
    httpGet: { ...CCM_HEALTH },
    failureThreshold,
    periodSeconds,
    timeoutSeconds,
  });
  return { livenessProbe: probe(failures), startupProbe: probe(failuresAtStart) };
}

function container(props: AwsCloudControllerManagerInstallationProps): Json {
  const { folder } = facts.CLOUD_CONFIG_FILE;
  return {
    name: facts.CCM,
    image: props.image ?? `${facts.CCM_IMAGE_REPOSITORY}:v${props.version ?? facts.CCM_VERSION}`,
    args: argsOf(props),
    resources: { requests: { cpu: facts.CCM_POD.cpuRequest } },
    ...probes(props),
    // its image runs as root, and it listens above 1024 and writes no file
    securityContext: {
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
      readOnlyRootFilesystem: true,
    },
    volumeMounts: [{ name: VOLUME, mountPath: folder, readOnly: true }],
  };
}

function pod(props: AwsCloudControllerManagerInstallationProps): Json {
  const { hostNetwork = true, nodePool } = props;
  const { priorityClassName, dnsPolicy } = facts.CCM_POD;
  const spec: Json = {
    ...(!nodePool && { nodeSelector: { [facts.CONTROL_PLANE_LABEL]: '' } }),
    tolerations: [
      { key: facts.UNINITIALIZED_TAINT, value: 'true', effect: 'NoSchedule' },
      ...(nodePool ? [] : [{ key: facts.CONTROL_PLANE_LABEL, effect: 'NoSchedule' }]),
      ...(hostNetwork ? facts.NETWORKLESS_TAINTS : []).map((key) => ({
        key,
        operator: 'Exists',
        effect: 'NoSchedule',
      })),
    ],
    serviceAccountName: facts.CCM_NAMES.serviceAccount,
    priorityClassName,
    // the resolver of the node: that of the cluster may wait for nodes that this program has not seen yet
    dnsPolicy,
    ...(hostNetwork && { hostNetwork }),
    ...(hostNetwork && props.replicas !== undefined && { affinity: { podAntiAffinity: apart(props) } }),
    securityContext: { seccompProfile: { type: 'RuntimeDefault' } },
    containers: [container(props)],
    volumes: [{ name: VOLUME, configMap: { name: configMapName(props) } }],
  };
  if (nodePool) {
    keepOnPool(spec, nodePool);
  }
  return spec;
}

function apart({ name = facts.CCM }: AwsCloudControllerManagerInstallationProps): Json {
  const term = { labelSelector: { matchLabels: { [facts.CCM_LABEL]: name } }, topologyKey: HOSTNAME_LABEL };
  return { requiredDuringSchedulingIgnoredDuringExecution: [term] };
}

/** How its pods are replaced: on the network of the node the new one has its port only after the old one. */
function rollout({ replicas, hostNetwork = true }: AwsCloudControllerManagerInstallationProps): Json {
  if (replicas === undefined) {
    return { updateStrategy: { type: 'RollingUpdate' } };
  }
  const strategy = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } };
  return hostNetwork ? { replicas, strategy } : { replicas };
}

export function configMapName({ name = facts.CCM }: AwsCloudControllerManagerInstallationProps): string {
  return `${name}-${facts.CCM_NAMES.cloudConfig}`;
}

/** The `spec` of the DaemonSet, or of the Deployment. */
export function workloadSpec(props: AwsCloudControllerManagerInstallationProps, cloudConfig: string): Json {
  const { name = facts.CCM } = props;
  const labels = { [facts.CCM_LABEL]: name };
  const hash = createHash('sha256').update(cloudConfig).digest('hex').slice(0, 16);
  return {
    ...rollout(props),
    selector: { matchLabels: labels },
    template: { metadata: { labels, annotations: { [facts.CLOUD_CONFIG_HASH]: hash } }, spec: pod(props) },
  };
}

const GROUP = 'rbac.authorization.k8s.io';
const API_VERSION = `${GROUP}/v1`;

/** Rules as Kubernetes has them: one for each resource. */
function rulesJson(rules: readonly (CloudControllerRule & { readonly names?: readonly string[] })[]): Json[] {
  const merged = new Map<string, Json>();
  for (const { group, resource, verbs, names } of rules) {
    const key = JSON.stringify([group, resource, names]);
    const before = merged.get(key)?.verbs ?? [];
    merged.set(key, {
      apiGroups: [group],
      resources: [resource],
      ...(names && { resourceNames: [...names] }),
      verbs: [...before, ...verbs],
    });
  }
  return [...merged.values()];
}

export function addRights(
  scope: Construct,
  namespace: string,
  labels: { [key: string]: string },
  controllers: readonly AwsCloudController[],
): ApiObject {
  const subjects = [{ kind: 'ServiceAccount', name: facts.CCM_NAMES.serviceAccount, namespace }];
  const used = facts.CCM_CLUSTER_RULES.filter(
    ({ usedBy }) => usedBy === undefined || controllers.some((controller) => usedBy.includes(controller)),
  );
  const make = (id: string, kind: string, metadata: { name: string; namespace?: string }, rest: Json) => {
    const props = { apiVersion: API_VERSION, kind, metadata: { ...metadata, labels }, ...rest };
    return metadata.namespace === undefined ? clusterScoped(scope, id, props) : new ApiObject(scope, id, props);
  };
  const roleRef = (kind: string, name: string) => ({ apiGroup: GROUP, kind, name });

  const { clusterRole, authenticationReader, leaderElection } = facts.CCM_NAMES;
  const role = make('ClusterRole', 'ClusterRole', { name: clusterRole }, { rules: rulesJson(used) });
  make(
    'ClusterRoleBinding',
    'ClusterRoleBinding',
    { name: clusterRole },
    { roleRef: roleRef('ClusterRole', clusterRole), subjects },
  );
  make(
    'AuthenticationReader',
    'RoleBinding',
    { name: authenticationReader, namespace },
    { roleRef: roleRef('Role', facts.AUTHENTICATION_READER_ROLE), subjects },
  );
  make('LeaseRole', 'Role', { name: leaderElection, namespace }, { rules: rulesJson(facts.CCM_LEASE_RULES) });
  make(
    'LeaseRoleBinding',
    'RoleBinding',
    { name: leaderElection, namespace },
    { roleRef: roleRef('Role', leaderElection), subjects },
  );
  return role;
}

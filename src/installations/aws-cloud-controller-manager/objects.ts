import { createHash } from 'node:crypto';
import type { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import type { Json } from '../../contract/json';
import { keepOnPool } from '../../contract/pod-placement';
import { AwsCloudControllerFeature } from '../../identity/aws/options';
import { addObjects, filledTemplate } from '../objects';
import type { CloudControllerRule } from '../tables';
import * as facts from './installation.facts';
import type { AwsCloudConfig, AwsCloudControllerManagerInstallationProps } from './options';

/** Controllers by the names that the program has for them. */
export const SERVICE_CONTROLLER = 'service-lb-controller';
export const ROUTE_CONTROLLER = 'node-route-controller';
export const TAGGING_CONTROLLER = 'tagging';
const OF_NODES = ['cloud-node-controller', 'cloud-node-lifecycle-controller'];

const STARTED: Readonly<Record<AwsCloudControllerFeature, string>> = {
  [AwsCloudControllerFeature.CLASSIC_LOAD_BALANCERS]: SERVICE_CONTROLLER,
  [AwsCloudControllerFeature.NETWORK_LOAD_BALANCERS]: SERVICE_CONTROLLER,
  [AwsCloudControllerFeature.NODE_TAGS]: TAGGING_CONTROLLER,
  [AwsCloudControllerFeature.ROUTES]: ROUTE_CONTROLLER,
};

export const USUAL_FEATURES: readonly AwsCloudControllerFeature[] = [
  AwsCloudControllerFeature.CLASSIC_LOAD_BALANCERS,
  AwsCloudControllerFeature.NETWORK_LOAD_BALANCERS,
];

function controllersFor({ features = [...USUAL_FEATURES] }: AwsCloudControllerManagerInstallationProps): string[] {
  return [...OF_NODES, ...features.map((feature) => STARTED[feature])];
}

/** The value of `--controllers`, or nothing where the program starts what is wanted by itself. */
function controllersFlag(wanted: readonly string[]): string | undefined {
  const differing = facts.CLOUD_CONTROLLERS.filter(
    // routes have a flag of their own
    ({ name, byDefault }) => name !== ROUTE_CONTROLLER && byDefault !== wanted.includes(name),
  );
  return differing.length === 0
    ? undefined
    : ['*', ...differing.map(({ name, byDefault }) => (byDefault ? `-${name}` : name))].join(',');
}

function argsOf(props: AwsCloudControllerManagerInstallationProps): string[] {
  const { clusterCidrs, clusterName, flags = {} } = props;
  const wanted = controllersFor(props);
  const controllers = controllersFlag(wanted);
  const own = {
    ...(flags.v === undefined && { v: '2' }),
    'cloud-provider': 'aws',
    'cloud-config': `${facts.CLOUD_CONFIG_FILE.folder}/${facts.CLOUD_CONFIG_FILE.key}`,
    'cluster-name': clusterName,
    'configure-cloud-routes': String(wanted.includes(ROUTE_CONTROLLER)),
    ...(clusterCidrs && { 'cluster-cidr': clusterCidrs.join(',') }),
    ...(controllers && { controllers }),
  };
  return [...Object.entries(own), ...Object.entries(flags)].map(([flag, value]) => `--${flag}=${value}`);
}

/** True if a program with these flags runs a controller, as it reads `--controllers`. */
export function isControllerEnabled(flags: Readonly<Record<string, string>>, controller: string): boolean {
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

function cloudConfigFile({ globalKeys, ...config }: AwsCloudConfig): string {
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

export function globalOf(file: string): Record<string, string> {
  const [, global = ''] = /^\s*\[Global\]([\s\S]*?)(?=^\s*\[|(?![\s\S]))/im.exec(file) ?? [];
  return Object.fromEntries(
    [...global.matchAll(/^\s*(\w+)\s*=\s*"?(.*?)"?\s*$/gm)].map(([, key, value]) => [key.toLowerCase(), value]),
  );
}

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

function podOf(props: AwsCloudControllerManagerInstallationProps, name: string, configMap: string): Json {
  const { flags = {}, hostNetwork = true, nodePool, replicas } = props;
  const { uninitialized, controlPlane } = facts.CCM_TOLERATIONS;
  const networkless = facts.NETWORKLESS_TAINTS.map((key) => ({ key, operator: 'Exists', effect: 'NoSchedule' }));
  const pod = filledTemplate(facts.CCM_POD, {
    configMap,
    nodeSelector: nodePool ? undefined : { [facts.CONTROL_PLANE_LABEL]: '' },
    tolerations: [uninitialized, ...(nodePool ? [] : [controlPlane]), ...(hostNetwork ? networkless : [])],
    hostNetwork: hostNetwork || undefined,
    affinity: hostNetwork && replicas !== undefined ? filledTemplate(facts.CCM_ANTI_AFFINITY, { name }) : undefined,
    image: props.image ?? `${facts.CCM_IMAGE_REPOSITORY}:v${props.version ?? facts.CCM_VERSION}`,
    args: argsOf(props),
    // an installation that sets by flag where it listens must set how it is asked, by a patch
    ...(facts.CCM_HEALTH_FLAGS.some((flag) => flag in flags) ? {} : facts.CCM_PROBES),
  });
  if (nodePool) {
    keepOnPool(pod, nodePool);
  }
  return pod;
}

export function makeObjects(
  scope: Construct,
  props: AwsCloudControllerManagerInstallationProps,
  roleAnnotations: Json,
): Readonly<Record<string, ApiObject>> {
  const { name = facts.CCM, clusterName, replicas, hostNetwork = true } = props;
  const configMap = `${name}-${facts.CCM_NAMES.cloudConfig}`;
  const kubernetesClusterId = props.cloudConfig?.kubernetesClusterId ?? clusterName;
  const file = cloudConfigFile({ ...props.cloudConfig, kubernetesClusterId });
  const controllers = controllersFor(props);
  const used = facts.CCM_CLUSTER_RULES.filter(
    ({ usedBy }) => usedBy === undefined || controllers.some((controller) => usedBy.includes(controller)),
  );
  const kind = replicas === undefined ? 'DaemonSet' : 'Deployment';
  return addObjects(scope, facts.CCM_OBJECTS, {
    name,
    kind,
    replicas,
    configMap,
    roleAnnotations,
    clusterRules: rulesJson(used),
    leaseRules: rulesJson(facts.CCM_LEASE_RULES),
    configData: { [facts.CLOUD_CONFIG_FILE.key]: file },
    configHash: createHash('sha256').update(file).digest('hex').slice(0, 16),
    pod: podOf(props, name, configMap),
    ...(hostNetwork || kind === 'DaemonSet' ? facts.CCM_ROLLOUTS[kind] : {}),
  });
}

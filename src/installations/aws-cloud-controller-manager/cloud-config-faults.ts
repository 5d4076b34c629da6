import { portFault } from '../../contract/kubernetes-syntax';
import { KubernetesVersion } from '../../contract/kubernetes-version';
import { arnFault, isUnresolved, partitionOfRegion } from '../../identity/aws/aws-arn';
import { AWS_IDS, CCM, CLOUD_CONFIG_SINCE } from './installation.facts';
import type { AwsCloudConfig, AwsServiceEndpoint } from './options';
import type { PropRule } from './prop-rules';

/** What is wrong, what to do, and the rule; some are rules of identities and of the AWS Load Balancer Controller, too. */
export type ConfigFault = readonly [
  what: string,
  remedy: string,
  ruleId: PropRule | 'aws-arn' | 'aws-partition' | 'cluster-name',
];

function idFaults(config: AwsCloudConfig): ConfigFault[] {
  const options = Object.keys(AWS_IDS) as (keyof typeof AWS_IDS)[];
  return options.flatMap((option): ConfigFault[] => {
    const id = config[option];
    return id === undefined || isUnresolved(id) || AWS_IDS[option].test(id)
      ? []
      : [[`${option} '${id}' is not an id of AWS`, 'write the id, not the name', 'cloud-config-id']];
  });
}

function roleFaults({ roleArn, sourceArn }: AwsCloudConfig): ConfigFault[] {
  const fault =
    roleArn === undefined ? undefined : arnFault(roleArn, 'iam', /^role\/./, 'arn:aws:iam::111122223333:role/name');
  const faults: ConfigFault[] = fault ? [[`roleArn ${fault}`, 'write the ARN of the role', 'aws-arn']] : [];
  return sourceArn !== undefined && roleArn === undefined
    ? [...faults, ['sourceArn does nothing without roleArn', 'name the role, or leave it out', 'cloud-config-source']]
    : faults;
}

function networkFaults({ roleArn, subnetId, vpcId }: AwsCloudConfig): ConfigFault[] {
  if (vpcId !== undefined && subnetId === undefined && roleArn === undefined) {
    return [
      [
        `vpcId '${vpcId}' does nothing without subnetId or roleArn: the instance that it runs on is asked instead`,
        'name the subnet as well, or leave the network out',
        'cloud-config-network',
      ],
    ];
  }
  return subnetId !== undefined && vpcId === undefined
    ? [[`subnetId '${subnetId}' does nothing without vpcId`, 'name the network as well', 'cloud-config-network']]
    : [];
}

function healthCheckFaults(config: AwsCloudConfig): ConfigFault[] {
  const { sharedHealthCheck, sharedHealthCheckPath: path, sharedHealthCheckPort: port } = config;
  const id = 'cloud-config-health-check';
  if ((path !== undefined || port !== undefined) && !sharedHealthCheck) {
    return [['port and path of the shared health check do nothing without it', 'set sharedHealthCheck', id]];
  }
  const fault = port === undefined ? undefined : portFault(port);
  if (fault) {
    return [[`sharedHealthCheckPort ${fault}`, 'write the port of kube-proxy', id]];
  }
  return path !== undefined && !path.startsWith('/')
    ? [[`sharedHealthCheckPath '${path}' is not a path`, 'begin it with a slash', id]]
    : [];
}

/** A region that is no public one has interfaces of its own. */
function placeFaults({ region, zone, endpoints = [] }: AwsCloudConfig): ConfigFault[] {
  const id = 'cloud-config-region';
  if (region === undefined || isUnresolved(region)) {
    return [];
  }
  if (partitionOfRegion(region) === undefined && endpoints.length === 0) {
    return [[`region '${region}' is not an AWS region`, 'use one such as eu-west-1', id]];
  }
  return zone === undefined || isUnresolved(zone) || zone.startsWith(region)
    ? []
    : [[`zone '${zone}' is not in region '${region}'`, 'write a zone of the region, or leave one of them out', id]];
}

function endpointFaults(endpoints: readonly AwsServiceEndpoint[]): ConfigFault[] {
  const id = 'cloud-config-endpoint';
  const names = endpoints.map(({ awsService, region }) => `'${awsService}' in '${region}'`);
  return endpoints.flatMap(({ url, region, signingRegion }, i): ConfigFault[] => {
    if (names.indexOf(names[i]) !== i) {
      return [[`${names[i]} is found at two addresses`, 'keep one of them', id]];
    }
    if ([region, signingRegion].some((text) => text.trim() === '')) {
      return [[`the endpoint of ${names[i]} lacks a region`, 'write region and signingRegion', id]];
    }
    return /^https?:\/\/./.test(url) || isUnresolved(url)
      ? []
      : [[`the endpoint '${url}' of ${names[i]} is not a URL`, 'begin it with https://', id]];
  });
}

/** Whether a version is of a minor version, or of a newer one. */
export function reachesMinor(version: string, minor: string): boolean {
  return KubernetesVersion.of(version).isAtLeast(KubernetesVersion.of(minor));
}

/** What a version would read over in silence. */
export function cloudConfigVersionFaults(config: AwsCloudConfig, version: string): ConfigFault[] {
  return (Object.keys(CLOUD_CONFIG_SINCE) as (keyof typeof CLOUD_CONFIG_SINCE)[])
    .filter((option) => config[option] !== undefined && config[option] !== false)
    .filter((option) => !reachesMinor(version, CLOUD_CONFIG_SINCE[option]))
    .map((option) => [
      `cloudConfig.${option} came with ${CLOUD_CONFIG_SINCE[option]}, and ${CCM} ${version} silently ignores it`,
      `leave it out, or install ${CLOUD_CONFIG_SINCE[option]} or newer`,
      'cloud-config-version',
    ]);
}

/** All that is wrong with a cloud config. */
export function cloudConfigFaults(config: AwsCloudConfig): ConfigFault[] {
  const texts = Object.entries(config).filter(([, value]) => typeof value === 'string' && /[\r\n]/.test(value));
  const families = config.nodeIpFamilies ?? [];
  return [
    ...texts.map(
      ([option]): ConfigFault => [`${option} has more than one line`, 'write one line', 'cloud-config-line'],
    ),
    ...(families.length !== new Set(families).size
      ? ([['nodeIpFamilies names a family twice', 'name each once', 'cloud-config-families']] as ConfigFault[])
      : []),
    ...idFaults(config),
    ...placeFaults(config),
    ...roleFaults(config),
    ...networkFaults(config),
    ...healthCheckFaults(config),
    ...endpointFaults(config.endpoints ?? []),
  ];
}

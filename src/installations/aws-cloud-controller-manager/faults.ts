import { IMAGE_SYNTAX } from '../../contract/image-syntax';
import { cidrFault, dnsNameFault, isIpv6, labelValueFault } from '../../contract/kubernetes-syntax';
import { KubernetesVersion } from '../../contract/kubernetes-version';
import { ROLE_ARN_ANNOTATION } from '../../identity/aws/aws.facts';
import { isUnresolved, partitionOfRegion } from '../../identity/aws/aws-arn';
import { foreignPartition } from '../../identity/aws/aws-partition-faults';
import { unreadable } from '../aws-load-balancer-controller/flag-values';
import { type ConfigFault, cloudConfigFaults, cloudConfigVersionFaults, reachesMinor } from './cloud-config-faults';
import {
  CCM,
  CCM_FLAGS,
  CCM_IMAGE_REPOSITORY,
  CCM_KNOWN_MINORS,
  CCM_LEADER_FLAG,
  CCM_LEASE,
  CCM_LEASE_FLAGS,
  CCM_NAMESPACE,
  CCM_PRINTING_FLAGS,
  CCM_TAGGING_FLAGS,
  CCM_VERSION,
  VERSION_SYNTAX,
} from './installation.facts';
import { USUAL_CONTROLLERS } from './objects';
import { AwsCloudController, type AwsCloudControllerManagerInstallationProps } from './options';

function routeFaults({
  controllers = [],
  clusterCidrs = [],
}: AwsCloudControllerManagerInstallationProps): ConfigFault[] {
  const id = 'cloud-controller-routes';
  const wrong = clusterCidrs.map(cidrFault).find((fault) => fault !== undefined);
  if (wrong) {
    return [[`clusterCidrs: ${wrong}`, 'write the range of pods', id]];
  }
  if (clusterCidrs.length > 2 || (clusterCidrs.length === 2 && isIpv6(clusterCidrs[0]) === isIpv6(clusterCidrs[1]))) {
    return [[`clusterCidrs has ${clusterCidrs.join(', ')}`, 'write one range, or one of each family', id]];
  }
  return controllers.includes(AwsCloudController.ROUTE) && clusterCidrs.length === 0
    ? [['the controller of routes fails without clusterCidrs', 'write the range of pods, or leave ROUTE out', id]]
    : [];
}

function numberFault(option: string, value: number | undefined, least: number): ConfigFault[] {
  return value === undefined || (Number.isInteger(value) && value >= least)
    ? []
    : [[`${option} is ${value}`, `write a whole number of at least ${least}`, 'cloud-controller-number']];
}

function releaseFaults({ image, version }: AwsCloudControllerManagerInstallationProps): ConfigFault[] {
  const faults: ConfigFault[] = [];
  if (version !== undefined && !VERSION_SYNTAX.test(version)) {
    faults.push([
      `version '${version}' is not valid`,
      `write it like ${CCM_VERSION}, without a v`,
      'cloud-controller-image',
    ]);
  }
  if (image !== undefined && !isUnresolved(image) && !IMAGE_SYNTAX.test(image)) {
    faults.push([
      `image '${image}' is not a valid image reference`,
      `write it like ${CCM_IMAGE_REPOSITORY}:v${CCM_VERSION}`,
      'cloud-controller-image',
    ]);
  }
  return faults;
}

/** A role of one partition is unknown in another. */
function partitionFaults({
  cloudConfig: { region, roleArn, sourceArn } = {},
  identity,
}: AwsCloudControllerManagerInstallationProps): ConfigFault[] {
  const partition = region === undefined || isUnresolved(region) ? undefined : partitionOfRegion(region);
  const foreign = foreignPartition(
    [
      ['roleArn', roleArn],
      ['sourceArn', sourceArn],
      ['the role of identity', identity?.serviceAccountAnnotations[ROLE_ARN_ANNOTATION]],
    ],
    [],
    partition === undefined ? undefined : { who: `region '${region}'`, partition },
  );
  return foreign
    ? [[foreign.what, `write arn:${foreign.home}:, a role of the account that the cluster is in`, 'aws-partition']]
    : [];
}

/** All that is wrong with what was wished for. */
export function installationFaults(props: AwsCloudControllerManagerInstallationProps): ConfigFault[] {
  const { clusterName, controllers = USUAL_CONTROLLERS, name } = props;
  // a label of its pods has the same value
  const nameFault = name === undefined ? undefined : (dnsNameFault(name) ?? labelValueFault(name));
  const faults: ConfigFault[] = [
    ...(clusterName.trim() === '' || /[\s"]/.test(clusterName)
      ? ([
          [`clusterName '${clusterName}' is not a valid name`, 'write the name of the cluster', 'cluster-name'],
        ] as ConfigFault[])
      : []),
    ...(nameFault
      ? ([[`name: ${nameFault}`, 'write a name of Kubernetes', 'cloud-controller-name']] as ConfigFault[])
      : []),
    ...(controllers.length === 0 || new Set(controllers).size !== controllers.length
      ? ([
          ['controllers is empty, or names one twice', 'name each that is to run once', 'cloud-controller-list'],
        ] as ConfigFault[])
      : []),
    ...releaseFaults(props),
  ];
  if (faults.length > 0) {
    return faults; // what depends on the version cannot be validated without one
  }
  return [
    ...flagFaults(props),
    ...partitionFaults(props),
    ...cloudConfigVersionFaults(props.cloudConfig ?? {}, props.version ?? CCM_VERSION),
    ...routeFaults(props),
    ...numberFault('concurrentServiceSyncs', props.concurrentServiceSyncs, 1),
    ...numberFault('replicas', props.replicas, 0),
    ...numberFault('logVerbosity', props.logVerbosity, 0),
    ...cloudConfigFaults(props.cloudConfig ?? {}),
  ];
}

const ID = 'cloud-controller-flag';

/** Flags that props write. */
const OWN_FLAGS: ReadonlyMap<string, string> = new Map([
  ['v', 'logVerbosity'],
  ['cloud-provider', 'nothing: it is aws'],
  ['cloud-config', 'cloudConfig'],
  ['cluster-name', 'clusterName'],
  ['configure-cloud-routes', 'controllers'],
  ['cluster-cidr', 'clusterCidrs'],
  ['controllers', 'controllers'],
  ['concurrent-service-syncs', 'concurrentServiceSyncs'],
  ['use-service-account-credentials', 'nothing: its permissions are made for one service account'],
]);

const KINDS = new Map(CCM_FLAGS.map((fact) => [fact.flag, fact]));

/** The version that a flag came with, where an older one is installed. */
function tooNew(flag: string, version: string): string | undefined {
  const since = KINDS.get(flag)?.since;
  return since === undefined || reachesMinor(version, since) ? undefined : since;
}

function nameFault(flag: string, version: string): ConfigFault | undefined {
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(flag)) {
    return [
      `additionalFlags has '${flag}', which is not the name of a flag`,
      'write it in lower case with dashes between words, and none before them',
      ID,
    ];
  }
  const own = OWN_FLAGS.get(flag);
  if (own !== undefined) {
    return [`additionalFlags has ${flag}`, `use ${own}`, ID];
  }
  if ((CCM_PRINTING_FLAGS as readonly string[]).includes(flag)) {
    return [`additionalFlags has ${flag}, with which the program prints it and ends`, 'leave it out', ID];
  }
  if ((CCM_LEASE_FLAGS as readonly string[]).includes(flag)) {
    return [
      `additionalFlags has ${flag}, and its permissions are for the lease ${CCM_NAMESPACE}/${CCM_LEASE} alone`,
      'leave it out',
      ID,
    ];
  }
  const since = tooNew(flag, version);
  if (since) {
    return [
      `additionalFlags has ${flag}, which ${CCM} ${version} does not know: it does not start`,
      `leave it out, or install ${since}`,
      ID,
    ];
  }
  return CCM_KNOWN_MINORS.includes(KubernetesVersion.of(version).version) && !KINDS.has(flag)
    ? [
        `additionalFlags has ${flag}, which ${CCM} ${version} does not know: it does not start`,
        'write one that it knows, or name the version that knows it',
        ID,
      ]
    : undefined;
}

function valueFault(flag: string, given: string): ConfigFault | undefined {
  const value = String(given);
  const wanted = unreadable(KINDS.get(flag)?.takes ?? 'text', value);
  return wanted && [`additionalFlags has ${flag} with '${value}'`, `write it like ${wanted.example}`, ID];
}

/** All that is wrong with flags that have no prop. */
function flagFaults({
  additionalFlags = {},
  controllers = [],
  replicas,
  version = CCM_VERSION,
}: AwsCloudControllerManagerInstallationProps): ConfigFault[] {
  const faults = Object.entries(additionalFlags).map(
    ([flag, value]) => nameFault(flag, version) ?? valueFault(flag, value),
  );
  const together: ConfigFault[] =
    String(additionalFlags[CCM_LEADER_FLAG]) === 'false' && replicas !== 0 && replicas !== 1
      ? [
          [
            `additionalFlags has ${CCM_LEADER_FLAG} with 'false', and there may be several pods: all of them would work at once`,
            'leave it out, or write replicas: 1',
            ID,
          ],
        ]
      : [];
  const missing = CCM_TAGGING_FLAGS.filter((flag) => !additionalFlags[flag]);
  const tagging: ConfigFault[] =
    controllers.includes(AwsCloudController.TAGGING) && missing.length > 0
      ? [
          [
            `the controller of tags runs, and additionalFlags lacks ${missing.join(' and ')}: the whole program ends`,
            "write tags such as 'team=edge' and resources such as 'instance', or leave TAGGING out",
            ID,
          ],
        ]
      : [];
  return [...faults.filter((fault) => fault !== undefined), ...together, ...tagging];
}

import { cidrFault, dnsNameFault, isIpv6, labelValueFault } from '../../contract/kubernetes-syntax';
import { isUnresolved, partitionOfRegion } from '../../identity/aws/aws-arn';
import { ROLE_ARN_ANNOTATION } from '../../identity/aws/aws-identity.facts';
import { foreignPartition } from '../../identity/aws/aws-partition-faults';
import { IMAGE_SYNTAX } from '../image.facts';
import { AwsCloudController } from './aws-cloud-controller';
import { CCM_IMAGE_REPOSITORY, CCM_VERSION, VERSION_SYNTAX } from './aws-cloud-controller-manager.facts';
import type { AwsCloudControllerManagerInstallationProps } from './aws-cloud-controller-manager-installation.options';
import { type ConfigFault, cloudConfigFaults, cloudConfigVersionFaults } from './cloud-config-faults';
import { USUAL_CONTROLLERS } from './controller-args';
import { flagFaults } from './flag-faults';

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
      `version '${version}' is none`,
      `write it like ${CCM_VERSION}, without a v`,
      'cloud-controller-image',
    ]);
  }
  if (image !== undefined && !isUnresolved(image) && !IMAGE_SYNTAX.test(image)) {
    faults.push([
      `image '${image}' is no image`,
      `write it like ${CCM_IMAGE_REPOSITORY}:v${CCM_VERSION}`,
      'cloud-controller-image',
    ]);
  }
  return faults;
}

/** A role of one partition is nobody in another. */
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
          [`clusterName '${clusterName}' is no name`, 'write the name of the cluster', 'cluster-name'],
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
    return faults; // what depends on the version cannot be judged without one
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

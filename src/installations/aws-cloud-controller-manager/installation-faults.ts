import { cidrFault, dnsNameFault, isIpv6 } from '../../contract/kubernetes-syntax';
import { AwsCloudController } from './aws-cloud-controller';
import type { AwsCloudControllerManagerInstallationProps } from './aws-cloud-controller-manager-installation.options';
import { type ConfigFault, cloudConfigFaults } from './cloud-config-faults';
import { USUAL_CONTROLLERS } from './controller-args';

/** Flags that props write. */
const OWN_FLAGS: Readonly<Record<string, string>> = {
  v: 'logVerbosity',
  'cloud-provider': 'nothing: it is aws',
  'cloud-config': 'cloudConfig',
  'cluster-name': 'clusterName',
  'configure-cloud-routes': 'controllers',
  'cluster-cidr': 'clusterCidrs',
  controllers: 'controllers',
  'concurrent-service-syncs': 'concurrentServiceSyncs',
  'use-service-account-credentials': 'nothing: its permissions are made for one service account',
};

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

/** All that is wrong with what was wished for. */
export function installationFaults(props: AwsCloudControllerManagerInstallationProps): ConfigFault[] {
  const { additionalFlags = {}, clusterName, controllers = USUAL_CONTROLLERS, name } = props;
  const nameFault = name === undefined ? undefined : dnsNameFault(name);
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
    ...Object.keys(additionalFlags)
      .filter((flag) => flag in OWN_FLAGS)
      .map((flag): ConfigFault => [`additionalFlags has ${flag}`, `use ${OWN_FLAGS[flag]}`, 'cloud-controller-flag']),
  ];
  return [
    ...faults,
    ...routeFaults(props),
    ...numberFault('concurrentServiceSyncs', props.concurrentServiceSyncs, 1),
    ...numberFault('replicas', props.replicas, 0),
    ...numberFault('logVerbosity', props.logVerbosity, 0),
    ...cloudConfigFaults(props.cloudConfig ?? {}),
  ];
}

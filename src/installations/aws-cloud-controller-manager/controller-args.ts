import { AwsCloudController } from './aws-cloud-controller';
import { CLOUD_CONFIG_FILE, CLOUD_CONTROLLERS } from './aws-cloud-controller-manager.facts';
import type { AwsCloudControllerManagerInstallationProps } from './aws-cloud-controller-manager-installation.options';

/** The controllers that run where nobody says which. */
export const USUAL_CONTROLLERS: readonly AwsCloudController[] = [
  AwsCloudController.NODE,
  AwsCloudController.NODE_LIFECYCLE,
  AwsCloudController.SERVICE,
];

/** The value of `--controllers`, or nothing where the program starts what is wanted by itself. */
function controllersFlag(wanted: readonly AwsCloudController[]): string | undefined {
  const differing = CLOUD_CONTROLLERS.filter(
    // routes have a flag of their own
    ({ name, byDefault }) =>
      name !== AwsCloudController.ROUTE && byDefault !== wanted.includes(name as AwsCloudController),
  );
  return differing.length === 0
    ? undefined
    : ['*', ...differing.map(({ name, byDefault }) => (byDefault ? `-${name}` : name))].join(',');
}

/** The flags of the program, by name. */
export function flagsOf(props: AwsCloudControllerManagerInstallationProps): Record<string, string> {
  const { clusterCidrs, clusterName, concurrentServiceSyncs, logVerbosity = 2 } = props;
  const wanted = props.controllers ?? USUAL_CONTROLLERS;
  const controllers = controllersFlag(wanted);
  return {
    v: String(logVerbosity),
    'cloud-provider': 'aws',
    'cloud-config': `${CLOUD_CONFIG_FILE.folder}/${CLOUD_CONFIG_FILE.key}`,
    'cluster-name': clusterName,
    'configure-cloud-routes': String(wanted.includes(AwsCloudController.ROUTE)),
    ...(clusterCidrs && { 'cluster-cidr': clusterCidrs.join(',') }),
    ...(controllers && { controllers }),
    ...(concurrentServiceSyncs !== undefined && { 'concurrent-service-syncs': String(concurrentServiceSyncs) }),
    ...props.additionalFlags,
  };
}

/** Whether a program with these flags runs a controller, as it reads `--controllers`. */
export function runs(flags: Readonly<Record<string, string>>, controller: AwsCloudController): boolean {
  const names = (flags.controllers ?? '*').split(',').map((name) => name.trim());
  if (names.includes(controller)) {
    return true;
  }
  const byDefault = CLOUD_CONTROLLERS.some(({ name, byDefault }) => name === controller && byDefault);
  return !names.includes(`-${controller}`) && names.includes('*') && byDefault;
}

import { NodePool } from '../../contract/node-pool';
import { refuseUntyped } from '../../contract/option-types';
import { AwsIdentity } from '../../identity/aws/aws-identity';
import type { AwsCloudControllerManagerInstallationProps } from './aws-cloud-controller-manager-installation.options';

/** Refuses what only callers without types can pass. */
export function refuseWrongTypes(who: string, props: AwsCloudControllerManagerInstallationProps): void {
  refuseUntyped(who, props, {
    clusterName: 'text',
    cloudConfig: 'map?',
    controllers: 'texts?',
    clusterCidrs: 'texts?',
    identity: { made: AwsIdentity, optional: true },
    version: 'text?',
    image: 'text?',
    name: 'text?',
    nodePool: { made: NodePool, optional: true },
    additionalFlags: 'map?',
  });
  const { cloudConfig = {} } = props;
  refuseUntyped(`${who}: cloudConfig`, cloudConfig, {
    region: 'text?',
    zone: 'text?',
    vpcId: 'text?',
    subnetId: 'text?',
    routeTableId: 'text?',
    elbSecurityGroup: 'text?',
    roleArn: 'text?',
    sourceArn: 'text?',
    kubernetesClusterId: 'text?',
    kubernetesClusterTag: 'text?',
    sharedHealthCheckPath: 'text?',
    nodeIpFamilies: 'texts?',
    endpoints: 'list?',
  });
  for (const endpoint of cloudConfig.endpoints ?? []) {
    refuseUntyped(`${who}: an endpoint of cloudConfig`, endpoint, {
      awsService: 'text',
      region: 'text',
      url: 'text',
      signingRegion: 'text',
      signingName: 'text?',
    });
  }
}

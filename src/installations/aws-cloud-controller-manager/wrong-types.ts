import { NodePool } from '../../contract/node-pool';
import { refuseUntyped } from '../../contract/option-types';
import { AwsIdentity } from '../../identity/aws/aws-identity';
import { listOf, ofType, propFault, SWITCH, wordOf } from '../prop-kinds';
import { AwsCloudController } from './aws-cloud-controller';
import type { AwsCloudControllerManagerInstallationProps } from './aws-cloud-controller-manager-installation.options';

const NUMBER = ofType('a number', 'number');

/** What is no text, list or map. */
const WORDS_AND_SWITCHES = {
  controllers: listOf('a list of AwsCloudController', wordOf('an AwsCloudController', AwsCloudController)),
  hostNetwork: SWITCH,
  replicas: NUMBER,
  concurrentServiceSyncs: NUMBER,
  logVerbosity: NUMBER,
};
const SWITCHES_OF_CONFIG = {
  disableSecurityGroupIngress: SWITCH,
  nlbSecurityGroups: SWITCH,
  sharedHealthCheck: SWITCH,
  sharedHealthCheckPort: NUMBER,
};

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
  const fault =
    propFault(`${who}: `, WORDS_AND_SWITCHES, props) ??
    propFault(`${who}: cloudConfig.`, SWITCHES_OF_CONFIG, cloudConfig);
  if (fault) {
    throw new Error(`${fault} (installation-props)`);
  }
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

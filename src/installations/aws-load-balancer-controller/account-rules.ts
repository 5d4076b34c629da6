import { isUnresolved, partitionOfRegion } from '../../identity/aws/aws-arn';
import type { Rule } from '../../rules/rule';
import { flagsOf } from './app';
import { CLUSTER_NAME, VPC_ID } from './installation.facts';
import { type InstallationContext, installationError } from './installation-rule';

const CLOUD = 'pkg/aws/cloud_config.go';

function clusterNameFault(name: string | undefined): string | undefined {
  if (!name) {
    return 'has no cluster name, without which it does not start';
  }
  if (isUnresolved(name)) {
    return undefined;
  }
  if (name.length > CLUSTER_NAME.longest) {
    return `has a cluster name of ${name.length} characters, more than ${CLUSTER_NAME.longest}`;
  }
  return CLUSTER_NAME.syntax.test(name)
    ? undefined
    : `cluster name '${name}' is not valid: it has letters, digits, dashes, dots and underscores, first a letter or a digit`;
}

/** Rules about the cluster and the network that an installation is in. */
export const AWS_ACCOUNT_RULES: readonly Rule<InstallationContext>[] = [
  installationError(
    'cluster-name',
    'the controller knows the name of its cluster',
    'pkg/config/controller_config.go',
    (deployment) => {
      const name = flagsOf(deployment)['cluster-name'];
      const what = clusterNameFault(name);
      return what ? { what, remedy: 'write the name that the cluster has in AWS', value: name } : undefined;
    },
  ),
  installationError(
    'aws-region',
    'the controller has its region by flag: few pods can read it from the metadata of their node',
    CLOUD,
    (deployment) => {
      const region = flagsOf(deployment)['aws-region'];
      return region && (isUnresolved(region) || partitionOfRegion(region) !== undefined)
        ? undefined
        : {
            what: region ? `region '${region}' is not an AWS region` : 'has no region',
            remedy: 'use one such as eu-west-1',
            value: region,
          };
    },
  ),
  installationError(
    'vpc-id',
    'the controller has the id of its network by flag: few pods can read it from the metadata of their node',
    CLOUD,
    (deployment) => {
      const vpc = flagsOf(deployment)['aws-vpc-id'];
      return vpc && (isUnresolved(vpc) || VPC_ID.test(vpc))
        ? undefined
        : {
            what: vpc ? `VPC id '${vpc}' is not valid` : 'has no VPC id',
            remedy: 'write one such as vpc-0123456789abcdef0',
            value: vpc,
          };
    },
  ),
];

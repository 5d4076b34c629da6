import { isUnresolved, partitionOfRegion } from '../../identity/aws/aws-arn';
import type { Rule } from '../../rules/rule';
import { CLUSTER_NAME, KNOWN_VERSION, VPC_ID } from './installation.facts';
import { type InstallationContext, installationError, installationWarning } from './installation-rule';
import { containerOf, flagsOf, gatesIn } from './rules';

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

export const AWS_ACCOUNT_RULES: readonly Rule<InstallationContext>[] = [
  installationError(
    'cluster-name',
    'cluster name that is missing or not valid',
    'pkg/config/controller_config.go',
    (deployment) => {
      const name = flagsOf(deployment)['cluster-name'];
      const what = clusterNameFault(name);
      return what ? { what, remedy: 'write the name that the cluster has in AWS', value: name } : undefined;
    },
  ),
  installationError(
    'aws-region',
    'region that is missing or not an AWS region: few pods can read it from the metadata of their node',
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
    'VPC id that is missing or not valid: few pods can read it from the metadata of their node',
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

function tagOf(image: string): string | undefined {
  return /:([^/:@]+)(@.*)?$/.exec(image)?.[1];
}

export const OPERATION_RULES: readonly Rule<InstallationContext>[] = [
  installationError(
    'nlb-only',
    'gate of Application Load Balancers in an installation for Network Load Balancers only',
    'pkg/config/feature_gates.go',
    (deployment, { nlbOnly }) =>
      nlbOnly && gatesIn(deployment).ALBGatewayAPI === 'true'
        ? {
            what: 'is for Network Load Balancers only and has the feature gate ALBGatewayAPI, for which it lacks permissions',
            remedy: 'leave one of the two out',
          }
        : undefined,
    ['nlbOnly'],
  ),
  installationError(
    'controller-replicas',
    'no replica of the controller, so no finalizer is removed',
    'helm/aws-load-balancer-controller/values.yaml',
    (deployment) => {
      const { replicas = 1 } = deployment.spec ?? {};
      return Number.isInteger(replicas) && replicas >= 1
        ? undefined
        : {
            what: `has ${replicas} replicas: every Service that it served stays in Terminating when it is deleted`,
            remedy: 'write 1 or more',
            value: String(replicas),
          };
    },
  ),
  installationError(
    'image-of-another-version',
    'image of another version than the one that is installed',
    'helm/aws-load-balancer-controller/values.yaml',
    (deployment, { version }) => {
      const image = String(containerOf(deployment).image ?? '');
      const tag = tagOf(image);
      return tag === undefined || !/^v?\d+\.\d+\.\d+$/.test(tag) || tag.replace(/^v/, '') === version
        ? undefined
        : {
            what: `is installed as version ${version} from the image '${image}'`,
            remedy: 'name the version of the image',
            value: tag,
          };
    },
    ['version'],
  ),
  installationWarning(
    'crds-of-another-version',
    'kinds of an older version than the one that is installed',
    'config/crd',
    (_, { isKnownVersion, version, writesCrds }) =>
      isKnownVersion || !writesCrds
        ? undefined
        : {
            what: `is installed as version ${version} with the kinds of ${KNOWN_VERSION}, which drop fields that are newer`,
            remedy: 'apply the kinds of that version and leave them out here (crds: false)',
            value: version,
          },
    ['isKnownVersion', 'version'],
  ),
];

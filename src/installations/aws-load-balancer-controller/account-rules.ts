import type { Json } from '../../contract/json';
import { dnsLabelFault, dnsNameFault, serviceNameFault } from '../../contract/kubernetes-syntax';
import { arnFault, isUnresolved, parseArn, partitionOfRegion } from '../../identity/aws/aws-arn';
import { ROLE_ARN_ANNOTATION } from '../../identity/aws/aws-identity.facts';
import type { Rule } from '../../rules/rule';
import { flagsOf, pairsIn } from './app';
import { namesOf } from './deployment';
import { CLUSTER_NAME, TAG_LIMITS, TRACKING_TAGS, VPC_ID } from './facts';
import { type InstallationContext, installationError } from './installation-rule';

const nameOf = (object: Json | undefined): string | undefined => object?.metadata?.name;

/** What the objects of an installation are called, and where they are. */
export const NAME_RULES: readonly Rule<InstallationContext>[] = [
  installationError(
    'installation-name',
    'every name that is made of the name of the installation is valid',
    'helm/aws-load-balancer-controller/templates/_helpers.tpl',
    (deployment) => {
      const { name = '', namespace = '' } = deployment.metadata ?? {};
      const fault = dnsLabelFault(name) ?? serviceNameFault(namesOf(name, namespace, '').webhookService);
      return fault
        ? {
            what: `is called '${name}', of which no names can be made: ${fault}`,
            remedy: 'write a shorter name in lower case',
            value: name,
          }
        : undefined;
    },
  ),
  installationError(
    'installation-namespace',
    'the namespace of the controller has a valid name',
    'helm/aws-load-balancer-controller/templates/deployment.yaml',
    (deployment) => {
      const namespace: string = deployment.metadata?.namespace ?? '';
      const fault = dnsLabelFault(namespace);
      return fault
        ? { what: `namespace is not valid: ${fault}`, remedy: 'name one in lower case', value: namespace }
        : undefined;
    },
  ),
  installationError(
    'ingress-class-name',
    'the class of Ingresses has a valid name, and is the one that the controller has by flag',
    'pkg/config/ingress_config.go',
    (deployment, { ingressClass }) => {
      const givenClass = nameOf(ingressClass) ?? flagsOf(deployment)['ingress-class'];
      const fault = givenClass?.startsWith('*')
        ? `'${givenClass}' is not a valid DNS name`
        : givenClass === undefined
          ? undefined
          : dnsNameFault(givenClass);
      return fault
        ? { what: `ingressClassName is not valid: ${fault}`, remedy: 'write it like alb', value: givenClass }
        : undefined;
    },
  ),
];

const CONFIG = 'pkg/config/controller_config.go';
const CLOUD = 'pkg/aws/cloud_config.go';
const VPC_ARN = 'arn:aws:ec2:eu-west-1:123456789012:vpc/vpc-0123456789abcdef0';

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

function tagFault(key: string, value: string | undefined): string | undefined {
  if (value === undefined) {
    return `'${key}' has no value, and with it the controller does not start: a comma ends a tag`;
  }
  if (TRACKING_TAGS.includes(key)) {
    return `'${key}' is a tag of the controller's own, and with it as a default tag it does not start`;
  }
  if (key.toLowerCase().startsWith(TAG_LIMITS.reserved)) {
    return `'${key}' begins with ${TAG_LIMITS.reserved}, which AWS keeps to itself`;
  }
  if (key === '' || key.length > TAG_LIMITS.key || value.length > TAG_LIMITS.value) {
    return `'${key}' with a value of ${value.length} characters is not a valid tag of AWS (1 to ${TAG_LIMITS.key} characters, a value of at most ${TAG_LIMITS.value})`;
  }
  return undefined;
}

/** What an installation says about the cluster and the account that it is in. */
export const AWS_ACCOUNT_RULES: readonly Rule<InstallationContext>[] = [
  installationError('cluster-name', 'the controller knows the name of its cluster', CONFIG, (deployment) => {
    const name = flagsOf(deployment)['cluster-name'];
    const what = clusterNameFault(name);
    return what ? { what, remedy: 'write the name that the cluster has in AWS', value: name } : undefined;
  }),
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
  installationError(
    'vpc-arn',
    'permissions are limited to the network of the controller',
    CLOUD,
    (deployment, { vpcArn = '' }) => {
      const fault = vpcArn === '' ? undefined : arnFault(vpcArn, 'ec2', /^vpc\/vpc-/, VPC_ARN);
      if (fault !== undefined) {
        return { what: `has vpcArn ${fault}`, remedy: 'write a whole ARN, or leave it out', value: vpcArn };
      }
      const flags = flagsOf(deployment);
      const arn = parseArn(vpcArn);
      const differing = [
        ['VPC', arn?.resource.replace(/^vpc\//, ''), flags['aws-vpc-id']],
        ['region', arn?.region, flags['aws-region']],
      ].filter(([, mine, told]) => mine && told && mine !== told && !isUnresolved(mine) && !isUnresolved(told));
      return differing.map(([what, mine, told]) => ({
        what: `has the ${what} '${told}', and vpcArn '${vpcArn}' is of '${mine}': it may write no rule of a security group`,
        remedy: 'name one network',
        value: vpcArn,
      }));
    },
  ),
  installationError(
    'aws-partition',
    'the role of the controller is of the partition of its region',
    'docs/deploy/installation.md',
    (deployment, { serviceAccount }) => {
      const region = flagsOf(deployment)['aws-region'] ?? '';
      const arn = String(serviceAccount?.metadata?.annotations?.[ROLE_ARN_ANNOTATION] ?? '');
      const [partition, other] = [partitionOfRegion(region), parseArn(arn)?.partition];
      return partition === undefined || other === undefined || isUnresolved(arn) || partition === other
        ? undefined
        : {
            what: `runs in region '${region}' of partition ${partition}, and its role '${arn}' is of partition ${other}`,
            remedy: 'name a role of the account that the cluster is in',
            value: arn,
          };
    },
    ['serviceAccount'],
  ),
  installationError('default-tags', 'default tags are tags that AWS takes', CONFIG, (deployment) =>
    pairsIn(flagsOf(deployment)['default-tags']).flatMap(([key, value]) => {
      const fault = tagFault(key, value);
      return fault ? [{ what: `has default tags, of which ${fault}`, remedy: 'drop it', value: key }] : [];
    }),
  ),
];

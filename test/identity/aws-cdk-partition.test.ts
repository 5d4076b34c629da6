import { App, Aws, Stack } from 'aws-cdk-lib';
import {
  AwsLoadBalancerControllerPolicy,
  AwsLoadBalancerControllerRole,
  type AwsLoadBalancerControllerRoleProps,
  AwsPartition,
  AwsRolePolicy,
  IamPolicy,
  PodIdentityAssociation,
} from '../../src/identity';

const account = '123456789012';
const stackIn = (region?: string) => new Stack(new App(), 'Identity', region ? { env: { account, region } } : {});

const ISSUER = 'tokens.example.com/prod';
const role = (partition: string, of = account) => `arn:${partition}:iam::${of}:role/edge`;
const provider = (partition: string) => `arn:${partition}:iam::${account}:oidc-provider/${ISSUER}`;
const cluster = (partition: string, region: string) => `arn:${partition}:eks:${region}:${account}:cluster/prod`;
const OURS: Record<string, string> = { 'cn-north-1': 'aws-cn', 'eu-west-1': 'aws', 'us-gov-west-1': 'aws-us-gov' };
const REGION: Record<string, string> = { aws: 'eu-west-1', 'aws-cn': 'cn-north-1' };

type Build = (stack: Stack, partition: string) => unknown;

const controller =
  (props: (partition: string) => AwsLoadBalancerControllerRoleProps): Build =>
  (stack, partition) =>
    new AwsLoadBalancerControllerRole(stack, 'It', props(partition));
const association =
  (arns: (partition: string) => { roleArn: string; targetRoleArn?: string }): Build =>
  (stack, partition) =>
    new PodIdentityAssociation(stack, 'It', {
      clusterName: 'prod',
      namespace: 'edge',
      serviceAccount: 'edge',
      ...arns(partition),
    });

const empty = new IamPolicy([{ actions: ['ec2:DescribeVpcs'], resources: ['*'] }]);

const CASES: [string, Build][] = [
  [
    'irsa.oidcProviderArn',
    controller((partition) => ({ clusterName: 'prod', irsa: { oidcProviderArn: provider(partition) } })),
  ],
  [
    'podIdentity.clusterArn',
    controller((partition) => ({
      podIdentity: { clusterName: 'prod', clusterArn: cluster(partition, REGION[partition]) },
    })),
  ],
  [
    'permissionsBoundaryArn',
    controller((partition) => ({
      podIdentity: { clusterName: 'prod' },
      permissionsBoundaryArn: `arn:${partition}:iam::aws:policy/PowerUserAccess`,
    })),
  ],
  ['roleArn', association((partition) => ({ roleArn: role(partition) }))],
  ['roleArn', association((partition) => ({ roleArn: role(partition, Aws.ACCOUNT_ID) }))],
  [
    'targetRoleArn',
    association((partition) => ({ roleArn: '$' + '{Token[Role.1]}', targetRoleArn: role(partition, '210987654321') })),
  ],
  ['roleArn', (stack, partition) => new AwsRolePolicy(stack, 'It', { policy: empty, roleArn: role(partition) })],
  [
    'policy',
    (stack, partition) =>
      new AwsRolePolicy(stack, 'It', {
        roleName: 'edge',
        policy: AwsLoadBalancerControllerPolicy.nlbOnly({
          clusterName: 'prod',
          partition: partition === 'aws' ? AwsPartition.AWS : AwsPartition.CHINA,
        }),
      }),
  ],
];

describe.each(CASES)('%s', (what, build) => {
  test.each([
    ['aws', 'cn-north-1'],
    ['aws-cn', 'eu-west-1'],
    ['aws', 'us-gov-west-1'],
  ])('of %s is refused in %s, with both and the way out', (partition, region) => {
    const message = new RegExp(
      `^Identity/It: ${what} 'arn:${partition}:.*' is of partition ${partition}, and the stack in region '${region}' of ${OURS[region]}; write arn:${OURS[region]}:, or give the stack a region of ${partition} \\(aws-partition\\)$`,
    );
    expect(() => build(stackIn(region), partition)).toThrow(message);
  });

  test.each([
    ['aws', 'eu-west-1'],
    ['aws-cn', 'cn-north-1'],
    ['aws-cn', 'nowhere'],
  ])('of %s is taken in %s', (partition, region) => {
    expect(() => build(stackIn(region === 'nowhere' ? undefined : region), partition)).not.toThrow();
  });
});

test('an issuer in China is refused elsewhere, though the ARN of its provider is known later', () => {
  const irsa = {
    oidcProviderArn: '$' + '{Token[Provider.1]}',
    issuer: 'oidc.eks.cn-north-1.amazonaws.com.cn/id/0123456789ABCDEF',
  };
  expect(() => new AwsLoadBalancerControllerRole(stackIn('eu-west-1'), 'It', { clusterName: 'prod', irsa })).toThrow(
    /irsa.issuer 'oidc.eks.cn-north-1.*' is of partition aws-cn, and the stack in region 'eu-west-1' of aws; .*\(aws-partition\)/,
  );
});

test('a stack that knows no region still takes ARNs of one partition alone', () => {
  const build = association(() => ({ roleArn: role('aws'), targetRoleArn: role('aws-cn') }));
  expect(() => build(stackIn(), 'aws')).toThrow(
    /targetRoleArn 'arn:aws-cn:.*' is of partition aws-cn, and roleArn 'arn:aws:.*' of aws; .*\(aws-partition\)/,
  );
});

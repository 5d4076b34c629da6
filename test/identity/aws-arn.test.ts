import { AwsIdentity, AwsLoadBalancerControllerPolicy, AwsRoleTrust } from '../../src/identity';

const ACCOUNT = '123456789012';
const VPC = 'vpc-0123456789abcdef0';
const token = (name: string) => `\${Token[${name}.12]}`;

const role = (arn: string) => () => AwsIdentity.irsa(arn);
const vpc = (vpcArn: string) => () => AwsLoadBalancerControllerPolicy.nlbOnly({ clusterName: 'prod', vpcArn });
const cluster = (clusterArn: string) => () => AwsRoleTrust.podIdentity({ clusterArn });
const group = (arn: string) => () =>
  AwsLoadBalancerControllerPolicy.targetGroupBindingsOnly({ targetGroupArns: [arn] });
const assumed = (arn: string) => () =>
  AwsLoadBalancerControllerPolicy.nlbOnly({ clusterName: 'prod', assumableRoleArns: [arn] });
const provider = (oidcProviderArn: string) => () =>
  AwsRoleTrust.irsa({ namespace: 'a', serviceAccount: 'b', oidcProviderArn });

describe('an ARN is refused', () => {
  test.each<[string, () => unknown, RegExp]>([
    [
      'a role of no account',
      role('arn:aws:iam:::role/x'),
      /'arn:aws:iam:::role\/x' is not an ARN like .*: it needs an/,
    ],
    ['a role of a short account', role('arn:aws:iam::1234:role/x'), /it needs an account of twelve digits/],
    ['a role of any account', role('arn:aws:iam::*:role/x'), /it needs an account of twelve digits/],
    [
      'a role in a region',
      role(`arn:aws:iam:eu-west-1:${ACCOUNT}:role/x`),
      /: IAM has no region; write .*\(aws-arn\)$/,
    ],
    ['a role with a blank', role(`arn:aws:iam::${ACCOUNT}:role/foo bar`), /: 'foo bar' is not a valid role name/],
    ['a role that ends with a slash', role(`arn:aws:iam::${ACCOUNT}:role/x/`), /: 'x\/' is not a valid role name/],
    ['a role with a wildcard', role(`arn:aws:iam::${ACCOUNT}:role/edge-*`), /: 'edge-\*' is not a valid role name/],
    [
      'a role whose name is too long',
      role(`arn:aws:iam::${ACCOUNT}:role/${'x'.repeat(65)}`),
      /is not a valid role name/,
    ],
    ['a role with a blank in its path', role(`arn:aws:iam::${ACCOUNT}:role/a b/x`), /is not a valid role name/],
    ['a VPC of no account', vpc('arn:aws:ec2:eu-west-1::vpc/vpc-1'), /it needs an account of twelve digits/],
    ['a VPC of no region', vpc(`arn:aws:ec2::${ACCOUNT}:vpc/${VPC}`), /: it needs a region such as eu-west-1/],
    ['a VPC in a zone', vpc(`arn:aws:ec2:eu-west-1a:${ACCOUNT}:vpc/${VPC}`), /: it needs a region such as eu-west-1/],
    ['a VPC in every region', vpc(`arn:aws:ec2:*:${ACCOUNT}:vpc/${VPC}`), /: it needs a region such as eu-west-1/],
    [
      'a VPC in a region of another partition',
      vpc(`arn:aws:ec2:cn-north-1:${ACCOUNT}:vpc/${VPC}`),
      /: region cn-north-1 is of partition aws-cn/,
    ],
    ['a cluster of no account', cluster('arn:aws:eks:eu-west-1::cluster/prod'), /it needs an account of twelve digits/],
    ['a cluster of no region', cluster(`arn:aws:eks::${ACCOUNT}:cluster/prod`), /it needs a region/],
    [
      'a target group of no account',
      group('arn:aws:elasticloadbalancing:eu-west-1::targetgroup/edge/0123456789abcdef'),
      /it needs an account of twelve digits/,
    ],
    [
      'a target group of no region',
      group(`arn:aws:elasticloadbalancing::${ACCOUNT}:targetgroup/edge/0123456789abcdef`),
      /it needs a region/,
    ],
    [
      'a target group without its id, which nothing matches',
      group(`arn:aws:elasticloadbalancing:eu-west-1:${ACCOUNT}:targetgroup/edge`),
      /is not an ARN like/,
    ],
    ['an assumed role of no account', assumed('arn:aws:iam:::role/x'), /it needs an account of twelve digits/],
    ['an assumed role in a region', assumed(`arn:aws:iam:*:${ACCOUNT}:role/x`), /IAM has no region/],
    [
      'a provider in a region',
      provider(`arn:aws:iam:eu-west-1:${ACCOUNT}:oidc-provider/tokens.example.com`),
      /IAM has no region/,
    ],
    ['a provider of no account', provider('arn:aws:iam:::oidc-provider/tokens.example.com'), /it needs an account/],
    [
      'a provider with a blank',
      provider(`arn:aws:iam::${ACCOUNT}:oidc-provider/tokens.example.com/a b`),
      /: it has a blank or ends with a slash/,
    ],
    [
      'a provider that ends with a slash',
      provider(`arn:aws:iam::${ACCOUNT}:oidc-provider/tokens.example.com/`),
      /: it has a blank or ends with a slash/,
    ],
  ])('%s', (_, make, message) => {
    expect(make).toThrow(message);
  });
});

describe('an ARN is taken', () => {
  test.each<[string, () => unknown]>([
    ['a role with a path', role(`arn:aws:iam::${ACCOUNT}:role/eks/a!b/controller+=,.@-_1`)],
    ['a role of 64 characters', role(`arn:aws:iam::${ACCOUNT}:role/${'x'.repeat(64)}`)],
    ['a role of an account that is a token', role(`arn:aws:iam::${token('Account')}:role/x`)],
    ['a role that is a token', role(token('Role'))],
    ['a role of a partition that is known later', role('arn:$' + '{AWS::Partition}:iam:::role/x')],
    ['a VPC whose id is a token', vpc(`arn:aws:ec2:eu-west-1:${ACCOUNT}:vpc/${token('Vpc')}`)],
    ['a VPC in a region that nobody has heard of', vpc(`arn:aws:ec2:nz-north-1:${ACCOUNT}:vpc/${VPC}`)],
    ['a cluster', cluster(`arn:aws-us-gov:eks:us-gov-west-1:${ACCOUNT}:cluster/prod`)],
    ['target groups by wildcard', group('arn:aws:elasticloadbalancing:*:*:targetgroup/edge-*')],
    ['a target group that is a token', group(token('Group'))],
    ['assumed roles by wildcard', assumed('arn:aws:iam::*:role/edge-*')],
  ])('%s', (_, make) => {
    expect(make).not.toThrow();
  });
});

describe('target groups and their VPC are of one partition', () => {
  const ours = `arn:aws:elasticloadbalancing:eu-west-1:${ACCOUNT}:targetgroup/edge/0123456789abcdef`;
  const china = `arn:aws-cn:elasticloadbalancing:cn-north-1:${ACCOUNT}:targetgroup/edge/0123456789abcdef`;
  const vpcArn = `arn:aws-cn:ec2:cn-north-1:${ACCOUNT}:vpc/${VPC}`;

  test.each<[string, string[], string | undefined]>([
    ['a VPC of China', [ours], vpcArn],
    ['two target groups', [ours, china], undefined],
    ['a target group whose account is a token', [ours.replace(ACCOUNT, token('Account'))], vpcArn],
  ])('not %s', (_, targetGroupArns, vpc) => {
    expect(() => AwsLoadBalancerControllerPolicy.targetGroupBindingsOnly({ targetGroupArns, vpcArn: vpc })).toThrow(
      /'arn:aws-cn:.*' is of partition aws-cn, and targetGroupArns 'arn:aws:.*' of aws; .* policy for each \(aws-partition\)$/,
    );
  });

  test('of China', () => {
    const policy = AwsLoadBalancerControllerPolicy.targetGroupBindingsOnly({
      targetGroupArns: [china, token('Group')],
      vpcArn,
    });
    expect(policy.statements).toHaveLength(3);
  });
});

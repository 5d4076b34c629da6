import { AwsIdentity, AwsLoadBalancerControllerPolicy, AwsRoleTrust } from '../../src/identity';
import { casesIn, revived } from '../support/yaml-cases';

const CASES = casesIn(__dirname, 'aws-arn.yaml');

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
  test.each<[string, () => unknown, RegExp]>(
    revived(CASES.arnRefused, { assumed, cluster, group, provider, role, vpc }),
  )('%s', (_, make, message) => {
    expect(make).toThrow(message);
  });
});

describe('an ARN is taken', () => {
  test.each<[string, () => unknown]>([
    ...revived(CASES.arnTaken, { assumed, cluster, group, role, token, vpc }),
    ['a role of an account that is a token', role(`arn:aws:iam::${token('Account')}:role/x`)],
    ['a role of a partition that is known later', role('arn:$' + '{AWS::Partition}:iam:::role/x')],
    ['a VPC whose id is a token', vpc(`arn:aws:ec2:eu-west-1:${ACCOUNT}:vpc/${token('Vpc')}`)],
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
    ['the last of three target groups', [ours, ours, china], undefined],
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

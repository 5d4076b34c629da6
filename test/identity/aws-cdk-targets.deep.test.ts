import { App, App as CdkApp, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { SubnetType, Vpc } from 'aws-cdk-lib/aws-ec2';
import * as eks from 'aws-cdk-lib/aws-eks';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import { ApiObject, Chart, JsonPatch, Testing } from 'cdk8s';
import { publish } from '../../examples/nlb-of-aws-cdk';
import { NlbTargetType, TargetGroupBinding, type TargetGroupBindingProps } from '../../src';
import {
  AwsLoadBalancerControllerPolicy,
  AwsLoadBalancerControllerRole,
  type AwsLoadBalancerControllerRoleProps,
  AwsPartition,
} from '../../src/identity';
import { stderrOf } from '../support/apps';
import { faultsAt } from '../support/checks';
import { casesIn } from '../support/yaml-cases';

const account = '123456789012';
const stackIn = (region?: string) => new Stack(new App(), 'Identity', region ? { env: { account, region } } : {});

const ISSUER = 'tokens.example.com/prod';
const provider = (partition: string) => `arn:${partition}:iam::${account}:oidc-provider/${ISSUER}`;
const cluster = (partition: string, region: string) => `arn:${partition}:eks:${region}:${account}:cluster/prod`;
const OURS: Record<string, string> = { 'cn-north-1': 'aws-cn', 'eu-west-1': 'aws', 'us-gov-west-1': 'aws-us-gov' };
const REGION: Record<string, string> = { aws: 'eu-west-1', 'aws-cn': 'cn-north-1' };

type Build = (stack: Stack, partition: string) => unknown;

const controller =
  (props: (partition: string) => AwsLoadBalancerControllerRoleProps): Build =>
  (stack, partition) =>
    new AwsLoadBalancerControllerRole(stack, 'It', props(partition));

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
  [
    'policy',
    controller((partition) => ({
      podIdentity: { clusterName: 'prod' },
      policy: AwsLoadBalancerControllerPolicy.nlbOnly({
        clusterName: 'prod',
        partition: partition === 'aws' ? AwsPartition.AWS : AwsPartition.CHINA,
      }),
    })),
  ],
];

describe.each(CASES)('%s', (what, build) => {
  test.each([
    ['aws', 'cn-north-1'],
    ['aws-cn', 'eu-west-1'],
    ['aws', 'us-gov-west-1'],
  ])('of %s is refused in %s, with both and the way out', (partition, region) => {
    const message = new RegExp(
      `^Identity/It: ${what} 'arn:${partition}:.*' is of partition ${partition}, and the stack in region '${region}' of ${OURS[region]}; write arn:${OURS[region]}:, or give the stack a region of ${partition} \\(aws-partition-mismatch\\)$`,
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
    /irsa.issuer 'oidc.eks.cn-north-1.*' is of partition aws-cn, and the stack in region 'eu-west-1' of aws; .*\(aws-partition-mismatch\)/,
  );
});

test('a stack that knows no region still takes ARNs of one partition alone', () => {
  const build = controller(() => ({
    podIdentity: { clusterName: 'prod', clusterArn: cluster('aws', 'eu-west-1') },
    permissionsBoundaryArn: 'arn:aws-cn:iam::aws:policy/PowerUserAccess',
  }));
  expect(() => build(stackIn(), 'aws')).toThrow(
    /permissionsBoundaryArn 'arn:aws-cn:.*' is of partition aws-cn, and podIdentity.clusterArn 'arn:aws:.*' of aws; .*\(aws-partition-mismatch\)/,
  );
});

/** AWS CDK checks templates by the schemas of CloudFormation, and fails. */
const VALIDATED = { '@aws-cdk/core:validateAgainstDefaultRules': true };

test('a binding gets the target group of a balancer that AWS CDK owns when AWS CDK applies the chart', () => {
  const stack = new Stack(new CdkApp({ context: VALIDATED }), 'Edge');
  const cluster = eks.Cluster.fromClusterAttributes(stack, 'Cluster', {
    clusterName: 'prod',
    vpc: new Vpc(stack, 'Vpc'),
    kubectlRoleArn: 'arn:aws:iam::123456789012:role/kubectl',
    kubectlLayer: lambda.LayerVersion.fromLayerVersionArn(
      stack,
      'Kubectl',
      'arn:aws:lambda:eu-west-1:123456789012:layer:k:1',
    ),
    kubectlLambdaRole: iam.Role.fromRoleArn(stack, 'Handler', 'arn:aws:iam::123456789012:role/handler'),
  });
  publish(stack, cluster, { vpcSubnets: { subnetType: SubnetType.PRIVATE_WITH_EGRESS } });
  // of the cluster's own template, which has a condition that nothing uses
  jest.spyOn(console, 'error').mockImplementation();
  const template = Template.fromStack(stack);
  template.hasResourceProperties('AWS::ElasticLoadBalancingV2::LoadBalancer', { Type: 'network', Scheme: 'internal' });
  template.hasResourceProperties('AWS::ElasticLoadBalancingV2::TargetGroup', {
    TargetType: 'ip',
    Tags: [{ Key: 'elbv2.k8s.aws/cluster', Value: 'prod' }],
  });
  const [group] = Object.keys(template.findResources('AWS::ElasticLoadBalancingV2::TargetGroup'));
  const [manifest] = Object.values(template.findResources('Custom::AWSCDK-EKS-KubernetesResource'));
  expect(manifest.Properties.Manifest).toEqual({
    'Fn::Join': [
      '',
      [expect.stringMatching(/"targetGroupARN":"$/), { Ref: group }, expect.stringMatching(/^","targetType":"ip"/)],
    ],
  });
});

describe('target group binding', () => {
  const CASES = casesIn(__dirname, 'target-group-binding.yaml');

  const ARN = 'arn:aws:elasticloadbalancing:eu-west-1:123456789012:targetgroup/edge/0123456789abcdef';
  const PROPS: TargetGroupBindingProps = {
    name: 'edge',
    targetGroupArn: ARN,
    targetType: NlbTargetType.IP,
    serviceName: 'echo',
    servicePort: 443,
  };

  function synth(props: Partial<TargetGroupBindingProps> = {}, ...patches: JsonPatch[]) {
    const chart = new Chart(Testing.app(), 'chart', { namespace: 'edge' });
    const binding = new TargetGroupBinding(chart, 'Binding', { ...PROPS, ...props });
    binding.addJsonPatch(...patches);
    return Testing.synth(chart)[0];
  }

  function refusal(props: Partial<TargetGroupBindingProps>, ...patches: JsonPatch[]): string {
    const app = Testing.app();
    const chart = new Chart(app, 'chart');
    const binding = new TargetGroupBinding(chart, 'Binding', { ...PROPS, ...props });
    binding.addJsonPatch(...patches);
    return faultsAt(binding).join('\n');
  }

  test('a binding names the Service and the target group', () => {
    expect(synth()).toEqual({
      apiVersion: 'elbv2.k8s.aws/v1beta1',
      kind: 'TargetGroupBinding',
      metadata: { name: 'edge', namespace: 'edge' },
      spec: { targetGroupARN: ARN, targetType: 'ip', serviceRef: { name: 'echo', port: 443 } },
    });
    expect(refusal({})).toBe('');
  });

  test('everything that can be said is said', () => {
    const { apiVersion, spec } = synth({
      targetType: NlbTargetType.INSTANCE,
      servicePort: undefined,
      servicePortName: 'https',
      nodeLabels: { pool: 'edge' },
      peers: [
        { securityGroupId: 'sg-0123456789abcdef0', ports: [30443, 30444] },
        { cidr: '10.0.0.0/8', protocol: 'UDP' },
      ],
      multiCluster: true,
      vpcId: 'vpc-0123456789abcdef0',
    });
    expect(apiVersion).toBe('elbv2.k8s.aws/v1beta1');
    expect(spec).toEqual(CASES['written binding']);
  });

  test('EKS Auto Mode has an API of its own', () => {
    expect(synth({ eksAutoMode: true }).apiVersion).toBe('eks.amazonaws.com/v1');
  });

  test('a token stays as it is', () => {
    const token = '$' + '{Token[Group.12]}';
    expect(refusal({ targetGroupArn: token, vpcId: token, peers: [{ securityGroupId: token }, { cidr: token }] })).toBe(
      '',
    );
  });

  describe('is refused at synth', () => {
    const instance = { targetType: NlbTargetType.INSTANCE };
    test.each<[string, Partial<TargetGroupBindingProps>, JsonPatch[], string]>([
      ...CASES.refusedAtSynth,
      ['no target group', {}, [JsonPatch.remove('/spec/targetGroupARN')], 'names no target group'],
      ['two target groups', {}, [JsonPatch.add('/spec/targetGroupName', 'edge')], 'has both the ARN and the name'],
      ['no Service', {}, [JsonPatch.remove('/spec/serviceRef')], 'spec.serviceRef is missing'],
      [
        'a number for a text',
        {},
        [JsonPatch.replace('/spec/serviceRef/name', 1)],
        'spec.serviceRef.name is 1, but must be a string; write a string',
      ],
      [
        'a protocol of no target group',
        {},
        [JsonPatch.add('/spec/targetGroupProtocol', 'tcp')],
        "Protocol is 'tcp', which is not",
      ],
      [
        'another target type',
        {},
        [JsonPatch.replace('/spec/targetType', 'Instance')],
        "target type 'Instance' is unknown",
      ],
      [
        'a role for instances',
        instance,
        [JsonPatch.add('/spec/iamRoleArnToAssume', 'arn:aws:iam::123456789012:role/x')],
        'iamRoleArnToAssume needs ip targets, and the targets are instances',
      ],
      [
        'an external ID alone',
        {},
        [JsonPatch.add('/spec/assumeRoleExternalId', 'x')],
        'assumeRoleExternalId is set without iamRoleArnToAssume',
      ],
      ['QUIC to instances', instance, [JsonPatch.add('/spec/targetGroupProtocol', 'TCP_QUIC')], 'protocol TCP_QUIC'],
    ])('%s', (_, props, patches, what) => {
      const message = refusal(props, ...patches);
      expect(message).toContain(`aws-load-balancer-controller: `);
      expect(message).toContain(what);
      expect(message.split('\n')).toHaveLength(1);
    });
  });

  test('a field that the known definition does not have is a warning', () => {
    const app = Testing.app();
    const binding = new TargetGroupBinding(new Chart(app, 'chart'), 'Binding', PROPS);
    binding.addJsonPatch(JsonPatch.add('/spec/vpcId', 'vpc-0123456789abcdef0'));
    expect(stderrOf(() => app.synthYaml())).toMatch(
      /drops the field spec\.vpcId[^(]*\(from 2\.2\.0 on\)[^(]*\(binding-field-unknown\)/,
    );
  });

  test.each<[string, Partial<TargetGroupBindingProps>, RegExp]>([
    ['no port', { servicePort: undefined }, /^chart\/Binding: exactly one of servicePort and servicePortName/],
    ['two ports', { servicePortName: 'https' }, /exactly one of servicePort and servicePortName/],
    ['a peer that is nobody', { peers: [{}] }, /exactly one of securityGroupId and cidr/],
  ])('not with %s', (_, props, message) => expect(() => synth(props)).toThrow(message));

  test('it is an ApiObject, for dependencies and patches', () => {
    const chart = Testing.chart();
    expect(ApiObject.isApiObject(new TargetGroupBinding(chart, 'Binding', PROPS))).toBe(true);
  });
});

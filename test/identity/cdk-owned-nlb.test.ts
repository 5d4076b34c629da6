import { App as CdkApp, CfnParameter, Stack } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import * as eks from 'aws-cdk-lib/aws-eks';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import { App, Chart } from 'cdk8s';
import { TargetGroupBinding, TargetGroupTargetType } from '../../src/controllers';
import { CdkOwnedNlb, type CdkOwnedNlbProps, CdkOwnedNlbProtocol, CdkOwnedNlbTargetType } from '../../src/identity';

const CERTIFICATES = ['a', 'b', 'c'].map((id) => `arn:aws:acm:eu-west-1:123456789012:certificate/${id}`);
const PROPS: CdkOwnedNlbProps = {
  vpcId: 'vpc-0123456789abcdef0',
  subnetIds: ['subnet-0123456789abcdef0', 'subnet-0fedcba9876543210'],
  listeners: [{ port: 9094 }],
};

/** AWS CDK judges templates by the schemas of CloudFormation, and fails. */
const VALIDATED = { '@aws-cdk/core:validateAgainstDefaultRules': true };

const stackOf = () => new Stack(new CdkApp({ context: VALIDATED }), 'Edge');

function made(props: Partial<CdkOwnedNlbProps> = {}) {
  const stack = stackOf();
  const nlb = new CdkOwnedNlb(stack, 'Nlb', { ...PROPS, ...props });
  return { stack, nlb, template: Template.fromStack(stack) };
}

test('a balancer is internal, with a target group of pods behind each port', () => {
  const { template, nlb, stack } = made();
  template.hasResourceProperties('AWS::ElasticLoadBalancingV2::LoadBalancer', {
    Type: 'network',
    Scheme: 'internal',
    Subnets: ['subnet-0123456789abcdef0', 'subnet-0fedcba9876543210'],
    SecurityGroups: Match.absent(),
    LoadBalancerAttributes: [
      { Key: 'deletion_protection.enabled', Value: 'false' },
      { Key: 'load_balancing.cross_zone.enabled', Value: 'false' },
    ],
  });
  template.hasResourceProperties('AWS::ElasticLoadBalancingV2::TargetGroup', {
    Port: 9094,
    Protocol: 'TCP',
    TargetType: 'ip',
    VpcId: 'vpc-0123456789abcdef0',
    HealthCheckProtocol: 'TCP',
    Tags: Match.absent(),
  });
  template.hasResourceProperties('AWS::ElasticLoadBalancingV2::Listener', {
    Port: 9094,
    Protocol: 'TCP',
    LoadBalancerArn: stack.resolve(nlb.loadBalancerArn),
    DefaultActions: [{ Type: 'forward', TargetGroupArn: stack.resolve(nlb.targetGroupArn(9094)) }],
  });
  expect(stack.resolve([nlb.dnsName, nlb.hostedZoneId])).toEqual([
    { 'Fn::GetAtt': [expect.any(String), 'DNSName'] },
    { 'Fn::GetAtt': [expect.any(String), 'CanonicalHostedZoneID'] },
  ]);
});

test('everything that can be said is said', () => {
  const { template } = made({
    internetFacing: true,
    securityGroupIds: ['sg-0123456789abcdef0'],
    crossZone: true,
    deletionProtection: true,
    clusterName: 'prod',
    loadBalancerName: 'edge',
    listeners: [
      {
        port: 443,
        protocol: CdkOwnedNlbProtocol.TLS,
        certificateArns: CERTIFICATES,
        sslPolicy: 'ELBSecurityPolicy-TLS13-1-2-2021-06',
        targetType: CdkOwnedNlbTargetType.INSTANCE,
        healthCheckPath: '/ready',
        healthCheckPort: 8080,
        deregistrationDelaySeconds: 0,
        preserveClientIp: false,
        proxyProtocolV2: true,
      },
    ],
  });
  template.hasResourceProperties('AWS::ElasticLoadBalancingV2::LoadBalancer', {
    Scheme: 'internet-facing',
    Name: 'edge',
    SecurityGroups: ['sg-0123456789abcdef0'],
    LoadBalancerAttributes: [
      { Key: 'deletion_protection.enabled', Value: 'true' },
      { Key: 'load_balancing.cross_zone.enabled', Value: 'true' },
    ],
  });
  template.hasResourceProperties('AWS::ElasticLoadBalancingV2::TargetGroup', {
    Protocol: 'TCP',
    TargetType: 'instance',
    HealthCheckProtocol: 'HTTP',
    HealthCheckPath: '/ready',
    HealthCheckPort: '8080',
    TargetGroupAttributes: [
      { Key: 'deregistration_delay.timeout_seconds', Value: '0' },
      { Key: 'preserve_client_ip.enabled', Value: 'false' },
      { Key: 'proxy_protocol_v2.enabled', Value: 'true' },
    ],
    Tags: [{ Key: 'elbv2.k8s.aws/cluster', Value: 'prod' }],
  });
  template.hasResourceProperties('AWS::ElasticLoadBalancingV2::Listener', {
    Protocol: 'TLS',
    SslPolicy: 'ELBSecurityPolicy-TLS13-1-2-2021-06',
    Certificates: [{ CertificateArn: CERTIFICATES[0] }],
  });
  template.hasResourceProperties('AWS::ElasticLoadBalancingV2::ListenerCertificate', {
    Certificates: CERTIFICATES.slice(1).map((CertificateArn) => ({ CertificateArn })),
  });
});

describe('refuses', () => {
  const tls = CdkOwnedNlbProtocol.TLS;
  test.each<[string, Partial<CdkOwnedNlbProps>, RegExp]>([
    ['no subnet', { subnetIds: [] }, /^Edge\/Nlb: there are no subnets; .* \(cdk-owned-nlb\)/],
    ['no listener', { listeners: [] }, /there are 0 listeners/],
    ['51 listeners', { listeners: Array.from({ length: 51 }, (_, n) => ({ port: n + 1 })) }, /there are 51 listeners/],
    [
      'two listeners on a port',
      { listeners: [{ port: 53 }, { port: 53, protocol: CdkOwnedNlbProtocol.UDP }] },
      /two listeners have port 53/,
    ],
    ['a port that is none', { listeners: [{ port: 70000 }] }, /70000 is not a valid port/],
    ['TLS without a certificate', { listeners: [{ port: 443, protocol: tls }] }, /speaks TLS and has no certificate/],
    [
      'a certificate without TLS',
      { listeners: [{ port: 443, certificateArns: CERTIFICATES }] },
      /speaks TCP and has certificates/,
    ],
    [
      'UDP whose targets do not see clients',
      { listeners: [{ port: 53, protocol: CdkOwnedNlbProtocol.UDP, preserveClientIp: false }] },
      /leave preserveClientIp out/,
    ],
    ['a health check at no port', { listeners: [{ port: 53, healthCheckPort: 99999 }] }, /99999 is not a valid port/],
    ['a path without a slash', { listeners: [{ port: 53, healthCheckPath: 'x' }] }, /'x' of port 53 is no path/],
    ['a path with a blank', { listeners: [{ port: 53, healthCheckPath: '/a b' }] }, /'\/a b' of port 53 is no path/],
    [
      'a path that is too long',
      { listeners: [{ port: 53, healthCheckPath: `/${'x'.repeat(1024)}` }] },
      /at most 1024 characters/,
    ],
    [
      'a policy of TLS without TLS',
      { listeners: [{ port: 53, sslPolicy: 'ELBSecurityPolicy-TLS13-1-2-2021-06' }] },
      /speaks TCP and has sslPolicy/,
    ],
    [
      'targets that it does not make',
      { listeners: [{ port: 53, targetType: 'alb' as CdkOwnedNlbTargetType }] },
      /listeners\[0\]\.targetType is 'alb', which is not one of ip, instance/,
    ],
    [
      'a protocol that it does not make',
      { listeners: [{ port: 53, protocol: 'HTTP' as CdkOwnedNlbProtocol }] },
      /listeners\[0\]\.protocol is 'HTTP'/,
    ],
    ['a name of 33 characters', { loadBalancerName: 'x'.repeat(33) }, /has 33 characters, and AWS takes 32/],
    ['a name with an underscore', { loadBalancerName: 'my_edge' }, /'my_edge' is not a valid name/],
    ['a name that ends with a hyphen', { loadBalancerName: 'edge-' }, /'edge-' is not a valid name/],
    ['a name that AWS makes', { loadBalancerName: 'internal-edge' }, /begins with internal-/],
    ['a subnet twice', { subnetIds: ['subnet-1', 'subnet-2', 'subnet-1'] }, /subnet 'subnet-1' is named twice/],
    ['connections without end', { listeners: [{ port: 53, deregistrationDelaySeconds: 7200 }] }, /write 0 to 3600/],
  ])('%s', (_, props, message) => {
    expect(() => made(props)).toThrow(message);
  });

  test('a port without a listener', () => {
    expect(() => made().nlb.targetGroupArn(443)).toThrow(/there is no listener of port 443; ask for 9094/);
  });
});

test('a name of 32 characters, and one that is known at deployment, are taken', () => {
  const { template } = made({ loadBalancerName: 'x'.repeat(32), listeners: [{ port: 1, healthCheckPath: '/' }] });
  template.hasResourceProperties('AWS::ElasticLoadBalancingV2::LoadBalancer', { Name: 'x'.repeat(32) });
  const stack = stackOf();
  const name = new CfnParameter(stack, 'Name').valueAsString;
  new CdkOwnedNlb(stack, 'Nlb', { ...PROPS, loadBalancerName: `${name}-edge` });
  Template.fromStack(stack).resourceCountIs('AWS::ElasticLoadBalancingV2::LoadBalancer', 1);
});

test('a binding in a chart of cdk8s gets the target group when AWS CDK applies the chart', () => {
  const stack = new Stack(new CdkApp(), 'Edge');
  const nlb = new CdkOwnedNlb(stack, 'Nlb', PROPS);
  const chart = new Chart(new App(), 'kafka', { namespace: 'kafka' });
  new TargetGroupBinding(chart, 'Binding', {
    name: 'bootstrap',
    targetGroupArn: nlb.targetGroupArn(9094),
    targetType: TargetGroupTargetType.IP,
    serviceName: 'bootstrap',
    servicePort: 9094,
  });
  const cluster = eks.Cluster.fromClusterAttributes(stack, 'Cluster', {
    clusterName: 'prod',
    kubectlRoleArn: 'arn:aws:iam::123456789012:role/kubectl',
    kubectlLayer: lambda.LayerVersion.fromLayerVersionArn(
      stack,
      'Kubectl',
      'arn:aws:lambda:eu-west-1:123456789012:layer:k:1',
    ),
    kubectlLambdaRole: iam.Role.fromRoleArn(stack, 'Handler', 'arn:aws:iam::123456789012:role/handler'),
  });
  cluster.addCdk8sChart('kafka', chart);
  // of the cluster's own template, which has a condition that nothing uses
  jest.spyOn(console, 'error').mockImplementation();
  const [manifest] = Object.values(Template.fromStack(stack).findResources('Custom::AWSCDK-EKS-KubernetesResource'));
  expect(manifest.Properties.Manifest).toEqual({
    'Fn::Join': [
      '',
      [
        expect.stringMatching(/"targetGroupARN":"$/),
        stack.resolve(nlb.targetGroupArn(9094)),
        expect.stringMatching(/^","targetType":"ip"/),
      ],
    ],
  });
});

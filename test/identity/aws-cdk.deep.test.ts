import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, CfnOutput, CfnParameter, Stack, Token } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as eks from 'aws-cdk-lib/aws-eks';
import * as eks2 from 'aws-cdk-lib/aws-eks-v2';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import { App as Cdk8sApp } from 'cdk8s';
import {
  AwsClusterIsolation,
  AwsIdentity,
  AwsLoadBalancerControllerFeature,
  AwsLoadBalancerControllerPolicy,
  AwsLoadBalancerControllerRole,
  type AwsLoadBalancerControllerRoleProps,
  IamPolicy,
} from '../../src/identity';
import { installed } from '../installations/aws-load-balancer-controller/installations';
import { casesIn, revived } from '../support/yaml-cases';

const CASES = casesIn(__dirname, 'aws-cdk.yaml');

const ISSUER = 'oidc.eks.eu-west-1.amazonaws.com/id/0123456789ABCDEF';
const PROVIDER = `arn:aws:iam::123456789012:oidc-provider/${ISSUER}`;
const VPC_IN_IRELAND = 'arn:aws:ec2:eu-west-1:123456789012:vpc/vpc-0123456789abcdef0';
const env = { account: '123456789012', region: 'eu-west-1' };

/** AWS CDK checks templates by the schemas of CloudFormation, and fails. */
const VALIDATED = { '@aws-cdk/core:validateAgainstDefaultRules': true };

const appOf = () => new App({ context: VALIDATED });
const stackOf = (region = env.region) => new Stack(appOf(), 'Identity', { env: { ...env, region } });
const freeStack = () => new Stack(appOf(), 'Identity');

type Json = Record<string, unknown>;

function statementsIn(stack: Stack): Json[] {
  return Object.values(Template.fromStack(stack).findResources('AWS::IAM::ManagedPolicy')).flatMap(
    ({ Properties }) => Properties.PolicyDocument.Statement as Json[],
  );
}

function trustIn(stack: Stack): Json {
  const roles = Object.values(Template.fromStack(stack).findResources('AWS::IAM::Role')).filter(
    ({ Properties }) => Properties.Description === 'AWS Load Balancer Controller',
  );
  expect(roles).toHaveLength(1);
  return roles[0].Properties.AssumeRolePolicyDocument.Statement[0];
}

test('a role of Pod Identity has its association, its trust and the whole policy', () => {
  const stack = stackOf();
  const role = new AwsLoadBalancerControllerRole(stack, 'Role', { podIdentity: { clusterName: 'prod' } });
  const template = Template.fromStack(stack);
  template.hasResourceProperties('AWS::EKS::PodIdentityAssociation', {
    ClusterName: 'prod',
    Namespace: 'kube-system',
    ServiceAccount: 'aws-load-balancer-controller',
    RoleArn: { 'Fn::GetAtt': [Match.stringLikeRegexp('^Role'), 'Arn'] },
  });
  expect(trustIn(stack)).toEqual(
    casesIn(__dirname, 'aws-cdk.yaml')['a role of Pod Identity has its association its trust and'],
  );
  expect(statementsIn(stack)).toEqual(
    AwsLoadBalancerControllerPolicy.full({ clusterName: 'prod' }).toPolicyDocument().Statement,
  );
  expect(stack.resolve(role.roleArn)).toEqual({ 'Fn::GetAtt': [expect.any(String), 'Arn'] });
  expect(AwsIdentity.irsa(role.roleArn).serviceAccountAnnotations).toEqual({
    'eks.amazonaws.com/role-arn': role.roleArn,
  });
  template.resourceCountIs('AWS::Lambda::Function', 0);
});

test('the policies are attached to the role before it can be taken', () => {
  const stack = stackOf();
  new AwsLoadBalancerControllerRole(stack, 'Role', { podIdentity: { clusterName: 'prod' } });
  const template = Template.fromStack(stack);
  const policies = Object.keys(template.findResources('AWS::IAM::ManagedPolicy'));
  template.hasResourceProperties('AWS::IAM::Role', { ManagedPolicyArns: policies.map((id) => ({ Ref: id })) });
});

test('permissions that are too long for one policy become several, each within the limit', () => {
  const stack = stackOf();
  new AwsLoadBalancerControllerRole(stack, 'Role', {
    podIdentity: { clusterName: 'prod' },
    features: Object.values(AwsLoadBalancerControllerFeature),
  });
  const policies = Object.values(Template.fromStack(stack).findResources('AWS::IAM::ManagedPolicy'));
  const sizes = policies.map(({ Properties }) => JSON.stringify(Properties.PolicyDocument).length);
  expect(sizes.length).toBeGreaterThan(1);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(6144);
});

test('a policy for NLBs alone, kept to resources and a VPC', () => {
  const stack = stackOf();
  const vpcArn = 'arn:aws:ec2:eu-west-1:123456789012:vpc/vpc-0123456789abcdef0';
  const isolation = AwsClusterIsolation.OWN_RESOURCES;
  new AwsLoadBalancerControllerRole(stack, 'Role', {
    podIdentity: { clusterName: 'prod' },
    nlbOnly: true,
    isolation,
    vpcArn,
  });
  expect(statementsIn(stack)).toEqual(
    AwsLoadBalancerControllerPolicy.nlbOnly({ clusterName: 'prod', isolation, vpcArn }).toPolicyDocument().Statement,
  );
});

test('a policy for NLBs alone, with what their Gateways need beside', () => {
  const stack = stackOf();
  const features = [
    AwsLoadBalancerControllerFeature.CERTIFICATE_DISCOVERY,
    AwsLoadBalancerControllerFeature.LOAD_BALANCER_CAPACITY,
  ];
  new AwsLoadBalancerControllerRole(stack, 'Role', { podIdentity: { clusterName: 'prod' }, nlbOnly: true, features });
  const actions = statementsIn(stack).flatMap(({ Action }) => Action as string[]);
  expect(actions).toEqual(
    expect.arrayContaining([
      'acm:ListCertificates',
      'acm:DescribeCertificate',
      'elasticloadbalancing:DescribeCapacityReservation',
      'elasticloadbalancing:ModifyCapacityReservation',
    ]),
  );
  expect(actions).not.toContain('elasticloadbalancing:CreateRule');
});

test('own permissions, a name and a boundary', () => {
  const stack = stackOf();
  const policy = IamPolicy._of([{ sid: 'Mine', actions: ['ec2:DescribeVpcs'], resources: ['*'] }]);
  const permissionsBoundaryArn = 'arn:aws:iam::123456789012:policy/boundary';
  new AwsLoadBalancerControllerRole(stack, 'Role', {
    irsa: { oidcProviderArn: PROVIDER },
    policy,
    roleName: 'controller',
    permissionsBoundaryArn,
  });
  expect(statementsIn(stack)).toEqual(policy.toPolicyDocument().Statement);
  Template.fromStack(stack).hasResourceProperties('AWS::IAM::Role', {
    RoleName: 'controller',
    PermissionsBoundary: permissionsBoundaryArn,
  });
});

describe('a role that trusts tokens of a cluster', () => {
  const trusted = casesIn(__dirname, 'aws-cdk.yaml').trusted;

  test('whose ARN is a text, with or without the issuer, needs no custom resource', () => {
    for (const issuer of [undefined, ISSUER]) {
      const stack = stackOf();
      new AwsLoadBalancerControllerRole(stack, 'Role', {
        clusterName: 'prod',
        irsa: { oidcProviderArn: PROVIDER, issuer },
      });
      expect(trustIn(stack)).toEqual(trusted);
      Template.fromStack(stack).resourceCountIs('AWS::EKS::PodIdentityAssociation', 0);
      Template.fromStack(stack).resourceCountIs('AWS::Lambda::Function', 0);
    }
  });

  test('whose ARN is a token and whose issuer is a text, needs none either', () => {
    const stack = stackOf();
    const provider = new iam.OidcProviderNative(stack, 'Provider', {
      url: `https://${ISSUER}`,
      clientIds: ['sts.amazonaws.com'],
    });
    const oidcProviderArn = provider.oidcProviderArn;
    expect(Token.isUnresolved(oidcProviderArn)).toBe(true);
    new AwsLoadBalancerControllerRole(stack, 'Role', {
      clusterName: 'prod',
      irsa: { oidcProviderArn, issuer: ISSUER },
    });
    expect(trustIn(stack)).toEqual({ ...trusted, Principal: { Federated: stack.resolve(oidcProviderArn) } });
    Template.fromStack(stack).resourceCountIs('AWS::Lambda::Function', 0);
  });

  test.each([undefined, 'issuer'])(
    'whose issuer is known at deployment only, by a custom resource (%s given)',
    (given) => {
      const stack = stackOf();
      const parameter = (name: string) => new CfnParameter(stack, name).valueAsString;
      const oidcProviderArn = parameter('provider');
      const issuer = given && parameter(given);
      new CfnOutput(stack, 'Issuer', { value: issuer ?? 'none' });
      new AwsLoadBalancerControllerRole(stack, 'Role', { clusterName: 'prod', irsa: { oidcProviderArn, issuer } });
      const template = Template.fromStack(stack);
      expect(trustIn(stack).Condition).toEqual({ StringEquals: { 'Fn::GetAtt': [expect.any(String), 'Value'] } });
      const written = JSON.stringify(Object.values(template.findResources('Custom::AWSCDKCfnJson')));
      expect(written).toContain(':oidc-provider/');
      expect(written).toContain('system:serviceaccount:kube-system:aws-load-balancer-controller');
      expect(written).not.toContain('"Ref":"issuer"');
    },
  );
});

describe('clusters of AWS CDK', () => {
  const layer = (stack: Stack) =>
    lambda.LayerVersion.fromLayerVersionArn(stack, 'Kubectl', 'arn:aws:lambda:eu-west-1:123456789012:layer:kubectl:1');

  test('aws-eks, with its provider', () => {
    const stack = stackOf();
    const cluster = new eks.Cluster(stack, 'Cluster', {
      version: eks.KubernetesVersion.V1_33,
      kubectlLayer: layer(stack),
    });
    new AwsLoadBalancerControllerRole(stack, 'Role', {
      clusterName: cluster.clusterName,
      irsa: { oidcProviderArn: cluster.openIdConnectProvider.openIdConnectProviderArn },
    });
    expect(trustIn(stack).Principal).toEqual({
      Federated: stack.resolve(cluster.openIdConnectProvider.openIdConnectProviderArn),
    });
    expect(JSON.stringify(statementsIn(stack))).toContain(
      `"aws:ResourceTag/elbv2.k8s.aws/cluster":${JSON.stringify(stack.resolve(cluster.clusterName))}`,
    );
  });

  test('aws-eks-v2, with an association and the ARN of the cluster', () => {
    const stack = stackOf();
    const { clusterName, clusterArn } = new eks2.Cluster(stack, 'Cluster', { version: eks2.KubernetesVersion.V1_33 });
    new AwsLoadBalancerControllerRole(stack, 'Role', { podIdentity: { clusterName, clusterArn }, nlbOnly: true });
    Template.fromStack(stack).hasResourceProperties('AWS::EKS::PodIdentityAssociation', {
      ClusterName: stack.resolve(clusterName),
    });
    expect(trustIn(stack)).toMatchObject({
      Condition: {
        StringEquals: {
          'aws:RequestTag/eks-cluster-name': stack.resolve(clusterName),
          'aws:RequestTag/eks-cluster-arn': stack.resolve(clusterArn),
        },
      },
    });
  });

  test('imported, by name', () => {
    for (const imported of [
      (stack: Stack) => eks.Cluster.fromClusterAttributes(stack, 'Cluster', { clusterName: 'prod' }).clusterName,
      (stack: Stack) => eks2.Cluster.fromClusterAttributes(stack, 'Cluster', { clusterName: 'prod' }).clusterName,
    ]) {
      const stack = stackOf();
      new AwsLoadBalancerControllerRole(stack, 'Role', { podIdentity: { clusterName: imported(stack) } });
      Template.fromStack(stack).hasResourceProperties('AWS::EKS::PodIdentityAssociation', { ClusterName: 'prod' });
    }
  });

  test('imported with their provider', () => {
    const stack = stackOf();
    const openIdConnectProvider = iam.OpenIdConnectProvider.fromOpenIdConnectProviderArn(stack, 'Provider', PROVIDER);
    const cluster = eks.Cluster.fromClusterAttributes(stack, 'Cluster', { clusterName: 'prod', openIdConnectProvider });
    new AwsLoadBalancerControllerRole(stack, 'Role', {
      clusterName: cluster.clusterName,
      irsa: { oidcProviderArn: cluster.openIdConnectProvider.openIdConnectProviderArn },
    });
    expect(trustIn(stack).Principal).toEqual({ Federated: PROVIDER });
  });
});

describe('the partition', () => {
  test.each([
    ['cn-north-1', 'aws-cn'],
    ['us-gov-west-1', 'aws-us-gov'],
    ['us-iso-east-1', 'aws-iso'],
  ])('of a stack in %s is %s', (region, partition) => {
    const stack = stackOf(region);
    new AwsLoadBalancerControllerRole(stack, 'Role', { podIdentity: { clusterName: 'prod' } });
    const text = JSON.stringify(statementsIn(stack));
    expect(text).toContain(`"arn:${partition}:ec2:*:*:security-group/*"`);
    expect(text.includes('DescribeTrustStores')).toBe(partition !== 'aws-iso');
    expect(trustIn(stack).Principal).toEqual({ Service: 'pods.eks.amazonaws.com' });
  });

  test('of a stack that knows no region is the one that it is deployed to', () => {
    const stack = freeStack();
    new AwsLoadBalancerControllerRole(stack, 'Role', { podIdentity: { clusterName: 'prod' } });
    expect(JSON.stringify(statementsIn(stack))).toContain(
      '{"Fn::Join":["",["arn:",{"Ref":"AWS::Partition"},":ec2:*:*:security-group/*"]]}',
    );
  });
});

describe('refuses', () => {
  test.each<[string, AwsLoadBalancerControllerRoleProps, RegExp]>([
    ...revived(CASES.awsCdk),
    ...revived(CASES.refuses),
  ])('%s', (_, props, message) => {
    expect(() => new AwsLoadBalancerControllerRole(stackOf(), 'Role', props)).toThrow(message);
  });

  test.each<[string, AwsLoadBalancerControllerRoleProps]>(revived(CASES.not))('not %s', (_, props) => {
    expect(() => new AwsLoadBalancerControllerRole(stackOf(), 'Role', props)).not.toThrow();
  });

  test('not a role for a cluster of another region that trusts its tokens', () => {
    const props = { clusterName: 'prod', irsa: { oidcProviderArn: PROVIDER }, vpcArn: VPC_IN_IRELAND };
    expect(() => new AwsLoadBalancerControllerRole(stackOf('us-east-1'), 'Role', props)).not.toThrow();
  });
});

test('the VPC of AWS CDK has the ARN that is asked for', () => {
  const stack = stackOf();
  const vpc = new ec2.Vpc(stack, 'Vpc');
  new AwsLoadBalancerControllerRole(stack, 'Role', { podIdentity: { clusterName: 'prod' }, vpcArn: vpc.vpcArn });
  expect(JSON.stringify(statementsIn(stack))).toContain(`"ec2:Vpc":${JSON.stringify(stack.resolve(vpc.vpcArn))}`);
});

function systemWith(identity: (role: string) => AwsIdentity) {
  const stack = new Stack(new App(), 'Edge');
  const role = new iam.Role(stack, 'Role', { assumedBy: new iam.AccountRootPrincipal() });
  const outdir = mkdtempSync(join(tmpdir(), 'tokens-'));
  const { chart } = installed({ identity: identity(role.roleArn) }, new Cdk8sApp({ outdir }));
  return { stack, role, outdir, chart, app: chart.node.root as Cdk8sApp };
}

test('the ARN of a role of a stack is no text for a file, and no file is written', () => {
  const { app, outdir } = systemWith((role) => AwsIdentity.irsa(role));
  expect(() => app.synth()).toThrow(
    /\[system\/Controller\] .*ServiceAccount aws-load-balancer-controller holds \$\{Token\[.*\]\}, .*CfnOutput.*cluster\.addCdk8sChart.*\(token-unresolved\)/,
  );
  expect(() => app.synth()).toThrow(/\(token-unresolved\)/);
  expect(readdirSync(outdir)).toEqual([]);
  rmSync(outdir, { recursive: true });
});

test('a role that is known is', () => {
  const { app, outdir } = systemWith(() => AwsIdentity.irsa('arn:aws:iam::123456789012:role/alb'));
  app.synth();
  expect(readdirSync(outdir)).toEqual(['system.k8s.yaml']);
  rmSync(outdir, { recursive: true });
});

test('AWS CDK fills the ARN in where it takes the chart', () => {
  const { stack, role, chart, outdir } = systemWith((arn) => AwsIdentity.irsa(arn));
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
  cluster.addCdk8sChart('system', chart);
  // of the cluster's own template, which has a condition that nothing uses
  jest.spyOn(console, 'error').mockImplementation();
  const [manifest] = Object.values(Template.fromStack(stack).findResources('Custom::AWSCDK-EKS-KubernetesResource'));
  expect(manifest.Properties.Manifest['Fn::Join'][1]).toContainEqual(stack.resolve(role.roleArn));
  rmSync(outdir, { recursive: true });
});

const ROOT = join(__dirname, '..', '..');

/** What a program prints that runs on the sources, in a process of its own. */
function run(program: string): string {
  return execFileSync(process.execPath, ['--import', 'tsx', '--eval', program], {
    cwd: ROOT,
    encoding: 'utf8',
    env: { ...process.env, TSX_TSCONFIG_PATH: join(ROOT, 'tsconfig.scripts.json') },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

const LOADED = `Object.keys(require.cache).some((path) => /[\\\\/]aws-cdk-lib[\\\\/]/.test(path))`;

test('plain data loads nothing of AWS CDK, and a construct of it does', () => {
  const seen = run(`
    const { AwsLoadBalancerControllerPolicy, AwsRoleTrust, AwsLoadBalancerControllerRole } = require('./src/identity');
    AwsLoadBalancerControllerPolicy.full({ clusterName: 'prod' }).toPolicyDocument();
    AwsRoleTrust.podIdentity().toPolicyDocument();
    const before = ${LOADED};
    try { new AwsLoadBalancerControllerRole(new (require('constructs').RootConstruct)(), 'x', { podIdentity: { clusterName: 'a' } }); } catch {}
    process.stdout.write(JSON.stringify([before, ${LOADED}]));`);
  expect(JSON.parse(seen)).toEqual([false, true]);
});

test('where AWS CDK is not installed, a construct of it says how to get it in every language', () => {
  const message = run(`
    const Module = require('node:module');
    const resolve = Module._resolveFilename;
    Module._resolveFilename = (name, ...rest) => {
      if (name.startsWith('aws-cdk-lib')) throw Object.assign(new Error('no ' + name), { code: 'MODULE_NOT_FOUND' });
      return resolve(name, ...rest);
    };
    const { AwsLoadBalancerControllerRole } = require('./src/identity');
    try {
      new AwsLoadBalancerControllerRole(new (require('constructs').RootConstruct)(), 'Role', { podIdentity: { clusterName: 'prod' } });
    } catch (error) {
      process.stdout.write(error.message);
    }`);
  expect(message).toMatch(/^AwsLoadBalancerControllerRole: AWS CDK is not installed; .*\(aws-cdk-missing\)$/);
  for (const way of ['npm install', 'pip install', 'Maven', 'NuGet', 'go get']) {
    expect(message).toContain(way);
  }
});

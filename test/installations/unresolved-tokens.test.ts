import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App as CdkApp, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import * as eks from 'aws-cdk-lib/aws-eks';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import { App } from 'cdk8s';
import { AwsIdentity } from '../../src/identity';
import { installed } from './aws-load-balancer-controller/installations';

function systemWith(identity: (role: string) => AwsIdentity) {
  const stack = new Stack(new CdkApp(), 'Edge');
  const role = new iam.Role(stack, 'Role', { assumedBy: new iam.AccountRootPrincipal() });
  const outdir = mkdtempSync(join(tmpdir(), 'tokens-'));
  const { chart } = installed({ identity: identity(role.roleArn) }, new App({ outdir }));
  return { stack, role, outdir, chart, app: chart.node.root as App };
}

test('the ARN of a role of a stack is no text for a file, and no file is written', () => {
  const { app, outdir } = systemWith((role) => AwsIdentity.irsa(role));
  expect(() => app.synth()).toThrow(
    /\[system\/Controller\] .*ServiceAccount aws-load-balancer-controller holds \$\{Token\[.*\]\}, .*CfnOutput.*cluster\.addCdk8sChart.*\(unresolved-token\)/,
  );
  expect(() => app.synth()).toThrow(/\(unresolved-token\)/);
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

import { App as CdkApp, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { SubnetType, Vpc } from 'aws-cdk-lib/aws-ec2';
import * as eks from 'aws-cdk-lib/aws-eks';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import { publish } from '../../examples/nlb-of-aws-cdk';

/** AWS CDK judges templates by the schemas of CloudFormation, and fails. */
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

// A Network Load Balancer that AWS CDK owns: Kubernetes only puts pods into its target group, so nothing can be orphaned.
import { type Stack, Tags } from 'aws-cdk-lib';
import type { ICluster } from 'aws-cdk-lib/aws-eks';
import {
  NetworkLoadBalancer,
  type NetworkLoadBalancerProps,
  NetworkTargetGroup,
  Protocol,
  TargetType,
} from 'aws-cdk-lib/aws-elasticloadbalancingv2';
import { App, Chart } from 'cdk8s';
import {
  AwsLoadBalancerControllerPolicy,
  AwsLoadBalancerControllerRole,
  NlbTargetType,
  TargetGroupBinding,
} from 'cdk8s-load-balancers';

/** Publishes the Service `echo` of namespace `edge` on port 443. */
export function publish(stack: Stack, cluster: ICluster, props: Partial<NetworkLoadBalancerProps> = {}): void {
  const balancer = new NetworkLoadBalancer(stack, 'Nlb', { vpc: cluster.vpc, ...props });
  const targets = new NetworkTargetGroup(stack, 'Targets', {
    vpc: cluster.vpc,
    port: 443,
    protocol: Protocol.TCP,
    targetType: TargetType.IP, // as in the binding below
  });
  Tags.of(targets).add('elbv2.k8s.aws/cluster', cluster.clusterName); // AwsClusterIsolation.OWN_RESOURCES asks for it
  balancer.addListener('Https', { port: 443, defaultTargetGroups: [targets] });

  // The controller may fill this target group, and nothing else.
  new AwsLoadBalancerControllerRole(stack, 'Role', {
    podIdentity: { clusterName: cluster.clusterName },
    policy: AwsLoadBalancerControllerPolicy.targetGroupBindingsOnly([targets.targetGroupArn]),
  });

  const chart = new Chart(new App(), 'edge', { namespace: 'edge' });
  new TargetGroupBinding(chart, 'Https', {
    targetGroupArn: targets.targetGroupArn,
    targetType: NlbTargetType.IP,
    serviceName: 'echo', // of type ClusterIP
    servicePort: 443,
  });
  cluster.addCdk8sChart('edge', chart);
}

import type { AwsClusterIsolation } from './aws-cluster-isolation';
import type { AwsLoadBalancerControllerFeature } from './aws-load-balancer-controller-feature';
import type { AwsPartition } from './aws-partition';

/**
 * What a policy of the AWS Load Balancer Controller is to allow.
 */
export interface AwsLoadBalancerControllerPolicyOptions {
  /** The cluster name that the controller is started with: the value of the tag on everything that it makes. */
  readonly clusterName: string;

  /**
   * The partition that the cluster runs in.
   *
   * @default AwsPartition.AWS
   */
  readonly partition?: AwsPartition;

  /**
   * How far it is kept to its own cluster.
   *
   * @default AwsClusterIsolation.OWN_CLUSTER
   */
  readonly isolation?: AwsClusterIsolation;

  /**
   * What is wanted in addition.
   *
   * @default - nothing
   */
  readonly features?: AwsLoadBalancerControllerFeature[];

  /**
   * The ARN of the VPC of the cluster. With it, rules are written to security groups of this VPC alone.
   *
   * @default - rules of every security group of the account may be written
   */
  readonly vpcArn?: string;

  /**
   * Whether it may make the service-linked role of Elastic Load Balancing, which the first balancer of an account needs.
   *
   * @default true
   */
  readonly serviceLinkedRole?: boolean;

  /**
   * The ARNs of roles of other accounts that TargetGroupBindings name in `iamRoleArnToAssume`.
   *
   * @default - none
   */
  readonly assumableRoleArns?: string[];
}

/**
 * What a policy of a controller is to allow that only binds pods and nodes to target groups of others.
 */
export interface AwsTargetGroupBindingPolicyOptions {
  /**
   * The target groups: ARNs, tokens of AWS CDK or ARNs with wildcards.
   *
   * @default - every target group of the account
   */
  readonly targetGroupArns?: string[];

  /**
   * The ARN of the VPC of the cluster, where the bindings say `networking` and rules are to be written for them.
   *
   * @default - no rules of security groups
   */
  readonly vpcArn?: string;
}

import type { AwsClusterIsolation } from '../aws/aws-cluster-isolation';
import type { AwsLoadBalancerControllerFeature } from '../aws/aws-load-balancer-controller-feature';
import type { IamPolicy } from '../aws/iam-policy';

/**
 * The cluster that gives the role to its pods.
 */
export interface AwsPodIdentityCluster {
  /** The name of the EKS cluster: `cluster.clusterName`, or a text. */
  readonly clusterName: string;

  /**
   * The ARN of the cluster. With it, no cluster of the same name in another region can give the role to its pods.
   *
   * @default - clusters of that name
   */
  readonly clusterArn?: string;
}

/**
 * The OIDC provider of the cluster whose tokens the role trusts.
 */
export interface AwsIrsaCluster {
  /**
   * The ARN of the provider: `cluster.openIdConnectProvider.openIdConnectProviderArn`, that of an imported one, or a text.
   */
  readonly oidcProviderArn: string;

  /**
   * The issuer, without `https://`. It is a key of the trust policy: where it is not known before the deployment, the policy is
   * written by a custom resource (`CfnJson`), and so it is without an issuer and with an ARN that is a token.
   *
   * @default - the one in `oidcProviderArn`
   */
  readonly issuer?: string;
}

/**
 * The role of an AWS Load Balancer Controller. Exactly one of `podIdentity` and `irsa` is given.
 */
export interface AwsLoadBalancerControllerRoleProps {
  /**
   * The role is given by EKS Pod Identity; the association is made too.
   *
   * @default - `irsa` is used
   */
  readonly podIdentity?: AwsPodIdentityCluster;

  /**
   * The role trusts the tokens of the ServiceAccount. `AwsIdentity.irsa(role.roleArn)` writes the annotation for it.
   *
   * @default - `podIdentity` is used
   */
  readonly irsa?: AwsIrsaCluster;

  /**
   * The cluster name that the controller is started with, which the permissions are kept to. Beside `podIdentity` it is another
   * name only together with a `policy` for it.
   *
   * @default - that of `podIdentity`; it must be given with `irsa`
   */
  readonly clusterName?: string;

  /**
   * The namespace of the controller.
   *
   * @default 'kube-system'
   */
  readonly namespace?: string;

  /**
   * The ServiceAccount of the controller.
   *
   * @default 'aws-load-balancer-controller'
   */
  readonly serviceAccount?: string;

  /**
   * Whether it serves Services and Gateways for NLBs alone.
   *
   * @default false
   */
  readonly nlbOnly?: boolean;

  /**
   * What is wanted in addition.
   *
   * @default - nothing
   */
  readonly features?: AwsLoadBalancerControllerFeature[];

  /**
   * How far it is kept to its own cluster.
   *
   * @default AwsClusterIsolation.OWN_CLUSTER
   */
  readonly isolation?: AwsClusterIsolation;

  /**
   * The ARN of the VPC of the cluster. With it, rules are written to security groups of this VPC alone.
   *
   * @default - rules of every security group of the account may be written
   */
  readonly vpcArn?: string;

  /**
   * Permissions instead of those that `nlbOnly`, `features`, `isolation` and `vpcArn` describe.
   *
   * @default - derived from the other properties
   */
  readonly policy?: IamPolicy;

  /**
   * The name of the role.
   *
   * @default - made by CloudFormation
   */
  readonly roleName?: string;

  /**
   * The ARN of a policy that limits the role, where the account demands one.
   *
   * @default - none
   */
  readonly permissionsBoundaryArn?: string;
}

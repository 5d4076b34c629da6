import { Construct } from 'constructs';
import { refuseWrongProps } from '../../contract/declared-types';
import { isUnresolved } from '../aws/aws-arn';
import { AwsLoadBalancerControllerPolicy } from '../aws/aws-load-balancer-controller-policy';
import { AwsPartition } from '../aws/aws-partition';
import { AwsRoleTrust } from '../aws/aws-role-trust';
import type { IamPolicy } from '../aws/iam-policy';
import { serviceAccountFault } from '../aws/service-account-fault';
import { AWS_IDENTITY, SERVICE_ACCOUNT_NAME } from '../refused-identities';
import { roleFault } from './aws-load-balancer-controller-role-faults';
import { irsaTrust } from './irsa-trust';
import { type AwsCdk, awsCdkFor } from './load-aws-cdk';
import { managedPolicies } from './managed-policies';
import type { AwsLoadBalancerControllerRoleProps } from './options';
import { PodIdentityAssociation } from './pod-identity-association';
import { refuseForeignArns } from './stack-partition';

const WHO = 'AwsLoadBalancerControllerRole';
const NAMESPACE = 'kube-system';
const SERVICE_ACCOUNT = 'aws-load-balancer-controller';

/** The partition of the region of a stack, or the one that it is deployed to. */
function partitionOf(scope: Construct, { core }: AwsCdk): AwsPartition {
  const { region, partition } = core.Stack.of(scope);
  return isUnresolved(region) ? AwsPartition._known(partition) : AwsPartition.ofRegion(region);
}

/**
 * The role of an AWS Load Balancer Controller, in a stack of AWS CDK: who may take it, what it may do, and for EKS Pod Identity
 * the association. Works with clusters of `aws-eks` and `aws-eks-v2`, imported ones, and those that CDK does not know, since it
 * takes texts alone, tokens or not.
 *
 * Delete it after the Services of the cluster: a controller without permissions leaves them in Terminating.
 */
export class AwsLoadBalancerControllerRole extends Construct {
  /** The ARN of the role, a token: for `AwsIdentity.irsa`, where the manifests are applied by the same app of AWS CDK. */
  public readonly roleArn: string;

  /** The name of the role, a token. */
  public readonly roleName: string;

  /** What the role may do. */
  public readonly permissions: IamPolicy;

  /**
   * A role.
   *
   * @param scope a stack of AWS CDK, or a construct in one
   * @param id the name of the construct in its scope
   * @param props who takes it, and what it may do
   * @throws when AWS CDK is not installed, none or both of `podIdentity` and `irsa` are given, an ARN, an issuer or a name is not valid,
   * one of them is of another partition than the stack, the VPC or the cluster of another region, or the permissions of another
   * cluster
   */
  public constructor(scope: Construct, id: string, props: AwsLoadBalancerControllerRoleProps) {
    refuseWrongProps([scope.node.path, id].filter(Boolean).join('/'), 'AwsLoadBalancerControllerRoleProps', props);
    super(scope, id);
    const cdk = awsCdkFor(this, WHO);
    const { podIdentity, irsa } = props;
    const namespace = props.namespace ?? NAMESPACE;
    const serviceAccount = props.serviceAccount ?? SERVICE_ACCOUNT;
    if ((podIdentity === undefined) === (irsa === undefined)) {
      this.refuse('exactly one of podIdentity and irsa decides who assumes the role; keep one', AWS_IDENTITY.id);
    }
    const fault = serviceAccountFault(namespace, serviceAccount);
    if (fault !== undefined) {
      this.refuse(`${fault}; name the ServiceAccount of the controller`, SERVICE_ACCOUNT_NAME.id);
    }
    refuseForeignArns(
      this,
      cdk,
      [
        ['irsa.oidcProviderArn', irsa?.oidcProviderArn],
        ['podIdentity.clusterArn', podIdentity?.clusterArn],
        ['permissionsBoundaryArn', props.permissionsBoundaryArn],
      ],
      [['irsa.issuer', irsa?.issuer]],
    );
    this.permissions = props.policy ?? this.derivedPolicy(props, cdk);
    const wrong = roleFault(props, cdk.core.Stack.of(this).region);
    if (wrong !== undefined) {
      this.refuse(wrong.fault, wrong.ruleId);
    }
    const role = new cdk.iam.CfnRole(this, 'Resource', {
      assumeRolePolicyDocument: irsa
        ? irsaTrust(this, WHO, irsa, namespace, serviceAccount)
        : AwsRoleTrust.podIdentity({ ...podIdentity, namespace, serviceAccount }).toPolicyDocument(),
      description: 'AWS Load Balancer Controller',
      managedPolicyArns: managedPolicies(this, this.permissions, WHO, {}),
      permissionsBoundary: props.permissionsBoundaryArn,
      roleName: props.roleName,
    });
    this.roleArn = role.attrArn;
    this.roleName = role.ref;
    if (podIdentity) {
      const { clusterName } = podIdentity;
      new PodIdentityAssociation(this, 'Association', {
        clusterName,
        namespace,
        serviceAccount,
        roleArn: role.attrArn,
      });
    }
  }

  private derivedPolicy(props: AwsLoadBalancerControllerRoleProps, cdk: AwsCdk): IamPolicy {
    const { podIdentity, nlbOnly, features, isolation, vpcArn } = props;
    const clusterName = props.clusterName ?? podIdentity?.clusterName;
    if (clusterName === undefined) {
      return this.refuse(
        'which cluster the permissions are kept to is not known; give clusterName',
        'aws-cluster-name',
      );
    }
    const options = { clusterName, features, isolation, vpcArn, partition: partitionOf(this, cdk) };
    return nlbOnly ? AwsLoadBalancerControllerPolicy.nlbOnly(options) : AwsLoadBalancerControllerPolicy.full(options);
  }

  private refuse(fault: string, ruleId: string): never {
    throw new Error(`${this.node.path}: ${fault} (${ruleId})`);
  }
}

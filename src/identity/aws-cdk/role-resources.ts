import { Construct } from 'constructs';
import { refuseWrongProps } from '../../contract/declared-types';
import { arnFault, isUnresolved, parseArn, serviceAccountFault } from '../aws/aws-arn';
import { refusal, refuse } from '../refusal';
import { awsCdkFor, managedPolicies, refuseForeignArns } from './load-aws-cdk';
import type { AwsRolePolicyProps, PodIdentityAssociationProps } from './options';

function roleNameOf({ roleName, roleArn }: AwsRolePolicyProps): { name: string } | { fault: string } {
  if ((roleName === undefined) === (roleArn === undefined)) {
    return { fault: 'exactly one of roleName and roleArn names the role; set one' };
  }
  if (roleName !== undefined) {
    return { name: roleName };
  }
  const arn = roleArn ?? '';
  if (isUnresolved(arn)) {
    return { fault: 'the name of a role cannot be read in an ARN that is known at deployment only; give roleName' };
  }
  const fault = arnFault(arn, 'iam', /^role\/./, 'arn:aws:iam::123456789012:role/edge');
  return fault === undefined
    ? { name: (parseArn(arn)?.resource ?? '').split('/').slice(-1)[0] }
    : { fault: `${fault}; write the ARN of the role` };
}

/**
 * Gives a role that is there already, made by AWS CDK or not, permissions that are plain data.
 *
 * They are removed when the stack is deleted: for the role of a controller, that is after its Services.
 */
export class AwsRolePolicy extends Construct {
  /** The ARNs of the managed policies, tokens: more than one where the permissions are longer than IAM allows in one. */
  public readonly managedPolicyArns: string[];

  /**
   * Permissions for a role.
   *
   * @param scope a stack of AWS CDK, or a construct in one
   * @param id the name of the construct in its scope
   * @param props which permissions for which role
   * @throws when AWS CDK is not installed, it is not clear which role is meant, or the role or a resource is of another
   * partition than the stack
   */
  public constructor(scope: Construct, id: string, props: AwsRolePolicyProps) {
    refuseWrongProps([scope.node.path, id].filter(Boolean).join('/'), 'AwsRolePolicyProps', props);
    super(scope, id);
    const role = roleNameOf(props);
    if ('fault' in role) {
      throw refusal(this.node.path, 'aws-role-ambiguous', role.fault);
    }
    const { policy, description, roleArn } = props;
    refuseForeignArns(this, awsCdkFor(this, 'AwsRolePolicy'), [['roleArn', roleArn]]);
    this.managedPolicyArns = managedPolicies(this, policy, 'AwsRolePolicy', { description, roles: [role.name] });
  }
}

/**
 * An association of EKS Pod Identity, in a stack of AWS CDK. Nodes need the agent: the addon `eks-pod-identity-agent`, which
 * EKS Auto Mode has.
 *
 * @see https://docs.aws.amazon.com/eks/latest/userguide/pod-identities.html
 */
export class PodIdentityAssociation extends Construct {
  /** The ARN of the association, a token. */
  public readonly associationArn: string;

  /**
   * An association.
   *
   * @param scope a stack of AWS CDK, or a construct in one
   * @param id the name of the construct in its scope
   * @param props which role for which ServiceAccount
   * @throws when AWS CDK is not installed, a name or an ARN is not valid, or a role is of another partition than the stack
   */
  public constructor(scope: Construct, id: string, props: PodIdentityAssociationProps) {
    refuseWrongProps([scope.node.path, id].filter(Boolean).join('/'), 'PodIdentityAssociationProps', props);
    super(scope, id);
    const cdk = awsCdkFor(this, 'PodIdentityAssociation');
    const { clusterName, namespace, serviceAccount, roleArn, targetRoleArn, disableSessionTags } = props;
    const role = 'arn:aws:iam::123456789012:role/edge';
    const fault =
      serviceAccountFault(namespace, serviceAccount) ??
      arnFault(roleArn, 'iam', /^role\/./, role) ??
      (targetRoleArn === undefined ? undefined : arnFault(targetRoleArn, 'iam', /^role\/./, role));
    const remedy = 'write the role and the ServiceAccount that it is for';
    refuse(this.node.path, 'pod-identity-invalid', fault && `${fault}; ${remedy}`);
    refuseForeignArns(this, cdk, [
      ['roleArn', roleArn],
      ['targetRoleArn', targetRoleArn],
    ]);
    const association = { clusterName, namespace, serviceAccount, roleArn, targetRoleArn, disableSessionTags };
    this.associationArn = new cdk.eks.CfnPodIdentityAssociation(this, 'Resource', association).attrAssociationArn;
  }
}

import { Construct } from 'constructs';
import { refuseWrongProps } from '../../contract/declared-types';
import { arnFault, isUnresolved, parseArn } from '../aws/aws-arn';
import { AWS_ROLE } from '../refused-identities';
import { awsCdkFor } from './load-aws-cdk';
import { managedPolicies } from './managed-policies';
import type { AwsRolePolicyProps } from './options';
import { refuseForeignArns } from './stack-partition';

/** The name of a role, or what is wrong. */
function roleNameOf({ roleName, roleArn }: AwsRolePolicyProps): { name: string } | { fault: string } {
  if ((roleName === undefined) === (roleArn === undefined)) {
    return { fault: 'exactly one of roleName and roleArn names the role; keep one' };
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
 * They are taken away when the stack is deleted: for the role of a controller, that is after its Services.
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
      throw new Error(`${this.node.path}: ${role.fault} (${AWS_ROLE.id})`);
    }
    const { policy, description, roleArn } = props;
    refuseForeignArns(this, awsCdkFor(this, 'AwsRolePolicy'), [['roleArn', roleArn]]);
    this.managedPolicyArns = managedPolicies(this, policy, 'AwsRolePolicy', { description, roles: [role.name] });
  }
}

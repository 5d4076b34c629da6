import type { Construct } from 'constructs';
import { MANAGED_POLICIES_OF_A_ROLE } from '../aws/aws.facts';
import type { IamPolicy } from '../aws/iam-policy';
import { IAM_POLICY_SIZE } from '../refused-identities';
import { awsCdkFor } from './load-aws-cdk';
import { refuseForeignArns } from './stack-partition';

/** Makes the managed policies that it takes to say everything, each within the limit of IAM. */
export function managedPolicies(
  scope: Construct,
  policy: IamPolicy,
  who: string,
  props: { readonly description?: string; readonly roles?: string[] },
): string[] {
  const cdk = awsCdkFor(scope, who);
  const resources = policy.statements.flatMap((statement) => statement.resources);
  refuseForeignArns(
    scope,
    cdk,
    resources.map((resource) => ['policy', resource]),
  );
  const parts = policy.split();
  if (parts.length > MANAGED_POLICIES_OF_A_ROLE) {
    throw new Error(
      `${scope.node.path}: the permissions take ${parts.length} managed policies, and a role has ${MANAGED_POLICIES_OF_A_ROLE}; leave features out (${IAM_POLICY_SIZE.id})`,
    );
  }
  return parts.map(
    (part, place) =>
      new cdk.iam.CfnManagedPolicy(scope, place === 0 ? 'Policy' : `Policy${place + 1}`, {
        ...props,
        policyDocument: part.toPolicyDocument(),
      }).ref,
  );
}

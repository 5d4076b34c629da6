import type { Construct } from 'constructs';
import { POLICY_LANGUAGE, STS_AUDIENCE } from '../aws/aws.facts';
import { isUnresolved } from '../aws/aws-arn';
import { AwsRoleTrust } from '../aws/aws-role-trust';
import { issuerFault, providerArnFault } from '../aws/irsa-provider';
import { IRSA_PROVIDER } from '../refused-identities';
import { awsCdkFor } from './load-aws-cdk';
import type { AwsIrsaCluster } from './options';

/**
 * The trust policy of a role that takes tokens of a cluster. CloudFormation knows no keys that are tokens, so where the issuer
 * is one, a custom resource writes the condition. It is cut out of the ARN then: the issuer of a new cluster begins with
 * `https://`, and nothing shows whether a token does.
 */
export function irsaTrust(
  scope: Construct,
  who: string,
  { oidcProviderArn, issuer }: AwsIrsaCluster,
  namespace: string,
  serviceAccount: string,
): object {
  const fault = providerArnFault(oidcProviderArn) ?? (issuer === undefined ? undefined : issuerFault(issuer));
  if (fault !== undefined) {
    throw new Error(`${scope.node.path}: ${fault} (${IRSA_PROVIDER.id})`);
  }
  const known = issuer !== undefined && !isUnresolved(issuer);
  if (known || !isUnresolved(oidcProviderArn)) {
    const required = { oidcProviderArn, namespace, serviceAccount };
    return AwsRoleTrust.irsa(known ? { ...required, issuer } : required).toPolicyDocument();
  }
  const { core } = awsCdkFor(scope, who);
  const host = core.Fn.select(1, core.Fn.split(':oidc-provider/', oidcProviderArn));
  const condition = new core.CfnJson(scope, 'TrustCondition', {
    value: {
      [`${host}:aud`]: STS_AUDIENCE,
      [`${host}:sub`]: `system:serviceaccount:${namespace}:${serviceAccount}`,
    },
  });
  return {
    Version: POLICY_LANGUAGE,
    Statement: [
      {
        Effect: 'Allow',
        Principal: { Federated: oidcProviderArn },
        Action: 'sts:AssumeRoleWithWebIdentity',
        Condition: { StringEquals: condition },
      },
    ],
  };
}

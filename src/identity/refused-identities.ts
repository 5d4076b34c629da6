import type { DescribedRule } from '../contract/rule';

// Rules that policies, trust and names of identities are refused by before there is an object to validate.

const refusal = (id: string, says: string): DescribedRule => ({ id, severity: 'error', says, source: 'ours' });

export const AWS_ARN = refusal(
  'aws-arn',
  'ARN of an unknown partition, or of another resource than the one that it is to name',
);
export const AWS_CLUSTER_NAME = refusal('aws-cluster-name', 'ARN, name and permissions of different clusters');
export const AWS_REGION_OF_ROLE = refusal(
  'aws-region-of-role',
  'VPC or cluster of another region than the one in which the cluster gives out its role',
);
export const SERVICE_ACCOUNT_NAME = refusal(
  'service-account-name',
  'name of a ServiceAccount or of its namespace that is not valid',
);
export const IRSA_ISSUER_TOKEN = refusal('irsa-issuer-token', 'issuer of IRSA that is known only at deployment');
export const IRSA_PROVIDER = refusal(
  'irsa-provider',
  'OIDC provider of IRSA that is missing, or named in two ways that differ',
);
export const TOKEN_EXPIRATION = refusal('token-expiration', 'life of a ServiceAccount token that AWS refuses');
export const IAM_STATEMENT = refusal(
  'iam-statement',
  'IAM statement without actions or resources, or with ones that IAM cannot read',
);
export const IAM_POLICY_SIZE = refusal(
  'iam-policy-size',
  'policy, or number of policies of a role, beyond the limits of IAM',
);
export const AWS_CDK_MISSING = refusal('aws-cdk-missing', 'resource of AWS CDK without AWS CDK');
export const AWS_CDK_STACK = refusal('aws-cdk-stack', 'resource of AWS CDK outside a Stack');
export const AWS_IDENTITY = refusal(
  'aws-identity',
  'role that is assumed both by Pod Identity and by IRSA, or by neither',
);
export const AWS_PARTITION = refusal(
  'aws-partition',
  'ARN of another partition than its region, or than the ARNs beside it',
);
export const AWS_ROLE = refusal('aws-role', 'policy for a role that is named in two ways, or in none');
export const POD_IDENTITY = refusal('pod-identity', 'Pod Identity association without a valid role or ServiceAccount');
export const AZURE_ROLE = refusal('azure-role', 'role or identity of Azure that is not a GUID or an ID');
export const AZURE_SCOPE = refusal('azure-scope', 'scope of Azure with a name that is not valid');
export const GCP_PROJECT = refusal('gcp-project', 'project of Google Cloud that is not named by its ID');

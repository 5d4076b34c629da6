import type { DescribedRule } from '../contract/rule';

// Rules that policies, trust and names of identities are refused by before there is an object to validate.

export const AWS_ARN: DescribedRule = {
  id: 'aws-arn',
  severity: 'error',
  says: 'ARNs are of a known partition, and of what they are to name',
  source: 'ours',
};

export const AWS_CLUSTER_NAME: DescribedRule = {
  id: 'aws-cluster-name',
  severity: 'error',
  says: 'ARN, name and permissions of a cluster are of the same cluster',
  source: 'ours',
};

export const AWS_REGION_OF_ROLE: DescribedRule = {
  id: 'aws-region-of-role',
  severity: 'error',
  says: 'the VPC and the ARN of a cluster are of the region in which the cluster gives out its role',
  source: 'ours',
};

export const SERVICE_ACCOUNT_NAME: DescribedRule = {
  id: 'service-account-name',
  severity: 'error',
  says: 'names of a ServiceAccount and of its namespace are such as Kubernetes takes',
  source: 'ours',
};

export const IRSA_ISSUER_TOKEN: DescribedRule = {
  id: 'irsa-issuer-token',
  severity: 'error',
  says: 'the issuer of IRSA is known where a trust policy is written',
  source: 'ours',
};

export const IRSA_PROVIDER: DescribedRule = {
  id: 'irsa-provider',
  severity: 'error',
  says: 'IRSA names one OIDC provider, by its issuer and its ARN',
  source: 'ours',
};

export const TOKEN_EXPIRATION: DescribedRule = {
  id: 'token-expiration',
  severity: 'error',
  says: 'tokens of a ServiceAccount live for as long as AWS admits',
  source: 'ours',
};

export const IAM_STATEMENT: DescribedRule = {
  id: 'iam-statement',
  severity: 'error',
  says: 'a statement of IAM has actions and resources of the form that IAM reads',
  source: 'ours',
};

export const IAM_POLICY_SIZE: DescribedRule = {
  id: 'iam-policy-size',
  severity: 'error',
  says: 'policies, and their number on a role, stay within the limits of IAM',
  source: 'ours',
};

export const AWS_CDK_MISSING: DescribedRule = {
  id: 'aws-cdk-missing',
  severity: 'error',
  says: 'what makes resources of AWS is used where AWS CDK is installed',
  source: 'ours',
};

export const AWS_CDK_STACK: DescribedRule = {
  id: 'aws-cdk-stack',
  severity: 'error',
  says: 'what makes resources of AWS is in a Stack of AWS CDK',
  source: 'ours',
};

export const AWS_IDENTITY: DescribedRule = {
  id: 'aws-identity',
  severity: 'error',
  says: 'a role is assumed in one way: by Pod Identity or by IRSA',
  source: 'ours',
};

export const AWS_PARTITION: DescribedRule = {
  id: 'aws-partition',
  severity: 'error',
  says: 'an ARN is of the partition of its region, and of the ARNs beside it',
  source: 'ours',
};

export const AWS_ROLE: DescribedRule = {
  id: 'aws-role',
  severity: 'error',
  says: 'a policy for a role names the role in one way',
  source: 'ours',
};

export const POD_IDENTITY: DescribedRule = {
  id: 'pod-identity',
  severity: 'error',
  says: 'a Pod Identity association names a role and a ServiceAccount',
  source: 'ours',
};

export const AZURE_ROLE: DescribedRule = {
  id: 'azure-role',
  severity: 'error',
  says: 'a role of Azure is named by its GUID or by its ID',
  source: 'ours',
};

export const AZURE_SCOPE: DescribedRule = {
  id: 'azure-scope',
  severity: 'error',
  says: 'a scope of Azure consists of names that Azure takes',
  source: 'ours',
};

export const GCP_PROJECT: DescribedRule = {
  id: 'gcp-project',
  severity: 'error',
  says: 'a project of Google Cloud is named by its ID',
  source: 'ours',
};

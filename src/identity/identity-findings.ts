import type { DescribedRule } from '../contract/rule';

/** What is told of policies, trust and names of identities before there is an object to judge. */
export const IDENTITY_FINDINGS: readonly DescribedRule[] = [
  { id: 'aws-arn', severity: 'error', says: 'ARNs are of a known partition, and of what they are to name' },
  { id: 'aws-cluster-name', severity: 'error', says: 'ARN, name and permissions of a cluster are of the same cluster' },
  {
    id: 'aws-region-of-role',
    severity: 'error',
    says: 'the VPC and the ARN of a cluster are of the region in which the cluster gives out its role',
  },
  {
    id: 'service-account-name',
    severity: 'error',
    says: 'names of a ServiceAccount and of its namespace are such as Kubernetes takes',
  },
  { id: 'irsa-issuer-token', severity: 'error', says: 'the issuer of IRSA is known where a trust policy is written' },
  { id: 'irsa-provider', severity: 'error', says: 'IRSA names one OIDC provider, by its issuer and its ARN' },
  { id: 'token-expiration', severity: 'error', says: 'tokens of a ServiceAccount live for as long as AWS admits' },
  {
    id: 'iam-statement',
    severity: 'error',
    says: 'a statement of IAM has actions and resources of the form that IAM reads',
  },
  {
    id: 'iam-policy-size',
    severity: 'error',
    says: 'policies, and their number on a role, stay within the limits of IAM',
  },
  { id: 'aws-cdk-missing', severity: 'error', says: 'what makes resources of AWS is used where AWS CDK is installed' },
  { id: 'aws-cdk-stack', severity: 'error', says: 'what makes resources of AWS stands in a Stack of AWS CDK' },
  { id: 'aws-identity', severity: 'error', says: 'a role says in one way who takes it: by Pod Identity or by IRSA' },
  { id: 'aws-role', severity: 'error', says: 'a policy for a role names the role in one way' },
  {
    id: 'cdk-owned-nlb',
    severity: 'error',
    says: 'a balancer that AWS CDK owns has subnets, and a name and listeners that AWS takes',
  },
  { id: 'pod-identity', severity: 'error', says: 'a Pod Identity association names a role and a ServiceAccount' },
  { id: 'azure-role', severity: 'error', says: 'a role of Azure is named by its GUID or by its ID' },
  { id: 'azure-scope', severity: 'error', says: 'a scope of Azure consists of names that Azure takes' },
  { id: 'azure-workload-identity', severity: 'error', says: 'a workload identity of Azure is named by GUIDs' },
  { id: 'gcp-project', severity: 'error', says: 'a project of Google Cloud is named by its ID' },
  { id: 'gcp-workload-identity', severity: 'error', says: 'members of Google Cloud consist of names that it takes' },
];

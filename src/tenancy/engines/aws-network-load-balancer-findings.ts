import type { DescribedRule } from '../../contract/rule-of';

/** What is told of options of the NLB gateway, and of the controller that is to serve it. */
export const NLB_GATEWAY_FINDINGS: readonly DescribedRule[] = [
  {
    id: 'nlb-security-groups',
    severity: 'error',
    says: 'the security groups of an NLB of tenants are ids or names, 1 at least and each of them once',
  },
  { id: 'nlb-source-ranges', severity: 'error', says: 'the source ranges of an NLB of tenants are CIDRs' },
  {
    id: 'nlb-gateway-off',
    severity: 'error',
    says: 'where the AWS Load Balancer Controller is in the app of an NLB of tenants, its NLB gateway and its listener sets are on',
  },
  {
    id: 'nlb-gateway-version',
    severity: 'error',
    says: 'where the AWS Load Balancer Controller is in the app of an NLB of tenants, it is of a version that reads TCPRoute and its own kinds in v1',
  },
];

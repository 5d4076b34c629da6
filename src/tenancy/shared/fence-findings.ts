import type { DescribedRule } from '../../contract/rule-of';

/** What is told of objects that keep tenants apart, as they are written. */
export const FENCE_FINDINGS: readonly DescribedRule[] = [
  {
    id: 'fence-removed',
    severity: 'error',
    says: 'policies between tenants, balancers and what tenants publish there are written, unless all tenants are one team',
  },
  {
    id: 'fence-weakened',
    severity: 'error',
    says: 'patches leave policies between tenants, balancers and what tenants publish there as strict as they were made, unless all tenants are one team',
  },
];

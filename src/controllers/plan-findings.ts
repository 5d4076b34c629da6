import type { DescribedRule } from '../contract/rule-of';

/** What controllers tell when they make a plan. */
export const PLAN_FINDINGS: readonly DescribedRule[] = [
  {
    id: 'said-twice',
    severity: 'error',
    says: 'an annotation that is added does not stand against one that the controller writes',
  },
  {
    id: 'sticks-to-node',
    severity: 'warning',
    says: 'session affinity keeps a client at a pod: with instance targets of a Network Load Balancer it does at a node alone',
  },
  {
    id: 'azure-basic-retired',
    severity: 'warning',
    says: 'balancers of Azure are of SKU Standard: those of SKU Basic were retired on 2025-09-30',
  },
  {
    id: 'pod-must-speak-proxy-protocol',
    severity: 'warning',
    says: 'pods understand the PROXY protocol where it is how they learn the address of a client',
  },
  {
    id: 'metallb-pool-decides-scheme',
    severity: 'warning',
    says: 'a scheme with MetalLB names the address pool whose addresses are of that scheme',
  },
  {
    id: 'metallb-other-advertisements',
    severity: 'warning',
    says: 'no other advertisement announces a pool that is to be announced from some nodes alone',
  },
];

import type { DescribedRule } from '../contract/rule';

/** What is told of the props and the manifest of a Service before it is written. */
export const SERVICE_FINDINGS: readonly DescribedRule[] = [
  { id: 'bad-props', severity: 'error', says: 'a LoadBalancedService says in one way which pods are behind it' },
  {
    id: 'adopted-scheme',
    severity: 'error',
    says: 'of a load balancer that is live already, manifest or props say whether it is public',
  },
  {
    id: 'manifest-contradicts-plan',
    severity: 'error',
    says: 'a manifest that is adopted does not say otherwise than the plan',
  },
  {
    id: 'class-on-live-service',
    severity: 'warning',
    says: 'a Service that is live gets no class that it did not have; an error where the manifest shows that another controller owns it',
  },
  {
    id: 'owner-of-live-service',
    severity: 'warning',
    says: 'a Service that is live keeps its owner; an error where the manifest shows that another controller owns it',
  },
  {
    id: 'exported-manifest',
    severity: 'warning',
    says: 'a manifest holds nothing that the API server wrote',
  },
  {
    id: 'pods-elsewhere',
    severity: 'error',
    says: 'pods are pinned to the node pool on which their balancer looks for them',
  },
  {
    id: 'pods-not-pinned',
    severity: 'error',
    says: 'pods are pinned where their placement alone keeps a backend on a node pool',
  },
  {
    id: 'pods-may-be-elsewhere',
    severity: 'warning',
    says: 'pods are pinned to the node pool of a backend with policy Local',
  },
];

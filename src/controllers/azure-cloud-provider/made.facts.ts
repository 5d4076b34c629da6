import type { Citation } from '../../contract/kubernetes.facts';

/** Where Azure documents what a load balancer has no more of. */
export const AZURE_LIMITS_SOURCE: Citation = {
  repository: 'Azure documentation',
  version: '2026-11-20',
  file: 'azure-resource-manager/management/azure-subscription-service-limits (load balancer)',
};

/** What a Standard balancer has no more of; the rules of a network interface are those of all balancers that have its node. */
export const AZURE_STANDARD_LIMITS = { rules: 1500, rulesOfInterface: 300, frontends: 600, pool: 1000 };

/** What a Basic balancer has no more of. */
export const AZURE_BASIC_LIMITS = { rules: 250, frontends: 200, pool: 300 };

/** What AKS names its cluster to the controller: a balancer is named after the cluster, an internal one with a suffix. */
export const AKS_BALANCER = 'kubernetes';

/** The suffix of internal balancers. pkg/consts/consts.go, v1.36.5 */
export const AZURE_INTERNAL_SUFFIX = '-internal';

/**
 * Seconds until a node is in the pool of a Service with policy Local, where there are several Standard balancers.
 * pkg/provider/azure_local_services.go and azure.go, v1.36.5
 */
export const AZURE_POOL_SECONDS = 30;

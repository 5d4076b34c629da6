import type { Citation } from '../../contract/kubernetes.facts';

// What balancers of AWS have no more of, unless AWS raised a quota; listeners of a Network Load Balancer it never raises.

/** Where AWS documents the quotas of Network Load Balancers. */
export const NLB_QUOTAS: Citation = {
  repository: 'AWS Elastic Load Balancing User Guide',
  version: '2026-11-23',
  file: 'network/load-balancer-limits.html',
};

/** The quotas of a Network Load Balancer. A target counts once for each target group of the balancer that it is in. */
export const NLB_LIMITS = {
  listeners: 50,
  targetsOfGroup: 1000,
  targetsInZone: 500,
  targets: 3000,
  /** Of all zones together, where each zone has the targets of all. */
  targetsAcrossZones: 500,
};

/** Where AWS documents the quotas of Classic Load Balancers. */
export const CLASSIC_QUOTAS: Citation = {
  repository: 'AWS Elastic Load Balancing User Guide',
  version: '2026-11-23',
  file: 'classic/elb-limits.html',
};

export const CLASSIC_LIMITS = { listeners: 100, instances: 1000 };

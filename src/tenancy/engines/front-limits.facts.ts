// Ports of the balancers that stand in front of proxies.

import { NLB_LISTENERS } from './aws-network-load-balancer.facts';

/** By the controller that makes the balancer. Who is not here has no limit that its documentation names. */
export const FRONT_PORTS: Readonly<Record<string, number>> = {
  'aws-load-balancer-controller': NLB_LISTENERS,
  'cloud-provider-aws': NLB_LISTENERS,
  'eks-auto-mode': NLB_LISTENERS,
};

/** More than any balancer has. */
export const ALL_PORTS = 65_535;

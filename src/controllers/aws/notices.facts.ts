import type { Citation } from '../../contract/kubernetes.facts';

// How fast a Network Load Balancer follows its targets. AWS documents neither; users measured it.

/** Where they say what they measured. */
export const NLB_NOTICES_SOURCE: Citation = {
  repository: 'aws/containers-roadmap and kubernetes-sigs/aws-load-balancer-controller',
  version: '2026-11-23',
  file: 'issues 470 and 2366',
};

/** Seconds for which a target gets connections after its health check failed: 30 to 40. */
export const NLB_AFTER_FAILED_CHECK = 40;

/**
 * Seconds for which a pod gets connections after it began to terminate: 120 after it is deregistered, whatever its delay, and what the
 * controller takes to do that.
 */
export const NLB_AFTER_REMOVAL = 140;

/** How the controller has targets asked where no annotation says otherwise; the source is `LBC_FILES.targetGroup`. */
export const LBC_CHECKS = {
  /** Nodes with policy Local. */
  local: { interval: 10, failures: 2 },
  others: { interval: 10, failures: 3 },
};

/** What AWS defaults to: a zone has its own targets alone. network/edit-target-group-attributes.html, 2026-11-21 */
export const CROSS_ZONE_BY_DEFAULT = false;

/** The attribute of a target group that wins over that of its balancer, unless it names no truth. */
export const CROSS_ZONE_OF_GROUP = 'load_balancing.cross_zone.enabled';

/** The label of a Namespace by which the controller has its pods wait for the balancer. docs/deploy/pod_readiness_gate.md, v3.5.0 */
export const LBC_READINESS_GATES = { 'elbv2.k8s.aws/pod-readiness-gate-inject': 'enabled' };

// What AWS takes of a Network Load Balancer. Elastic Load Balancing, "Quotas for your Network Load Balancers" and API reference,
// CreateLoadBalancer and CreateTargetGroup (2026).

/** Listeners of one balancer. */
export const LISTENERS = 50;

/** Seconds for which connections to a target that is taken out may last. */
export const DEREGISTRATION_SECONDS = 3600;

/** The path of a health check by HTTP. */
export const HEALTH_CHECK_PATH = { longest: 1024, syntax: /^\/[!-~]*$/ } as const;

/** The name of a balancer: the beginning is that of names which AWS makes. */
export const BALANCER_NAME = {
  longest: 32,
  syntax: /^[0-9A-Za-z]([0-9A-Za-z-]*[0-9A-Za-z])?$/,
  reserved: 'internal-',
} as const;

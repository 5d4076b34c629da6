/** What the program that watches tenants counts, by the names of its metrics. */
export const USAGE_METRICS = {
  connections: 'shared_load_balancer_tenant_connections',
  bytes: 'shared_load_balancer_tenant_bytes_total',
  refused: 'shared_load_balancer_tenant_refused_connections_total',
  limit: 'shared_load_balancer_tenant_connection_limit',
  isSuspended: 'shared_load_balancer_tenant_suspended',
  proxies: 'shared_load_balancer_proxies',
  failures: 'shared_load_balancer_watch_failures_total',
  /** The label with the namespace and the name of the shared load balancer. */
  balancerLabel: 'shared_load_balancer',
} as const;

/**
 * The alerts of `LoadBalancerAlerts`, by the names that they have in Prometheus.
 */
export enum LoadBalancerAlert {
  /** A Service of type LoadBalancer has no address. */
  PENDING = 'LoadBalancerPending',

  /** A Service of type LoadBalancer was deleted and is still there. */
  TERMINATING = 'LoadBalancerTerminating',

  /** A Service with an address was written without a finalizer: its deletion leaves the balancer behind. */
  WITHOUT_FINALIZER = 'LoadBalancerWithoutFinalizer',

  /** A Service with an address has no ready endpoint. */
  WITHOUT_ENDPOINTS = 'LoadBalancerWithoutEndpoints',

  /** The quota of a namespace for load balancers is nearly used up. */
  QUOTA_NEARLY_USED = 'LoadBalancerQuotaNearlyUsed',

  /** kube-state-metrics does not say what these alerts need. */
  METRICS_MISSING = 'LoadBalancerMetricsMissing',

  /** No pod of a controller answers. */
  CONTROLLER_DOWN = 'LoadBalancerControllerDown',

  /** A controller fails again and again. */
  SYNC_FAILING = 'LoadBalancerSyncFailing',

  /** The cloud refuses calls of a controller: permissions, or a quota of the account. */
  CLOUD_REFUSES = 'LoadBalancerCloudRefuses',

  /** Fewer targets are healthy than nodes have ready pods. */
  TARGETS_UNHEALTHY = 'LoadBalancerTargetsUnhealthy',

  /** An address pool is nearly used up. */
  POOL_NEARLY_USED = 'LoadBalancerPoolNearlyUsed',

  /** A BGP session over which addresses are announced is down. */
  SESSION_DOWN = 'LoadBalancerSessionDown',

  /** The certificate of the webhooks of a controller ends soon, or was never issued. */
  CERTIFICATE_ENDING = 'LoadBalancerWebhookCertificateEnding',

  /** A tenant has more than its share of the connections of a shared balancer. */
  TENANT_CONNECTIONS = 'LoadBalancerTenantConnections',

  /** A tenant has more than its share of the traffic of a shared balancer. */
  TENANT_TRAFFIC = 'LoadBalancerTenantTraffic',

  /** Connections of a tenant of a shared balancer are refused, since it is at its limit. */
  TENANT_AT_LIMIT = 'LoadBalancerTenantAtLimit',
}

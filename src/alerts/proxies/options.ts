import type { HaproxyIngress } from '../../tenancy/engines/haproxy/ingress';
import type { TenantWatch } from '../../tenancy/watch/tenant-watch';

/**
 * A shared load balancer that Envoy Gateway serves.
 */
export interface WatchedEnvoyGatewayOptions {
  /** The name of the shared load balancer, which is that of its Gateway. */
  readonly name: string;

  /** The namespace of the shared load balancer. */
  readonly namespace: string;

  /**
   * The namespace in which its proxies run. In Gateway namespace mode it is that of the Gateway.
   *
   * @default 'envoy-gateway-system'
   */
  readonly proxyNamespace?: string;
}

/**
 * A shared load balancer that HAProxy serves.
 */
export interface WatchedHaproxyOptions {
  /** The name of the shared load balancer. */
  readonly name: string;

  /** The namespace of the shared load balancer, in which HAProxy runs. */
  readonly namespace: string;

  /** The installation of HAProxy that serves it. */
  readonly ingress: HaproxyIngress;
}

/**
 * A shared load balancer whose tenants a program watches.
 */
export interface WatchedTenantsOptions {
  /** What watches them. */
  readonly watch: TenantWatch;
}

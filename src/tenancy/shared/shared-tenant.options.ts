import type { Size } from 'cdk8s';
import type { PortRange } from '../ports/port-range';

/**
 * What a tenant of a shared load balancer may have.
 */
export interface SharedTenantOptions {
  /**
   * Connections at the same time, over all its ports. Engines count in each replica, and some for each port: the limit is
   * divided by both and rounded down, so that the sum never exceeds it, and clients that all meet one replica are refused
   * earlier.
   *
   * @default - no limit
   */
  readonly maxConnections?: number;

  /**
   * Bytes a second in each direction, over all its ports; divided by the replicas of the engine. What a tenant can move is
   * what it can cost.
   *
   * @default - no limit
   */
  readonly bandwidth?: Size;

  /**
   * How many ports it may have at most, those of Services that are created at run time not counted.
   *
   * @default - as many as the balancers have
   */
  readonly maxPorts?: number;

  /**
   * The domain of its host names: a TLS port is led to it for names in this domain alone.
   *
   * @default - its namespace in the domain of the shared load balancer: `team-a.tcp.example.com`
   */
  readonly domain?: string;

  /**
   * The ports of Services that are created at run time. No port of the lock file is in it, and no two tenants share one.
   *
   * @default - none: Services that are created at run time get no port
   */
  readonly runtimePorts?: PortRange;

  /**
   * Withdraws everything the tenant has at the shared address. Its ports stay in the lock file, so that it comes back to
   * the same address.
   *
   * @default false
   */
  readonly suspended?: boolean;
}

import type { ILoadBalancerController } from '../../../contract/load-balancer-controller';
import type { LoadBalancerWishes } from '../../../contract/load-balancer-wishes';
import type { TenancyIdentity } from '../../guard/tenancy-identity';
import type { PortRange } from '../../ports/ports.options';
import type { SharedProxyOptions } from '../proxies/options';
import type { HaproxyIngress } from './ingress';

/**
 * HAProxy in front of the tenants, and one balancer in front of HAProxy, with all its wishes. Say `proxyProtocol`, or
 * `clientAddress: PRESERVE`, where tenants have source ranges: HAProxy must see who connects.
 */
export interface HaproxyEngineOptions extends LoadBalancerWishes {
  /** The component that owns the balancer in front of HAProxy. */
  readonly controller: ILoadBalancerController;

  /**
   * The installation of HAProxy.
   *
   * @default - a release `shared-haproxy` of two pods
   */
  readonly installation?: HaproxyIngress;

  /**
   * The identities that write what the platform makes in namespaces of tenants, such as the service account of a delivery tool:
   * no other may write HAProxy's kinds there.
   *
   * @default - the platform of the shared load balancer; only `oneTeam` allows none
   */
  readonly platform?: TenancyIdentity[];

  /**
   * How many ports the balancer in front of HAProxy can have.
   *
   * @default 50
   */
  readonly maxPorts?: number;

  /**
   * Ports that the balancer has open from the beginning, for Services that are created at run time: they are ports of its own
   * Service, which nobody changes then. The `runtimePorts` of all tenants must be among them.
   *
   * @default - none: tenants cannot have `runtimePorts`
   */
  readonly runtimePorts?: PortRange;
}

/**
 * An installation of the HAProxy Kubernetes Ingress Controller by its chart.
 */
export interface HaproxyIngressProps {
  /**
   * The name of the release. Its pods are found by it.
   *
   * @default 'shared-haproxy'
   */
  readonly release?: string;

  /**
   * The ingress class that it serves, which must be its own: an installation serves what all tenants publish under its class,
   * and no second one may.
   *
   * @default - the name of the release
   */
  readonly ingressClass?: string;

  /**
   * How many pods it has. Each counts by itself, so limits of tenants are divided by it, and it does not scale by itself.
   *
   * @default 2
   */
  readonly replicas?: number;

  /**
   * Where the pods run, and how they go. Said here and not to the engine, since the chart makes them.
   *
   * @default - spread over nodes and zones, serving for 2 minutes when they are to go
   */
  readonly proxies?: SharedProxyOptions;

  /**
   * The version of the controller, such as `3.2.11`.
   *
   * @default '3.2'
   */
  readonly version?: string;
}

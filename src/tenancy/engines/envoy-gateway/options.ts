import type { ILoadBalancerController } from '../../../contract/load-balancer-controller';
import type { LoadBalancerWishes } from '../../../contract/load-balancer-wishes';
import type { SharedProxyOptions } from '../proxies/options';

/**
 * Proxies of Envoy Gateway, and the balancer in front of them.
 *
 * By default the proxies are to see the addresses of clients: source ranges of tenants are compared with
 * what they see.
 */
export interface EnvoyGatewayEngineOptions extends LoadBalancerWishes {
  /** The component that will own the balancer in front of the proxies. */
  readonly controller: ILoadBalancerController;

  /**
   * How many proxies there are. Limits of tenants are divided by it.
   *
   * @default 2
   */
  readonly replicas?: number;

  /**
   * Where the proxies run, and how they go.
   *
   * @default - spread over nodes and zones, drained for as long as the balancer needs
   */
  readonly proxies?: SharedProxyOptions;

  /**
   * How many ports the balancer in front can have.
   *
   * @default - 50 where it is a Network Load Balancer of AWS, which has no more; no limit for others
   */
  readonly maxPorts?: number;

  /**
   * The namespace where Envoy Gateway makes the Service, which is that of its installation.
   *
   * @default 'envoy-gateway-system'
   */
  readonly serviceNamespace?: string;

  /**
   * The name of the GatewayClass; it is made unless `makesGatewayClass` is false.
   *
   * @default 'eg'
   */
  readonly gatewayClassName?: string;

  /**
   * Whether the GatewayClass is made here.
   *
   * @default true
   */
  readonly makesGatewayClass?: boolean;
}

import type { ILoadBalancerController } from '../../contract/load-balancer-controller';
import type { LoadBalancerWishes } from '../../contract/load-balancer-wishes';
import type { TenancyIdentity } from '../guard/tenancy-identity';
import type { HaproxyIngress } from './haproxy-ingress';

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
   * Who writes what the platform makes in namespaces of tenants, such as the service account of a delivery tool: nobody else
   * may write HAProxy's kinds there.
   *
   * @default - whom the shared load balancer has for its platform; nobody is what only `oneTeam` allows
   */
  readonly platform?: TenancyIdentity[];

  /**
   * How many ports the balancer in front of HAProxy can have.
   *
   * @default 50
   */
  readonly maxPorts?: number;
}

import { refuseWrongProps } from '../../contract/declared-types';
import { AwsNetworkLoadBalancerEngine } from './aws-network-load-balancer/engine';
import type { AwsNetworkLoadBalancerEngineOptions } from './aws-network-load-balancer/options';
import type { SharedEngine } from './contract/engine';
import { EnvoyGatewayEngine } from './envoy-gateway/engine';
import type { EnvoyGatewayEngineOptions } from './envoy-gateway/options';
import { ExistingGatewayEngine } from './existing-gateway/engine';
import type { ExistingGatewayEngineOptions } from './existing-gateway/options';
import { HaproxyEngine } from './haproxy/engine';
import type { HaproxyEngineOptions } from './haproxy/options';

/**
 * Program that serves a shared load balancer. Each engine is installed by its own means; its method says what it needs.
 */
export class SharedLoadBalancerEngine {
  /**
   * A Network Load Balancer that the AWS Load Balancer Controller makes of a Gateway: no hop more than a balancer of one's
   * own. It needs version 3.5.0 or newer with its NLB gateway and listener sets switched on (they are by default), and the
   * CRDs of the Gateway API 1.6.
   *
   * It holds 50 listeners, has no limits for a tenant, does not route by SNI, and **isolates nothing by itself**: a tenant
   * that could make listeners would silently get the port of another, and one wrong setting of one tenant freezes all.
   * So it comes with policies, and needs security groups of its own.
   *
   * @param options what the balancer is
   * @see https://kubernetes-sigs.github.io/aws-load-balancer-controller/latest/guide/gateway/l4gateway/
   */
  public static awsNetworkLoadBalancer(options: AwsNetworkLoadBalancerEngineOptions = {}): SharedLoadBalancerEngine {
    refuseWrongProps('SharedLoadBalancerEngine.awsNetworkLoadBalancer', 'AwsNetworkLoadBalancerEngineOptions', options);
    return new SharedLoadBalancerEngine(new AwsNetworkLoadBalancerEngine(options));
  }

  /**
   * Proxies of Envoy Gateway behind one balancer, whose Service is planned by the controller of your choice. A hop more,
   * and for it source ranges of each Service, limits of connections, and TLS by host name (SNI).
   *
   * It needs Envoy Gateway 1.9.1 or newer, installed after the CRDs of the Gateway API 1.6: it looks for `v1` of TCPRoute and
   * ListenerSet when it starts, and never again. Connections are counted in each proxy and for each port, and what is
   * counted begins anew with each proxy.
   *
   * @param options the proxies, and what is requested of the balancer
   * @see https://gateway.envoyproxy.io/docs/
   */
  public static envoyGateway(options: EnvoyGatewayEngineOptions): SharedLoadBalancerEngine {
    refuseWrongProps('SharedLoadBalancerEngine.envoyGateway', 'EnvoyGatewayEngineOptions', options);
    return new SharedLoadBalancerEngine(new EnvoyGatewayEngine(options));
  }

  /**
   * A Gateway that exists already, of any implementation that serves ListenerSets and TCP routes.
   *
   * @param options which one it is, and what it can do
   */
  public static existingGateway(options: ExistingGatewayEngineOptions): SharedLoadBalancerEngine {
    refuseWrongProps('SharedLoadBalancerEngine.existingGateway', 'ExistingGatewayEngineOptions', options);
    return new SharedLoadBalancerEngine(new ExistingGatewayEngine(options));
  }

  /**
   * The HAProxy Kubernetes Ingress Controller behind one balancer: connections and bandwidth are limited for each tenant, over
   * all its ports. It must be installed by its own chart, version 3.1 or newer, with the values that `HaproxyIngress` gives; its
   * definition of kind TCP comes with the chart.
   *
   * It does not route by SNI. Services that are created at run time get ports that the balancer has open from the beginning. Every change of ports is a reload, at which
   * connections stay and their number starts from nothing.
   *
   * @param options the balancer in front of it, and its installation
   * @see https://github.com/haproxytech/kubernetes-ingress/blob/master/documentation/custom-resource-tcp.md
   */
  public static haproxy(options: HaproxyEngineOptions): SharedLoadBalancerEngine {
    refuseWrongProps('SharedLoadBalancerEngine.haproxy', 'HaproxyEngineOptions', options);
    return new SharedLoadBalancerEngine(new HaproxyEngine(options));
  }

  private constructor(
    /** @internal */
    public readonly _engine: SharedEngine,
  ) {}
}

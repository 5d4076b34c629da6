import { refuseWrongProps } from '../../contract/declared-types';
import { ENVOY_GATEWAY_NAMESPACE } from '../../tenancy/engines/envoy-gateway/facts';
import { CHART_NAME_LABEL, CHART_RELEASE_LABEL } from '../../tenancy/engines/haproxy/facts';
import { BALANCER_LABEL, ENVOY, HAPROXY, TENANT_WATCH } from '../alerts.facts';
import type { ScrapeTarget, Watched } from '../rules/watched';
import type { WatchedEnvoyGatewayOptions, WatchedHaproxyOptions, WatchedTenantsOptions } from './options';
import { type TenantMetrics, tenantAlerts } from './tenant-alerts';

/**
 * A shared load balancer whose proxies say what each tenant has of its connections and traffic. An engine without proxies, such
 * as a Network Load Balancer, counts no tenants.
 */
export class WatchedSharedLoadBalancer {
  /**
   * One that Envoy Gateway serves.
   *
   * @param options which one, and where its proxies run
   * @throws when a prop is of another kind than its own
   */
  public static envoyGateway(options: WatchedEnvoyGatewayOptions): WatchedSharedLoadBalancer {
    refuseWrongProps('WatchedSharedLoadBalancer.envoyGateway', 'WatchedEnvoyGatewayOptions', options);
    const { name, namespace, proxyNamespace = ENVOY_GATEWAY_NAMESPACE } = options;
    return new WatchedSharedLoadBalancer(name, namespace, ENVOY, {
      namespace: proxyNamespace,
      podLabels: { [ENVOY.nameLabel]: name, [ENVOY.namespaceLabel]: namespace },
    });
  }

  /**
   * One that HAProxy serves.
   *
   * @param options which one, and the installation that serves it
   * @throws when a prop is of another kind than its own
   */
  public static haproxy(options: WatchedHaproxyOptions): WatchedSharedLoadBalancer {
    refuseWrongProps('WatchedSharedLoadBalancer.haproxy', 'WatchedHaproxyOptions', options);
    const { name, namespace, ingress } = options;
    return new WatchedSharedLoadBalancer(name, namespace, HAPROXY, {
      namespace,
      podLabels: { ...CHART_NAME_LABEL, [CHART_RELEASE_LABEL]: ingress.release },
    });
  }

  /**
   * One whose tenants a `TenantWatch` watches, in place of its proxies: who is at its limit is known then as well.
   *
   * @param options what watches them
   * @throws when a prop is of another kind than its own
   */
  public static tenantWatch(options: WatchedTenantsOptions): WatchedSharedLoadBalancer {
    refuseWrongProps('WatchedSharedLoadBalancer.tenantWatch', 'WatchedTenantsOptions', options);
    const { shared, namespace, podLabels } = options.watch;
    const pods = { namespace, podLabels };
    return new WatchedSharedLoadBalancer(shared.balancerName, shared.namespace, TENANT_WATCH, pods);
  }

  private readonly target: ScrapeTarget;

  private constructor(
    /** The name of the shared load balancer. */
    public readonly name: string,
    /** Its namespace. */
    public readonly namespace: string,
    private readonly metrics: TenantMetrics & Pick<ScrapeTarget, 'port' | 'path'>,
    pods: Pick<ScrapeTarget, 'namespace' | 'podLabels'>,
  ) {
    const { port, path } = metrics;
    const labels = { [BALANCER_LABEL]: `${namespace}/${name}` };
    this.target = { ...pods, name: `${name}-proxies`, port, path, isGuarded: false, labels };
  }

  /** @internal */
  public get _watched(): Watched {
    const { target, metrics } = this;
    return { target, alerts: (thresholds) => tenantAlerts(target, metrics, thresholds) };
  }
}

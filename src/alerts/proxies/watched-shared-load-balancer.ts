import { refuseWrongProps, refuseWrongValue } from '../../contract/declared-types';
import { ENVOY_GATEWAY_NAMESPACE } from '../../tenancy/engines/envoy-gateway/facts';
import { CHART_NAME_LABEL, CHART_RELEASE_LABEL } from '../../tenancy/engines/haproxy/facts';
import type { TenantWatch } from '../../tenancy/watch/tenant-watch';
import { type AlertValues, type ScrapedTarget, type ScrapeTarget, selector } from '../alert-rules';
import { BALANCER_LABEL, ENVOY, HAPROXY, TENANT_WATCH } from '../alerts.facts';
import type { WatchedEnvoyGatewayOptions, WatchedHaproxyOptions } from './options';

interface TenantMetrics {
  readonly connections: string;
  readonly bytes: readonly string[];
  /** The label with the tenant. */
  readonly label: string;
  /** A pattern of the label, whose group is the tenant. */
  readonly tenant: string;
  /** The counter of refused connections, if it has the tenant whose limit was reached. */
  readonly refused?: string;
}

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
   * @param watch the watch of the tenants
   * @throws on a value of another type
   */
  public static tenantWatch(watch: TenantWatch): WatchedSharedLoadBalancer {
    refuseWrongValue('WatchedSharedLoadBalancer.tenantWatch', 'watch', 'TenantWatch', watch);
    const { shared, namespace, podLabels } = watch;
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
  public get _watched(): ScrapedTarget {
    const { target, metrics } = this;
    const { refused } = metrics;
    const alerts = ['tenantConnections', 'tenantTraffic', ...(refused === undefined ? [] : ['tenantAtLimit'])];
    return { target, alerts, values: tenantValues(target, metrics) };
  }
}

function tenantValues({ labels }: ScrapeTarget, metrics: TenantMetrics): AlertValues {
  const [label, tenant] = [metrics.label, metrics.tenant].map((text) => JSON.stringify(text));
  const series = (metric: string) => `${metric}{${selector(labels)},${metrics.label}=~${tenant}}`;
  const byTenant = (of: string) => `sum by (tenant) (label_replace(${of}, "tenant", "$1", ${label}, ${tenant}))`;
  return {
    connections: byTenant(series(metrics.connections)),
    traffic: metrics.bytes.map((metric) => byTenant(`rate(${series(metric)}[5m])`)).join(' + '),
    refused: metrics.refused ?? '',
  };
}

import { SUSPENDED, SUSPENDED_LABEL } from '../../tenancy/tenancy.facts';
import { LoadBalancerAlert } from '../options';
import { type AlertRule, label, OWN_PAGE, quoted, selector } from '../rules/alert-rule';
import type { ScrapeTarget, WatchThresholds } from '../rules/watched';

/** How proxies say what a tenant has. */
export interface TenantMetrics {
  readonly connections: string;
  readonly bytes: readonly string[];
  /** The label that holds the tenant. */
  readonly label: string;
  /** How it holds it. */
  readonly tenant: string;
  /** What counts connections that were refused, where it says by the limit of which tenant. */
  readonly refused?: string;
}

/** The alerts of the tenants of a shared balancer. */
export function tenantAlerts(target: ScrapeTarget, metrics: TenantMetrics, thresholds: WatchThresholds): AlertRule[] {
  const { tenantConnections, tenantBytesPerSecond } = thresholds;
  const series = (metric: string) =>
    `${metric}{${selector(target.labels)},${metrics.label}=~${quoted(metrics.tenant)}}`;
  const byTenant = (of: string) =>
    `label_replace(${of}, "tenant", "$1", ${quoted(metrics.label)}, ${quoted(metrics.tenant)})`;
  const connections = `sum by (tenant) (${byTenant(series(metrics.connections))})`;
  const traffic = metrics.bytes
    .map((metric) => `sum by (tenant) (${byTenant(`rate(${series(metric)}[5m])`)})`)
    .join(' + ');
  return [
    shareAlert(target, thresholds, {
      alert: LoadBalancerAlert.TENANT_CONNECTIONS,
      held: connections,
      floor: tenantConnections,
      what: 'of the connections',
      remedy: 'limit it with maxConnections of addTenant, which the engine enforces',
    }),
    shareAlert(target, thresholds, {
      alert: LoadBalancerAlert.TENANT_TRAFFIC,
      held: `(${traffic})`,
      floor: tenantBytesPerSecond,
      what: 'of the traffic',
      remedy: 'limit it with bandwidth of addTenant where the engine enforces it',
    }),
    ...(metrics.refused === undefined ? [] : [limitAlert(target, metrics.refused)]),
  ];
}

/** How to cut a tenant off, as the remedies say it. */
const CUT_OFF = `cut it off with kubectl label namespace ${label('tenant')} ${SUSPENDED_LABEL}=${SUSPENDED}: its ports stay its own, and it comes back to the same address`;

function limitAlert({ labels }: ScrapeTarget, refused: string): AlertRule {
  const [balancer] = Object.values(labels);
  const counted = `${refused}{${selector(labels)},reason="limit"}`;
  return {
    alert: LoadBalancerAlert.TENANT_AT_LIMIT,
    expr: `sum by (tenant) (increase(${counted}[10m])) > 0`,
    minutes: 0,
    severity: 'warning',
    summary: `Tenant ${label('tenant')} is at its limit of connections at ${balancer}`,
    description: `In ten minutes the shared load balancer ${balancer} has refused {{ $value | printf "%.0f" }} connections of tenant ${label('tenant')} beyond its limit. Other tenants are not touched.`,
    command: `kubectl get events -n ${label('tenant')} --field-selector reason=ConnectionLimitReached`,
    remedy: `raise maxConnections of addTenant if the tenant should have more; ${CUT_OFF}`,
    page: 'how-to/cut-off-a-tenant.md',
    labels,
  };
}

interface Share {
  readonly alert: LoadBalancerAlert;
  /** What each tenant holds. */
  readonly held: string;
  /** Below it no share matters. */
  readonly floor: number;
  readonly what: string;
  readonly remedy: string;
}

/** A tenant that holds more than its share of all, and enough to matter. */
function shareAlert(
  target: ScrapeTarget,
  { tenantPercent, tenantMinutes }: WatchThresholds,
  { alert, held, floor, what, remedy }: Share,
): AlertRule {
  const [balancer] = Object.values(target.labels);
  return {
    alert,
    expr: `100 * ${held} / on () group_left () sum (${held}) > ${tenantPercent}\nand on (tenant) ${held} >= ${floor}`,
    minutes: tenantMinutes,
    severity: 'warning',
    summary: `Tenant ${label('tenant')} has more than its share ${what} of ${balancer}`,
    description: `Tenant ${label('tenant')} has {{ $value | printf "%.0f" }} % ${what} of the shared load balancer ${balancer}, which all its tenants pay with latency, and with refused connections once it is full.`,
    command: `kubectl get services,pods -n ${label('tenant')} -o wide`,
    remedy: `${remedy}; ${CUT_OFF}`,
    page: OWN_PAGE,
    labels: target.labels,
  };
}

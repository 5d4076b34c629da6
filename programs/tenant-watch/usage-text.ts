import { USAGE_METRICS } from '../../src/tenancy/tenancy.facts';
import { escaped } from './metrics-text';
import type { TenantSum } from './tally';
import type { Watcher } from './watcher';

/** What each tenant has, for Prometheus. */
export function usageText({ tally, config, suspended, proxies, failures }: Watcher): string {
  const tenants = Object.keys(config.tenants).sort();
  const none: TenantSum = { connections: 0, bytesIn: 0, bytesOut: 0, limited: 0, refused: 0 };
  const balancer = `${USAGE_METRICS.balancerLabel}="${escaped(config.shared)}"`;
  const ofTenant = (tenant: string, more = '') => `{${balancer},tenant="${escaped(tenant)}"${more}}`;
  const each = (line: (tenant: string, sum: TenantSum) => string[]) =>
    tenants.flatMap((tenant) => line(tenant, tally.tenants.get(tenant) ?? none));
  const { connections, bytes, refused, limit, isSuspended } = USAGE_METRICS;
  const lines = [
    `# TYPE ${connections} gauge`,
    ...each((tenant, sum) => [`${connections}${ofTenant(tenant)} ${sum.connections}`]),
    `# TYPE ${bytes} counter`,
    ...each((tenant, { bytesIn, bytesOut }) => [
      `${bytes}${ofTenant(tenant, ',direction="in"')} ${bytesIn}`,
      `${bytes}${ofTenant(tenant, ',direction="out"')} ${bytesOut}`,
    ]),
    `# TYPE ${refused} counter`,
    ...each((tenant, sum) => [
      `${refused}${ofTenant(tenant, ',reason="limit"')} ${sum.limited}`,
      `${refused}${ofTenant(tenant, ',reason="other"')} ${sum.refused}`,
    ]),
    `# TYPE ${limit} gauge`,
    ...each((tenant) => {
      const most = config.tenants[tenant].connections;
      return most === undefined ? [] : [`${limit}${ofTenant(tenant)} ${most}`];
    }),
    `# TYPE ${isSuspended} gauge`,
    ...each((tenant) => [`${isSuspended}${ofTenant(tenant)} ${suspended.names.includes(tenant) ? 1 : 0}`]),
    `# TYPE ${USAGE_METRICS.proxies} gauge`,
    `${USAGE_METRICS.proxies}{${balancer}} ${proxies}`,
    `# TYPE ${USAGE_METRICS.failures} counter`,
    `${USAGE_METRICS.failures}{${balancer}} ${failures}`,
  ];
  return `${lines.join('\n')}\n`;
}

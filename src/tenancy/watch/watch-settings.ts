import { SizeRoundingBehavior } from 'cdk8s';
import type { WatchConfig, WatchedBalancer, WatchedTenant } from '../runtime/program-config';
import { type AttachedTenant, balancerName } from '../shared/attached-tenant';
import type { TenancyRegistry } from '../shared/tenancy-registry';
import { SUSPENDED, SUSPENDED_LABEL } from '../tenancy.facts';

export function watchSettings(registry: TenancyRegistry, component: string, intervalSeconds: number): WatchConfig {
  const { engine, name, namespace } = registry.settings;
  const { proxies, list, touchesListenerSets } = engine.watching ?? {};
  const tenants = [...registry.tenants.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
  return {
    shared: `${namespace}/${name}`,
    component,
    intervalSeconds,
    reader: proxies?.reader,
    balancers: proxies ? balancersOf(registry) : [],
    tenants: Object.fromEntries(tenants.map((tenant) => [tenant.name, watchedTenant(tenant)])),
    suspension: { label: SUSPENDED_LABEL, value: SUSPENDED },
    list: list && { namespace, ...list },
    touchesListenerSets,
  };
}

function balancersOf(registry: TenancyRegistry): WatchedBalancer[] {
  const { engine, name, namespace, lock } = registry.settings;
  const services = [...registry.tenants.values()].flatMap((tenant) =>
    tenant.services.map((service) => ({ ...service, tenant: tenant.name })),
  );
  return Array.from({ length: Math.max(1, lock.balancers(name)) }, (_, i) => {
    const here = services.filter(({ balancer }) => balancer === i);
    // those who share a port by host name are counted together, under no tenant's name
    const ports = here.flatMap(({ tenant, attached }) =>
      attached.ports
        .filter(({ hostnames }) => hostnames === undefined)
        .map(({ port }) => [port, `${tenant}/${attached.name}`] as const),
    );
    const at = { name: balancerName(name, i), namespace };
    return {
      name: at.name,
      pods: engine.watching?.proxies?.podsOf(at),
      ports: Object.fromEntries([...ports].sort(([one], [other]) => one - other)),
    };
  });
}

function watchedTenant({ options, services }: AttachedTenant): WatchedTenant {
  const { runtimePorts, maxConnections, bandwidth } = options;
  return {
    services: services.map(({ asked }) => asked.service).sort(),
    range: runtimePorts && { first: runtimePorts.first, last: runtimePorts.last },
    connections: maxConnections,
    bytesPerSecond: bandwidth && bandwidth.toKibibytes({ rounding: SizeRoundingBehavior.NONE }) * 1024,
    hasSourceRanges: services.some(({ attached }) => attached.sourceRanges !== undefined) ? true : undefined,
  };
}

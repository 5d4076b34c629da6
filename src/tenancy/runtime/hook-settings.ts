import { distinct } from '../engines/contract/attachment';
import type { SharedEngine } from '../engines/contract/engine';
import { PUBLISHERS, type RuntimePublisher } from '../engines/publishers';
import { LAST_PORT } from '../ports/ports.facts';
import { PortConflictPolicy } from '../ports/ports.options';
import type { AttachedTenant } from '../shared/attached-tenant';
import { balancerHostname, balancerName } from '../shared/names';
import type { SharedLoadBalancer } from '../shared/shared-load-balancer';
import type { TenancyRegistry } from '../shared/tenancy-registry';
import { ENDPOINTS_ANNOTATION, PORT_CONFLICT, SHARED_CONDITION } from '../tenancy.facts';
import type { HookBalancer, HookConfig, HookTenant } from './hook/hook-config';

/** The tenants of a shared load balancer. */
export function registryOf(shared: SharedLoadBalancer): TenancyRegistry {
  // biome-ignore lint/complexity/useLiteralKeys: of the package, and not of its public surface
  return shared['registry'];
}

/** What publishes at run time, for an engine that can. */
export function publisherOf({ publishing }: SharedEngine): RuntimePublisher | undefined {
  const publisher = publishing.atRunTime?.publisher;
  return publisher !== undefined && Object.hasOwn(PUBLISHERS, publisher) ? PUBLISHERS[publisher] : undefined;
}

/** The balancers as the hook knows them; none where their namespace is unknown. */
export function balancersOf({ settings }: TenancyRegistry): HookBalancer[] {
  const { engine, name, hostname, lock } = settings;
  const { existing } = engine;
  const namespace = existing ? existing.namespace : settings.namespace;
  const count = existing ? 1 : Math.max(1, lock.balancers(name));
  return namespace === undefined
    ? []
    : Array.from({ length: count }, (_, i) => ({
        name: existing?.name ?? balancerName(name, i),
        namespace,
        hostname: balancerHostname(hostname, i),
      }));
}

/** The configuration of the hook, with everything that has been added so far. */
export function hookSettings(shared: SharedLoadBalancer): HookConfig {
  const registry = registryOf(shared);
  const { engine, conflict } = registry.settings;
  const tenants = [...registry.tenants.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
  return {
    loadBalancerClass: shared.loadBalancerClass,
    balancers: balancersOf(registry),
    publisher: engine.publishing.atRunTime?.publisher ?? '',
    settings: engine.publishing.atRunTime?.settings ?? {},
    sourceRanges: engine.limits.powers.sourceRanges,
    // a hook cannot make another balancer
    conflict: conflict === PortConflictPolicy.REMAP ? 'REMAP' : 'FAIL',
    reserved: reservedPorts(registry),
    capacity: capacityOf(registry),
    namespaceLabels: engine.existing ? undefined : shared.namespaceLabels,
    tenants: Object.fromEntries(tenants.map((tenant) => [tenant.name, hookTenant(tenant)])),
    keys: { endpoints: ENDPOINTS_ANNOTATION, condition: SHARED_CONDITION, portConflict: PORT_CONFLICT },
  };
}

/** Synth refuses ranges that hold one of them, as far as it knows what is published. */
function reservedPorts(registry: TenancyRegistry): number[] {
  const { engine, ownPort } = registry.settings;
  const beside = engine.ports.beside([ownPort, ...registry.lockedPortsAt(0)]);
  return distinct([ownPort, ...engine.ports.reserved, ...beside]);
}

/** One that carries every port but its own is not counted: to count, the ports of all tenants must be watched. */
function capacityOf(registry: TenancyRegistry): HookConfig['capacity'] {
  const ports = registry.settings.engine.ports.perBalancer;
  return ports < LAST_PORT - 1 ? { ports, locked: registry.lockedPortsAt(0) } : undefined;
}

function hookTenant(tenant: AttachedTenant): HookTenant {
  const { runtimePorts, suspended } = tenant.options;
  const published = tenant.services.map(({ asked }) => asked.service).sort();
  return {
    ports: runtimePorts && { first: runtimePorts.first, last: runtimePorts.last },
    published: published.length > 0 ? published : undefined,
    suspended: suspended === true ? true : undefined,
    domain: tenant.domain,
    connections: tenant.dividedConnections,
    bytesPerSecond: tenant.dividedBandwidth,
  };
}

import { distinct } from '../engines/contract/attachment';
import type { SharedEngine } from '../engines/contract/engine';
import { PUBLISHERS, type RuntimePublisher } from '../engines/publishers';
import { LAST_PORT } from '../ports/ports.facts';
import { PortConflictPolicy } from '../ports/ports.options';
import type { AttachedTenant } from '../shared/attached-tenant';
import { balancerHostname, balancerName } from '../shared/names';
import type { SharedLoadBalancer } from '../shared/shared-load-balancer';
import type { TenancyBook } from '../shared/tenancy-registry';
import { ENDPOINTS_ANNOTATION, PORT_CONFLICT, SHARED_CONDITION } from '../tenancy.facts';
import type { HookBalancer, HookConfig, HookTenant } from './hook/hook-config';

/** Who has what at a shared load balancer. */
export function bookOf(shared: SharedLoadBalancer): TenancyBook {
  // biome-ignore lint/complexity/useLiteralKeys: of the package, and not of its public surface
  return shared['book'];
}

/** What publishes at run time, for an engine that can. */
export function publisherOf({ publisher }: SharedEngine): RuntimePublisher | undefined {
  return publisher !== undefined && Object.hasOwn(PUBLISHERS, publisher) ? PUBLISHERS[publisher] : undefined;
}

/** The balancers as the hook knows them; those without a namespace cannot be told to it. */
export function balancersOf({ settings }: TenancyBook): HookBalancer[] {
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
  const book = bookOf(shared);
  const { engine, conflict } = book.settings;
  const tenants = [...book.tenants.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
  return {
    loadBalancerClass: shared.loadBalancerClass,
    balancers: balancersOf(book),
    publisher: engine.publisher ?? '',
    settings: engine.settings ?? {},
    sourceRanges: engine.powers.sourceRanges,
    // another balancer is nothing that a hook could open
    conflict: conflict === PortConflictPolicy.REMAP ? 'REMAP' : 'FAIL',
    reserved: reservedPorts(book),
    capacity: capacityOf(book),
    namespaceLabels: engine.existing ? undefined : shared.namespaceLabels,
    tenants: Object.fromEntries(tenants.map((tenant) => [tenant.name, hookTenant(tenant)])),
    keys: { endpoints: ENDPOINTS_ANNOTATION, condition: SHARED_CONDITION, portConflict: PORT_CONFLICT },
  };
}

/** Synth refuses ranges that hold one of them, as far as it knows what is published. */
function reservedPorts(book: TenancyBook): number[] {
  const { engine, ownPort } = book.settings;
  const beside = engine.portsBeside?.([ownPort, ...book.lockedPortsAt(0)]) ?? [];
  return distinct([ownPort, ...(engine.reservedPorts ?? []), ...beside]);
}

/** One that carries every port but its own is not counted: to count, the ports of all tenants must be watched. */
function capacityOf(book: TenancyBook): HookConfig['capacity'] {
  const ports = book.settings.engine.portsPerBalancer;
  return ports < LAST_PORT - 1 ? { ports, locked: book.lockedPortsAt(0) } : undefined;
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

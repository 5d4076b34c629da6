import { CheckResult } from '../../rules/rule-set';
import type { SharedEngine } from '../engines/contract/engine';
import { type PublishedKind, type RuntimePublisher, sortedUnique } from '../engines/contract/publishing';
import { PUBLISHERS } from '../engines/publishers';
import { type Fault, faultsIn, findingsOfFaults, rulesOf } from '../fault';
import { imageFault } from '../guard/rules';
import { TenancyIdentity } from '../guard/tenancy-identity';
import { PortConflictPolicy } from '../ports/options';
import { LAST_PORT } from '../ports/rules';
import { type AttachedTenant, balancerHostname, balancerName } from '../shared/attached-tenant';
import type { SharedLoadBalancer } from '../shared/shared-load-balancer';
import type { TenancyRegistry } from '../shared/tenancy-registry';
import {
  ENDPOINTS_ANNOTATION,
  HOSTNAMES_ANNOTATION,
  MOST_SEATS,
  PORT_CONFLICT,
  SEATS_LABEL,
  SHARED_CONDITION,
} from '../tenancy.facts';
import type { SharedServicesAtRunTimeProps } from './options';
import type { HookBalancer, HookConfig, HookTenant } from './program-config';
import { RUN_TIME_MESSAGES, RUN_TIME_RULES, WATCH_RULES } from './rules.facts';

export function registryOf(shared: SharedLoadBalancer): TenancyRegistry {
  // biome-ignore lint/complexity/useLiteralKeys: of the package, and not of its public surface
  return shared['registry'];
}

export function publisherOf({ publishing }: SharedEngine): RuntimePublisher {
  return PUBLISHERS[publishing.atRunTime.publisher];
}

export function kindsOf({ limits }: SharedEngine, { kinds, kindsByHost = [] }: RuntimePublisher): PublishedKind[] {
  return [...kinds, ...(limits.powers.hostnames ? kindsByHost : [])];
}

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

/** True if ports are set aside: where there is no limit, or a very high one, each Service is looked at by itself. */
export function hasPortReservations({ settings: { engine } }: TenancyRegistry): boolean {
  return engine.ports.perBalancer <= MOST_SEATS;
}

export function hookSettings(
  shared: SharedLoadBalancer,
  controller: string,
  namespace: string,
  serviceLabels: HookConfig['serviceLabels'],
): HookConfig {
  const registry = registryOf(shared);
  const { engine, conflict } = registry.settings;
  const tenants = [...registry.tenants.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
  return {
    controller,
    loadBalancerClass: shared.loadBalancerClass,
    balancers: balancersOf(registry),
    publisher: engine.publishing.atRunTime.publisher,
    settings: engine.publishing.atRunTime.settings,
    sourceRanges: engine.limits.powers.sourceRanges,
    tlsPort: tlsPortOf(registry),
    // a hook cannot make another balancer
    conflict: conflict === PortConflictPolicy.REMAP ? 'REMAP' : 'FAIL',
    reserved: reservedPorts(registry),
    capacity: capacityOf(registry),
    seats: hasPortReservations(registry) ? { name: controller, namespace } : undefined,
    serviceLabels,
    namespaceLabels: engine.existing ? undefined : shared.namespaceLabels,
    tenants: Object.fromEntries(tenants.map((tenant) => [tenant.name, hookTenant(tenant)])),
    keys: {
      endpoints: ENDPOINTS_ANNOTATION,
      condition: SHARED_CONDITION,
      portConflict: PORT_CONFLICT,
      hostnames: HOSTNAMES_ANNOTATION,
      seats: SEATS_LABEL,
    },
  };
}

function reservedPorts(registry: TenancyRegistry): number[] {
  const { engine, ownPort } = registry.settings;
  const beside = engine.ports.beside([ownPort, ...registry.lockedPortsAt(0)]);
  const tlsPort = tlsPortOf(registry);
  return sortedUnique([ownPort, ...(tlsPort ? [tlsPort] : []), ...engine.ports.reserved, ...beside]);
}

function tlsPortOf({ settings: { engine, tlsPort } }: TenancyRegistry): number | undefined {
  return engine.limits.powers.hostnames ? tlsPort : undefined;
}

/** One that carries every port but its own is not counted: to count, the ports of all tenants must be watched. */
function capacityOf(registry: TenancyRegistry): HookConfig['capacity'] {
  const ports = registry.settings.engine.ports.perBalancer;
  const tlsPort = tlsPortOf(registry);
  return ports < LAST_PORT - 1
    ? { ports, locked: sortedUnique([...registry.lockedPortsAt(0), ...(tlsPort ? [tlsPort] : [])]) }
    : undefined;
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

export const RUN_TIME = rulesOf(RUN_TIME_RULES, RUN_TIME_MESSAGES);

export function settingFaults(
  { replicas, resync, image }: SharedServicesAtRunTimeProps,
  registry: TenancyRegistry,
  controller: TenancyIdentity,
): (Fault | undefined)[] {
  const { engine, platform = [], oneTeam, path } = registry.settings;
  const { dangerous } = engine.isolation;
  const known = [...platform, ...TenancyIdentity.knownControllers()];
  const isKept = !oneTeam && platform.length > 0 && dangerous.length > 0;
  const [, , namespace, name] = String(controller.username).split(':');
  const seconds = resync?.toSeconds({ integral: false }) ?? 1;
  const isCount = replicas === undefined || (Number.isInteger(replicas) && replicas >= 1);
  const isPlatform = known.some(({ username }) => username === controller.username);
  return [
    ...faultsIn(RUN_TIME, {
      'runtime-settings-invalid': !isCount && { replicas },
      resyncIsSeconds: !(Number.isInteger(seconds) && seconds >= 1) && { seconds },
    }),
    imageFault(RUN_TIME['runtime-settings-invalid'], image),
    ...faultsIn(RUN_TIME, {
      'runtime-not-exempt': isKept && !isPlatform && { username: controller.username, namespace, name, path },
    }),
  ];
}

export function checkRunTime(registry: TenancyRegistry): CheckResult {
  const { engine, path } = registry.settings;
  const tenants = [...registry.tenants.values()];
  const ranges = tenants.flatMap(({ options }) => options.runtimePorts ?? []);
  const isStatusOnly = tenants.some(({ services }) => services.length > 0);
  const none = faultsIn(RUN_TIME, {
    'runtime-ports-missing': ranges.length === 0 && {
      path,
      isStatusOnly: isStatusOnly ? ', so only Services that the app attaches get a status' : '',
    },
  });
  const wanted = ranges.reduce((sum, { first, last }) => sum + last - first + 1, 0);
  const room = engine.ports.perBalancer - registry.lockedPortsAt(0).length;
  const warnings = faultsIn(RUN_TIME, {
    'runtime-ports-exceed-balancer': wanted > room && { path, wanted, room: Math.max(0, room), value: wanted },
  });
  const of = (faults: Fault[]) => findingsOfFaults(faults, engine.name);
  return CheckResult.of(of(isStatusOnly ? [] : none), of([...(isStatusOnly ? none : []), ...warnings]));
}

export const WATCH = rulesOf(WATCH_RULES);

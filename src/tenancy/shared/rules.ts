import { cidrFault, dnsNameFault, portFault } from '../../contract/kubernetes-syntax';
import type { LoadBalancerFinding } from '../../contract/options';
import { count } from '../../contract/rule';
import { AT_MOST } from '../../gateway/gateway.facts';
import type { EngineCapabilities, SharedEngine, TenantRange } from '../engines/contract/engine';
import { type Attachment, sortedUnique } from '../engines/contract/publishing';
import { type Fault, faultsIn, findingsOfFaults, rulesOf } from '../fault';
import { GUARD, sameLabels } from '../guard/rules';
import type { PortFault } from '../ports/rules';
import { PORTS } from '../ports/rules';
import { type AttachedTenant, balancerName, type PlacedService, REPORTER } from './attached-tenant';
import { SHARED_MESSAGES, SHARED_RULES } from './rules.facts';
import type { TenancyRegistry } from './tenancy-registry';

export const SHARED = rulesOf(SHARED_RULES, SHARED_MESSAGES);

// Rules of a shared load balancer, its tenants, and what they attach to it.

/** Limits that are no whole numbers, as untyped languages can have them. */
function numberFaults(tenant: AttachedTenant): Fault[] {
  const { maxConnections, maxPorts } = tenant.options;
  const wrong = Object.entries({ maxConnections, maxPorts }).filter(
    ([, value]) => value !== undefined && !(Number.isSafeInteger(value) && value >= 0),
  );
  return faultsIn(SHARED, {
    'limit-invalid': wrong.map(([option, value]) => ({ option, name: tenant.name, value })),
  });
}

function limitFaults({ limits }: SharedEngine, tenant: AttachedTenant): Fault[] {
  const { name, counters, portCount, dividedConnections, dividedBandwidth } = tenant;
  const { maxConnections, bandwidth, maxPorts } = tenant.options;
  const replicas = count(limits.replicas, 'replica');
  const ports = limits.perPort ? ` and ${count(counters, 'port')}, with those of run time` : '';
  const tooSmall = (limit: string, divided: number | undefined) =>
    divided !== undefined && divided < 1 && { limit, name, replicas, ports, value: limit };
  return [
    ...faultsIn(SHARED, {
      'limit-too-small': [
        tooSmall(`maxConnections ${maxConnections}`, dividedConnections),
        tooSmall(`a bandwidth of ${bandwidth?.asString()}`, dividedBandwidth),
      ],
    }),
    ...faultsIn(PORTS, {
      'too-many-ports': maxPorts !== undefined &&
        portCount > maxPorts && { name, portCount: count(portCount, 'port'), maxPorts, value: portCount },
    }),
  ];
}

export function faultsOfTenancy(registry: TenancyRegistry, ports: readonly PortFault[]): LoadBalancerFinding[] {
  const { settings, tenants } = registry;
  const { engine, oneTeam } = settings;
  const { checks, publishing } = engine;
  const atBalancers = registry
    .attachments()
    .flatMap((attachments, i) => [
      ...checks.faultsAt(attachments, i === 0 ? rangesOf(registry) : [], settings.ownPort),
      ...(publishing.throughGateway ? attachments.flatMap(overfullSet) : []),
    ]);
  return [
    ...findingsOfFaults(
      [...(oneTeam ? [] : checks.isolationFaults), ...checks.faults, ...missingIsolation(registry)],
      engine.name,
    ),
    ...findingsOfFaults(
      [...settingFaults(registry), ...rangesAtOwnPort(registry), ...sharedDomains(registry), ...strays(registry)],
      REPORTER,
    ),
    ...findingsOfFaults([...atBalancers, ...withoutPowers(registry)], engine.name),
    ...[...tenants.values()].flatMap((tenant) => faultsOfTenant(registry, tenant)),
    ...findingsOfFaults(ports, 'ports'),
  ];
}

function settingFaults({ settings: { ownPort, tlsPort, engine } }: TenancyRegistry): Fault[] {
  const routesByName = engine.limits.powers.hostnames;
  const wrong = Object.entries(routesByName ? { ownPort, tlsPort } : { ownPort }).filter(([, port]) => portFault(port));
  return faultsIn(SHARED, {
    'shared-ports-invalid': wrong.map(([option, port]) => ({ option, port })),
    samePorts: routesByName && ownPort === tlsPort && { port: ownPort },
  });
}

function overfullSet({ namespace, services }: Attachment): Fault[] {
  const { listeners } = AT_MOST;
  const ports = sortedUnique(services.flatMap((service) => service.ports.map(({ port }) => port))).length;
  return faultsIn(SHARED, { 'too-many-listeners': ports > listeners && { namespace, ports, listeners } });
}

function missingIsolation({ settings }: TenancyRegistry): Fault[] {
  const { engine, oneTeam, isolationPolicies, platform } = settings;
  const { isolation, publishing } = engine;
  const hasNoPolicies = !oneTeam && publishing.throughGateway && !isolationPolicies;
  const hasNoPlatform = !oneTeam && !hasNoPolicies && !isolation.isByItself && !platform?.length;
  const resource = isolation.dangerous.map((kind) => kind.resource).join(', ');
  return faultsIn(SHARED, {
    'isolation-policies-disabled': hasNoPolicies,
    'isolation-platform-missing': hasNoPlatform && { resource },
  });
}

function strays({ strays }: TenancyRegistry): Fault[] {
  return faultsIn(SHARED, {
    'tenant-unknown': strays.map(({ asked: { tenant, service }, path }) => ({ path, tenant, service, value: tenant })),
  });
}

function faultsOfTenant(registry: TenancyRegistry, tenant: AttachedTenant): LoadBalancerFinding[] {
  const { engine } = registry.settings;
  const services = tenant.services.flatMap((service) => faultsOfService(tenant, service));
  const numbers = numberFaults(tenant);
  const limits = numbers.length > 0 ? [] : limitFaults(engine, tenant);
  return [...findingsOfFaults(numbers, REPORTER), ...findingsOfFaults([...limits, ...services], engine.name)];
}

function faultsOfService(tenant: AttachedTenant, { asked, path }: PlacedService): Fault[] {
  const { ports, sourceRanges = [] } = asked;
  const { domain } = tenant;
  const hosts = ports.flatMap(({ hostnames = [] }) => hostnames);
  const of = { service: `Service ${asked.tenant}/${asked.service} (${path})`, tenant: tenant.name };
  const twice = ports.filter(({ port }, i) => ports.findIndex((other) => other.port === port) !== i);
  const foreign = hosts.filter((host) => !isWithin(host, domain));
  return faultsIn(SHARED, {
    'attached-service-without-ports': ports.length === 0 && of,
    'attached-port-duplicate': twice.map(({ port }) => ({ ...of, port })),
    'attached-source-range-invalid': sourceRanges
      .filter((range) => cidrFault(range))
      .map((range) => ({ ...of, range })),
    'hostnames-empty': ports.filter(({ hostnames }) => hostnames?.length === 0).map(({ port }) => ({ ...of, port })),
    'hostname-invalid': hosts.filter((host) => dnsNameFault(host)).map((host) => ({ ...of, host })),
    noDomain: foreign.map((host) => domain === undefined && { ...of, host }),
    'tenant-host-invalid': foreign.map(
      (host) => domain !== undefined && { ...of, host, example: `${asked.service}.${domain}` },
    ),
  });
}

interface Request {
  readonly power: keyof EngineCapabilities;
  readonly what: string;
  readonly of: string;
}

function requestsOf({ name, options: { maxConnections, bandwidth }, services }: AttachedTenant): Request[] {
  const asked = (power: keyof EngineCapabilities, what: string | undefined, of: string) =>
    what ? [{ power, what, of }] : [];
  const tenant = `tenant ${name}`;
  return [
    ...asked('connections', maxConnections === undefined ? undefined : `maxConnections ${maxConnections}`, tenant),
    ...asked('bandwidth', bandwidth && `a bandwidth of ${bandwidth.asString()}`, tenant),
    ...services.flatMap(({ asked: { tenant: namespace, service, sourceRanges, ports }, path }) => {
      const of = `Service ${namespace}/${service} (${path})`;
      const names = ports.flatMap(({ hostnames = [] }) => hostnames).join(', ');
      return [
        ...asked('sourceRanges', sourceRanges && `source ranges ${sourceRanges.join(', ')}`, of),
        ...asked('hostnames', ports.some(({ hostnames }) => hostnames) ? `host names ${names}` : undefined, of),
      ];
    }),
  ];
}

/** Limits that the engine cannot enforce, all at once, since another engine may be the answer. */
function withoutPowers({ settings: { engine }, tenants }: TenancyRegistry): Fault[] {
  const lost = [...tenants.values()].flatMap(requestsOf).filter(({ power }) => !engine.limits.powers[power]);
  const unmet = [...new Set(lost.map(({ what }) => what))].map(
    (what) => `${what} for ${lost.flatMap((one) => (one.what === what ? one.of : [])).join(', ')}`,
  );
  const remedy = [...new Set(lost.map(({ power }) => engine.limits.instead[power] ?? 'use another engine'))].join('; ');
  const requests = unmet.join('; ');
  return faultsIn(SHARED, { 'engine-limit-unsupported': lost.length > 0 && { requests, remedy, value: requests } });
}

/** One label in a domain: the listener of a tenant is a wildcard, which matches one label in some implementations. */
function isWithin(host: string, domain: string | undefined): boolean {
  return domain !== undefined && host.endsWith(`.${domain}`) && !host.slice(0, -domain.length - 1).includes('.');
}

/** The ports of Services that are created at run time, which are published at the first balancer. */
function rangesOf({ tenants }: TenancyRegistry): TenantRange[] {
  return [...tenants.values()].flatMap(({ name: tenant, options: { runtimePorts: range } }) =>
    range ? [{ tenant, first: range.first, last: range.last }] : [],
  );
}

function rangesAtOwnPort(registry: TenancyRegistry): Fault[] {
  const { ownPort } = registry.settings;
  const there = rangesOf(registry).filter(({ first, last }) => first <= ownPort && ownPort <= last);
  return faultsIn(SHARED, {
    'runtime-ports-include-own-port': there.map((range) => ({
      ...range,
      ownPort,
      value: `${range.first}-${range.last}`,
    })),
  });
}

/** Each tenant has one listener for all names of its domain: of two for one domain the younger serves nobody. */
function sharedDomains({ settings: { engine }, tenants }: TenancyRegistry): Fault[] {
  const active = [...tenants.values()].filter(({ domain, options }) => domain !== undefined && !options.suspended);
  const first = new Map<string, string>();
  return (engine.limits.powers.hostnames ? active : []).flatMap(({ name, domain }): Fault[] => {
    const other = first.get(domain as string);
    first.set(domain as string, other ?? name);
    return faultsIn(GUARD, {
      'policy-hostnames-overlap': other !== undefined && { other, name, domain, value: domain },
    });
  });
}

export function warningsOfTenancy(registry: TenancyRegistry): LoadBalancerFinding[] {
  const { engine } = registry.settings;
  const surprising = registry.attachments().flatMap((attachments) => engine.checks.warningsAt(attachments));
  const own = [...idleBalancers(registry), ...openLimits(registry)];
  return [
    ...findingsOfFaults([...engine.checks.warnings, ...surprising, ...own], engine.name),
    ...findingsOfFaults(otherNamespaces(registry), REPORTER),
  ];
}

/** A namespace with the labels of the one and not of the other is guarded and gets no port, or the other way round. */
function otherNamespaces({ settings: { guards, namespaceLabels } }: TenancyRegistry): Fault[] {
  const all = guards();
  const text = (labels: object) => Object.entries(labels).map(([key, value]) => `${key}=${value}`);
  const isSame = all.length === 0 || all.some(({ labels }) => sameLabels(labels, namespaceLabels));
  return faultsIn(SHARED, {
    'tenant-labels-mismatch': !isSame && {
      namespaceLabels: text(namespaceLabels).join(', '),
      path: all[0].path,
      labels: text(all[0].labels).join(', '),
    },
  });
}

function openLimits({ settings, tenants }: TenancyRegistry): Fault[] {
  const { engine, platform, oneTeam, tenantsWriteListeners } = settings;
  const { isolation, publishing } = engine;
  const all = platform?.length || oneTeam ? [] : [...tenants.values()];
  const hasLimit = ({ options }: AttachedTenant) => options.maxConnections !== undefined;
  const hasRanges = ({ services }: AttachedTenant) => services.some(({ asked }) => asked.sourceRanges !== undefined);
  const named = (limited: readonly AttachedTenant[]) =>
    limited.length === 1 ? `tenant ${limited[0].name}` : `${limited.length} tenants`;
  const kinds = isolation.isByItself ? isolation.dangerous : [];
  const limited = kinds.length > 0 ? all.filter((tenant) => hasLimit(tenant) || hasRanges(tenant)) : [];
  // ListenerSets that hold limits, and that tenants may delete and make anew: the limit goes with the listener it was for
  const inSets = publishing.throughGateway && tenantsWriteListeners() ? all.filter(hasLimit) : [];
  return faultsIn(SHARED, {
    'tenant-limits-writable': limited.length > 0 && { limited: named(limited), resource: kinds[0].resource },
    'tenant-listeners-writable': inSets.length > 0 && { limited: named(inSets) },
  });
}

function idleBalancers(registry: TenancyRegistry): Fault[] {
  const { lock, name, file } = registry.settings;
  const numbers = Array.from({ length: lock.balancers(name) }, (_, i) => i);
  const idle = numbers.filter((i) => registry.lockedPortsAt(i).length === 0).map((i) => balancerName(name, i));
  return faultsIn(SHARED, { 'balancer-without-ports': idle.length > 0 && { file, i: idle.join(', ') } });
}

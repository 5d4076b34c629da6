import { cidrFault, dnsNameFault, portFault } from '../../contract/kubernetes-syntax';
import type { LoadBalancerFinding } from '../../contract/options';
import { count } from '../../contract/rule';
import { AT_MOST } from '../../gateway/gateway.facts';
import type { EnginePowers, SharedEngine, TenantRange } from '../engines/contract/engine';
import { type Attachment, distinct } from '../engines/contract/publishing';
import { type Fault, faultOf, reported, rulesOf } from '../fault';
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
  return Object.entries({ maxConnections, maxPorts })
    .filter(([, value]) => value !== undefined && !(Number.isSafeInteger(value) && value >= 0))
    .map(([option, value]) => faultOf(SHARED['limit-no-number'], { option, name: tenant.name, value }, String(value)));
}

function limitFaults(engine: SharedEngine, tenant: AttachedTenant): Fault[] {
  const { maxConnections, bandwidth, maxPorts } = tenant.options;
  const found: Fault[] = [];
  if (maxConnections !== undefined) {
    found.push(...tooSmall(engine, tenant, `maxConnections ${maxConnections}`, tenant.dividedConnections));
  }
  if (bandwidth !== undefined) {
    found.push(...tooSmall(engine, tenant, `a bandwidth of ${bandwidth.asString()}`, tenant.dividedBandwidth));
  }
  if (maxPorts !== undefined && tenant.portCount > maxPorts) {
    found.push(
      faultOf(
        PORTS['too-many-ports'],
        { name: tenant.name, portCount: count(tenant.portCount, 'port'), maxPorts },
        String(tenant.portCount),
      ),
    );
  }
  return found;
}

function tooSmall({ limits }: SharedEngine, tenant: AttachedTenant, limit: string, divided?: number): Fault[] {
  const ports = limits.perPort ? ` and ${count(tenant.counters, 'port')}, those of run time among them` : '';
  return divided !== undefined && divided < 1
    ? [
        faultOf(
          SHARED['limit-too-small'],
          { limit, name: tenant.name, replicas: count(limits.replicas, 'replica'), ports },
          limit,
        ),
      ]
    : [];
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
    ...reported(
      [...(oneTeam ? [] : checks.isolationFaults), ...checks.faults, ...missingIsolation(registry)],
      engine.name,
    ),
    ...reported(
      [...settingFaults(registry), ...rangesAtOwnPort(registry), ...sharedDomains(registry), ...strays(registry)],
      REPORTER,
    ),
    ...reported([...atBalancers, ...withoutPowers(registry)], engine.name),
    ...[...tenants.values()].flatMap((tenant) => faultsOfTenant(registry, tenant)),
    ...reported(ports, 'ports'),
  ];
}

function settingFaults({ settings: { ownPort, tlsPort, engine } }: TenancyRegistry): Fault[] {
  const ports = engine.limits.powers.hostnames ? { ownPort, tlsPort } : { ownPort };
  const isSame = engine.limits.powers.hostnames && ownPort === tlsPort;
  return [
    ...Object.entries(ports)
      .filter(([, port]) => portFault(port) !== undefined)
      .map(([option, port]) => faultOf(SHARED['shared-settings'], { option, port })),
    ...(isSame ? [faultOf(SHARED.samePorts, { port: ownPort })] : []),
  ];
}

function overfullSet({ namespace, services }: Attachment): Fault[] {
  const ports = distinct(services.flatMap((service) => service.ports.map(({ port }) => port)));
  return ports.length > AT_MOST.listeners
    ? [faultOf(SHARED['too-many-listeners'], { namespace, ports: ports.length, listeners: AT_MOST.listeners })]
    : [];
}

function missingIsolation({ settings }: TenancyRegistry): Fault[] {
  const { engine, oneTeam, isolationPolicies, platform } = settings;
  const { isolation, publishing } = engine;
  if (oneTeam) {
    return [];
  }
  if (publishing.throughGateway && !isolationPolicies) {
    return [faultOf(SHARED['isolation-policies'])];
  }
  return !isolation.isByItself && !platform?.length
    ? [
        faultOf(SHARED['isolation-platform'], {
          resource: isolation.dangerous.map(({ resource }) => resource).join(', '),
        }),
      ]
    : [];
}

function strays({ strays }: TenancyRegistry): Fault[] {
  return strays.map(({ asked, path }) =>
    faultOf(SHARED['tenant-unknown'], { path, tenant: asked.tenant, service: asked.service }, asked.tenant),
  );
}

function faultsOfTenant(registry: TenancyRegistry, tenant: AttachedTenant): LoadBalancerFinding[] {
  const { engine } = registry.settings;
  const services = tenant.services.flatMap((service) => faultsOfService(tenant, service));
  const numbers = numberFaults(tenant);
  const limits = numbers.length > 0 ? [] : limitFaults(engine, tenant);
  return [...reported(numbers, REPORTER), ...reported([...limits, ...services], engine.name)];
}

function faultsOfService(tenant: AttachedTenant, { asked, path }: PlacedService): Fault[] {
  const named = `Service ${asked.tenant}/${asked.service} (${path})`;
  const { ports, sourceRanges = [] } = asked;
  const hosts = ports.flatMap(({ hostnames = [] }) => hostnames);
  const of = { service: named, tenant: tenant.name };
  const foreign = (host: string) =>
    tenant.domain === undefined
      ? faultOf(SHARED.noDomain, { ...of, host })
      : faultOf(SHARED['host-of-others'], { ...of, host, example: `${asked.service}.${tenant.domain}` });
  return [
    ...(ports.length === 0 ? [faultOf(SHARED['no-ports'], of)] : []),
    ...ports
      .filter(({ port }, i) => ports.findIndex((other) => other.port === port) !== i)
      .map(({ port }) => faultOf(SHARED['port-twice'], { ...of, port })),
    ...sourceRanges
      .filter((range) => cidrFault(range) !== undefined)
      .map((range) => faultOf(SHARED['bad-range'], { ...of, range })),
    ...ports
      .filter(({ hostnames }) => hostnames?.length === 0)
      .map(({ port }) => faultOf(SHARED['no-hostnames'], { ...of, port })),
    ...hosts
      .filter((host) => dnsNameFault(host) !== undefined)
      .map((host) => faultOf(SHARED['bad-hostname'], { ...of, host })),
    ...hosts.filter((host) => !isWithin(host, tenant.domain)).map(foreign),
  ];
}

interface Request {
  readonly power: keyof EnginePowers;
  readonly what: string;
  readonly of: string;
}

function requestsOf({ name, options: { maxConnections, bandwidth }, services }: AttachedTenant): Request[] {
  const requests: Request[] = [];
  const add = (power: keyof EnginePowers, what: string, of: string) => requests.push({ power, what, of });
  if (maxConnections !== undefined) {
    add('connections', `maxConnections ${maxConnections}`, `tenant ${name}`);
  }
  if (bandwidth !== undefined) {
    add('bandwidth', `a bandwidth of ${bandwidth.asString()}`, `tenant ${name}`);
  }
  for (const { asked, path } of services) {
    const service = `Service ${asked.tenant}/${asked.service} (${path})`;
    if (asked.sourceRanges) {
      add('sourceRanges', `source ranges ${asked.sourceRanges.join(', ')}`, service);
    }
    if (asked.ports.some(({ hostnames }) => hostnames)) {
      add('hostnames', `host names ${asked.ports.flatMap(({ hostnames = [] }) => hostnames).join(', ')}`, service);
    }
  }
  return requests;
}

/** What the engine cannot enforce: all of it at once, since another engine may be the answer. */
function withoutPowers({ settings: { engine }, tenants }: TenancyRegistry): Fault[] {
  const lost = [...tenants.values()].flatMap(requestsOf).filter(({ power }) => !engine.limits.powers[power]);
  const unmet = [...new Set(lost.map(({ what }) => what))].map(
    (what) => `${what} for ${lost.flatMap((one) => (one.what === what ? one.of : [])).join(', ')}`,
  );
  const remedy = [...new Set(lost.map(({ power }) => engine.limits.instead[power] ?? 'use another engine'))].join('; ');
  const requests = unmet.join('; ');
  return lost.length === 0 ? [] : [faultOf(SHARED['engine-cannot-enforce'], { requests, remedy }, requests)];
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
  return rangesOf(registry)
    .filter(({ first, last }) => first <= ownPort && ownPort <= last)
    .map(({ tenant, first, last }) =>
      faultOf(SHARED['runtime-own-port'], { first, last, tenant, ownPort }, `${first}-${last}`),
    );
}

/** Each tenant has one listener for all names of its domain: of two for one domain the younger serves nobody. */
function sharedDomains({ settings: { engine }, tenants }: TenancyRegistry): Fault[] {
  const active = [...tenants.values()].filter(({ domain, options }) => domain !== undefined && !options.suspended);
  const first = new Map<string, string>();
  return (engine.limits.powers.hostnames ? active : []).flatMap(({ name, domain }): Fault[] => {
    const other = first.get(domain as string);
    first.set(domain as string, other ?? name);
    return other === undefined ? [] : [faultOf(GUARD['policy-hostnames-twice'], { other, name, domain }, domain)];
  });
}

export function warningsOfTenancy(registry: TenancyRegistry): LoadBalancerFinding[] {
  const { engine } = registry.settings;
  const surprising = registry.attachments().flatMap((attachments) => engine.checks.warningsAt(attachments));
  const own = [...idleBalancers(registry), ...openLimits(registry)];
  return [
    ...reported([...engine.checks.warnings, ...surprising, ...own], engine.name),
    ...reported(otherNamespaces(registry), REPORTER),
  ];
}

/** A namespace with the labels of the one and not of the other is guarded and gets no port, or the other way round. */
function otherNamespaces({ settings: { guards, namespaceLabels } }: TenancyRegistry): Fault[] {
  const all = guards();
  const text = (labels: object) =>
    Object.entries(labels)
      .map(([key, value]) => `${key}=${value}`)
      .join(', ');
  return all.length === 0 || all.some(({ labels }) => sameLabels(labels, namespaceLabels))
    ? []
    : [
        faultOf(SHARED['tenant-labels-differ'], {
          namespaceLabels: text(namespaceLabels),
          path: all[0].path,
          labels: text(all[0].labels),
        }),
      ];
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
  return [
    ...(limited.length > 0
      ? [faultOf(SHARED['limits-open'], { limited: named(limited), resource: kinds[0].resource })]
      : []),
    ...(inSets.length > 0 ? [faultOf(SHARED['listeners-open'], { limited: named(inSets) })] : []),
  ];
}

function idleBalancers(registry: TenancyRegistry): Fault[] {
  const { lock, name, file } = registry.settings;
  const numbers = Array.from({ length: lock.balancers(name) }, (_, i) => i);
  const idle = numbers.filter((i) => registry.lockedPortsAt(i).length === 0);
  return idle.length === 0
    ? []
    : [faultOf(SHARED['balancer-idle'], { file, i: idle.map((i) => balancerName(name, i)).join(', ') })];
}

import { cidrFault, dnsNameFault, portFault } from '../../contract/kubernetes-syntax';
import type { LoadBalancerFinding } from '../../contract/load-balancer-finding';
import { AT_MOST } from '../../gateway/gateway.facts';
import { type Attachment, distinct } from '../engines/contract/attachment';
import type { EngineFault, EnginePowers, TenantRange } from '../engines/contract/engine';
import type { PortFault } from '../ports/port-request';
import type { AttachedTenant, PlacedService } from './attached-tenant';
import type { TenancyBook } from './tenancy-registry';

/** Everything that is wrong with a shared balancer and what tenants attach to it. */
export function faultsOfTenancy(book: TenancyBook, ports: readonly PortFault[]): LoadBalancerFinding[] {
  const { engine, oneTeam } = book.settings;
  const fences = engine.faults.filter(({ ruleId }) => !(oneTeam && ruleId.startsWith('fence-')));
  return [
    ...fences.map((fault) => ({ who: engine.name, ...fault })),
    ...missingFences(book),
    ...settingFaults(book),
    ...rangesAtOwnPort(book),
    ...strays(book),
    ...book
      .attachments()
      .flatMap((attachments, i) => [
        ...(engine.faultsOf?.(attachments, i === 0 ? rangesOf(book) : [], book.settings.ownPort) ?? []),
        ...(engine.gateways ? attachments.flatMap(overfullSet) : []),
      ])
      .map((fault) => ({ who: engine.name, ...fault })),
    ...withoutPowers(book),
    ...[...book.tenants.values()].flatMap((tenant) => faultsOfTenant(book, tenant)),
    ...ports,
  ];
}

/** What the API server would refuse of the balancer's own settings. */
function settingFaults({ settings: { path, ownPort, tlsPort, engine } }: TenancyBook): LoadBalancerFinding[] {
  const ports = engine.powers.hostnames ? { ownPort, tlsPort } : { ownPort };
  const faults = Object.entries(ports)
    .filter(([, port]) => portFault(port) !== undefined)
    .map(([option, port]) => ({ what: `${option} is ${port}`, remedy: 'write a port from 1 to 65535' }));
  const same = engine.powers.hostnames && ownPort === tlsPort;
  return [
    ...faults,
    ...(same ? [{ what: `ownPort and tlsPort are both ${ownPort}`, remedy: 'take two ports' }] : []),
  ].map((fault) => ({ ruleId: 'shared-settings', who: path, ...fault }));
}

/** What a tenant has at one balancer stands in one ListenerSet. */
function overfullSet({ namespace, services }: Attachment): EngineFault[] {
  const ports = distinct(services.flatMap((service) => service.ports.map(({ port }) => port)));
  return ports.length > AT_MOST.listeners
    ? [
        {
          ruleId: 'too-many-listeners',
          what: `tenant ${namespace} has ${ports.length} ports at one balancer, and a ListenerSet holds ${AT_MOST.listeners} listeners`,
          remedy: 'make two tenants of it, or tell Services apart by host names of TLS',
        },
      ]
    : [];
}

/** What keeps tenants apart is not given up in silence. */
function missingFences({ settings: { engine, oneTeam, fences, platform } }: TenancyBook): LoadBalancerFinding[] {
  if (oneTeam) {
    return [];
  }
  if (engine.gateways && !fences) {
    return [
      {
        ruleId: 'fence-policies',
        who: engine.name,
        what: 'nothing keeps a tenant from the ports and host names of others, since fences is false',
        remedy: 'leave fences on, or say oneTeam where all tenants are one team',
      },
    ];
  }
  return !engine.isolates && !platform?.length && !engine.platform?.length
    ? [
        {
          ruleId: 'fence-platform',
          who: engine.name,
          what: `a tenant that writes ${engine.dangerous.map(({ resource }) => resource).join(', ')} reaches the others, and nobody is said to be the platform that alone may`,
          remedy: 'pass platform: who applies these manifests, or say oneTeam where all tenants are one team',
        },
      ]
    : [];
}

function strays({ strays, settings }: TenancyBook): LoadBalancerFinding[] {
  return strays.map(({ asked, path }) => ({
    ruleId: 'tenant-unknown',
    who: settings.path,
    what: `${path} publishes Service ${asked.tenant}/${asked.service}, and '${asked.tenant}' is no tenant`,
    remedy: `add it with addTenant('${asked.tenant}')`,
    value: asked.tenant,
  }));
}

function faultsOfTenant(book: TenancyBook, tenant: AttachedTenant): LoadBalancerFinding[] {
  return [
    ...limitFaults(book, tenant),
    ...tenant.services.flatMap((service) => faultsOfService(book, tenant, service)),
  ];
}

function limitFaults(book: TenancyBook, tenant: AttachedTenant): LoadBalancerFinding[] {
  const { engine } = book.settings;
  const { maxConnections, bandwidth, maxPorts } = tenant.options;
  const found: LoadBalancerFinding[] = [...numberFaults(book, tenant)];
  if (maxConnections !== undefined) {
    found.push(...tooSmall(book, tenant, `maxConnections ${maxConnections}`, tenant.dividedConnections));
  }
  if (bandwidth !== undefined) {
    found.push(...tooSmall(book, tenant, `a bandwidth of ${bandwidth.asString()}`, tenant.dividedBandwidth));
  }
  if (maxPorts !== undefined && tenant.portCount > maxPorts) {
    found.push({
      ruleId: 'too-many-ports',
      who: engine.name,
      what: `tenant ${tenant.name} publishes ${tenant.portCount} ports and may have ${maxPorts}`,
      remedy: 'publish fewer, or raise its maxPorts',
      value: String(tenant.portCount),
    });
  }
  return found;
}

/** Limits of untyped languages. */
function numberFaults({ settings: { path } }: TenancyBook, tenant: AttachedTenant): LoadBalancerFinding[] {
  const { maxConnections, maxPorts } = tenant.options;
  return Object.entries({ maxConnections, maxPorts })
    .filter(([, value]) => value !== undefined && !(Number.isSafeInteger(value) && value >= 0))
    .map(([option, value]) => ({
      ruleId: 'limit-no-number',
      who: path,
      what: `${option} of tenant ${tenant.name} is ${value}`,
      remedy: 'write a whole number, or leave it out',
      value: String(value),
    }));
}

function faultsOfService(book: TenancyBook, tenant: AttachedTenant, service: PlacedService): LoadBalancerFinding[] {
  const { engine } = book.settings;
  const { asked, path } = service;
  const named = `Service ${asked.tenant}/${asked.service} (${path})`;
  const found: LoadBalancerFinding[] = [];
  const say = (ruleId: string, what: string, remedy: string) => found.push({ ruleId, who: engine.name, what, remedy });
  if (asked.ports.length === 0) {
    say('no-ports', `${named} publishes no port`, 'publish at least one, or do not attach it');
  }
  const twice = asked.ports.filter(({ port }, i) => asked.ports.findIndex((other) => other.port === port) !== i);
  for (const { port } of twice) {
    say('port-twice', `${named} publishes its port ${port} twice`, 'publish it once, with all its host names');
  }
  if (asked.sourceRanges) {
    for (const range of asked.sourceRanges.filter((range) => cidrFault(range) !== undefined)) {
      say(
        'bad-range',
        `${named} has the source range '${range}', which is none`,
        "write an address with a prefix, such as '10.0.0.0/16'",
      );
    }
  }
  const hosts = asked.ports.flatMap(({ hostnames = [] }) => hostnames);
  for (const { port } of asked.ports.filter(({ hostnames }) => hostnames?.length === 0)) {
    say(
      'no-hostnames',
      `${named} has an empty list of host names for port ${port}`,
      'name at least one, or leave it out',
    );
  }
  for (const host of hosts.filter((host) => dnsNameFault(host) !== undefined)) {
    say('bad-hostname', `${named} has the host name '${host}', which is none`, 'write it in lower case, as DNS has it');
  }
  for (const host of hosts.filter((host) => !isWithin(host, tenant.domain))) {
    say(
      'host-of-others',
      tenant.domain === undefined
        ? `${named} has the host name ${host}, and tenant ${tenant.name} has no domain`
        : `${named} has the host name ${host}, which is not one label in the domain of tenant ${tenant.name}`,
      tenant.domain === undefined
        ? 'give the shared load balancer a hostname, or the tenant a domain'
        : `choose a name such as ${asked.service}.${tenant.domain}`,
    );
  }
  return found;
}

/** A wish of a tenant, and what an engine needs to keep it. */
interface Wish {
  readonly power: keyof EnginePowers;
  readonly what: string;
  readonly of: string;
}

function wishesOf({ name, options: { maxConnections, bandwidth }, services }: AttachedTenant): Wish[] {
  const wishes: Wish[] = [];
  const wish = (power: keyof EnginePowers, what: string, of: string) => wishes.push({ power, what, of });
  if (maxConnections !== undefined) {
    wish('connections', `maxConnections ${maxConnections}`, `tenant ${name}`);
  }
  if (bandwidth !== undefined) {
    wish('bandwidth', `a bandwidth of ${bandwidth.asString()}`, `tenant ${name}`);
  }
  for (const { asked, path } of services) {
    const service = `Service ${asked.tenant}/${asked.service} (${path})`;
    if (asked.sourceRanges) {
      wish('sourceRanges', `source ranges ${asked.sourceRanges.join(', ')}`, service);
    }
    if (asked.ports.some(({ hostnames }) => hostnames)) {
      wish('hostnames', `host names ${asked.ports.flatMap(({ hostnames = [] }) => hostnames).join(', ')}`, service);
    }
  }
  return wishes;
}

/** What is wished for and the engine has no means for: all of it at once, since another engine may be the answer. */
function withoutPowers({ settings: { engine }, tenants }: TenancyBook): LoadBalancerFinding[] {
  const lost = [...tenants.values()].flatMap(wishesOf).filter(({ power }) => !engine.powers[power]);
  const said = [...new Set(lost.map(({ what }) => what))].map(
    (what) => `${what} for ${lost.flatMap((wish) => (wish.what === what ? wish.of : [])).join(', ')}`,
  );
  const remedy = new Set(lost.map(({ power }) => engine.instead[power] ?? 'use another engine'));
  return lost.length === 0
    ? []
    : [
        {
          ruleId: 'engine-cannot-enforce',
          who: engine.name,
          what: `it cannot enforce ${said.join('; ')}`,
          remedy: [...remedy].join('; '),
          value: said.join('; '),
        },
      ];
}

function tooSmall({ settings: { engine } }: TenancyBook, tenant: AttachedTenant, wish: string, divided?: number) {
  const ports = engine.limitsPorts ? ` and ${tenant.counters} ports, those of run time among them` : '';
  return divided !== undefined && divided < 1
    ? [
        {
          ruleId: 'limit-too-small',
          who: engine.name,
          what: `${wish} of tenant ${tenant.name} is nothing when divided by ${engine.replicas} replicas${ports}`,
          remedy: 'raise the limit, or have fewer replicas or ports',
          value: wish,
        },
      ]
    : [];
}

/** One label in a domain: the listener of a tenant is a wildcard, which stands for one label in some implementations. */
function isWithin(host: string, domain: string | undefined): boolean {
  return domain !== undefined && host.endsWith(`.${domain}`) && !host.slice(0, -domain.length - 1).includes('.');
}

/** The ports of Services that are created at run time, which are published at the first balancer. */
function rangesOf({ tenants }: TenancyBook): TenantRange[] {
  return [...tenants.values()].flatMap(({ name: tenant, options: { runtimePorts: range } }) =>
    range ? [{ tenant, first: range.first, last: range.last }] : [],
  );
}

/** Ranges that hold the port which the balancer needs itself. */
function rangesAtOwnPort(book: TenancyBook): LoadBalancerFinding[] {
  const { path, ownPort } = book.settings;
  return rangesOf(book)
    .filter(({ first, last }) => first <= ownPort && ownPort <= last)
    .map(({ tenant, first, last }) => ({
      ruleId: 'runtime-own-port',
      who: path,
      what: `runtimePorts ${first} to ${last} of tenant ${tenant} hold ${ownPort}, which is kept for the balancer itself`,
      remedy: 'give the tenant a range without it, or the balancer another ownPort',
      value: `${first}-${last}`,
    }));
}

import { cidrFault, dnsNameFault, portFault } from '../../contract/kubernetes-syntax';
import type { LoadBalancerFinding } from '../../contract/load-balancer-finding';
import type { DescribedRule } from '../../contract/rule';
import { AT_MOST } from '../../gateway/gateway.facts';
import { type Attachment, distinct } from '../engines/contract/attachment';
import type { EnginePowers, TenantRange } from '../engines/contract/engine';
import { type Fault, reported } from '../fault';
import { POLICY_HOSTNAMES_TWICE } from '../guard/rules';
import type { PortFault } from '../ports/port-request';
import type { AttachedTenant, PlacedService } from './attached-tenant';
import { limitFaults, numberFaults } from './limit-faults';
import { REPORTER } from './names';
import {
  BAD_HOSTNAME,
  BAD_RANGE,
  ENGINE_CANNOT_ENFORCE,
  HOST_OF_OTHERS,
  ISOLATION_PLATFORM,
  ISOLATION_POLICIES,
  NO_HOSTNAMES,
  NO_PORTS,
  PORT_TWICE,
  RUNTIME_OWN_PORT,
  SHARED_SETTINGS,
  TENANT_UNKNOWN,
  TOO_MANY_LISTENERS,
} from './rules';
import type { TenancyRegistry } from './tenancy-registry';

/** Everything that is wrong with a shared balancer and what tenants attach to it. */
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

/** What the API server would refuse of the balancer's own settings. */
function settingFaults({ settings: { ownPort, tlsPort, engine } }: TenancyRegistry): Fault[] {
  const ports = engine.limits.powers.hostnames ? { ownPort, tlsPort } : { ownPort };
  const faults = Object.entries(ports)
    .filter(([, port]) => portFault(port) !== undefined)
    .map(([option, port]) => ({ what: `${option} is ${port}`, remedy: 'choose a port from 1 to 65535' }));
  const same = engine.limits.powers.hostnames && ownPort === tlsPort;
  return [
    ...faults,
    ...(same ? [{ what: `ownPort and tlsPort are both ${ownPort}`, remedy: 'choose two ports' }] : []),
  ].map((fault) => ({ rule: SHARED_SETTINGS, ...fault }));
}

/** All listeners of a tenant at one balancer are in one ListenerSet. */
function overfullSet({ namespace, services }: Attachment): Fault[] {
  const ports = distinct(services.flatMap((service) => service.ports.map(({ port }) => port)));
  return ports.length > AT_MOST.listeners
    ? [
        {
          rule: TOO_MANY_LISTENERS,
          what: `tenant ${namespace} has ${ports.length} ports at one balancer, and a ListenerSet holds ${AT_MOST.listeners} listeners`,
          remedy: 'make two tenants of it, or share a port by TLS host names',
        },
      ]
    : [];
}

/** Isolation is never given up silently. */
function missingIsolation({ settings }: TenancyRegistry): Fault[] {
  const { engine, oneTeam, isolationPolicies, platform } = settings;
  const { isolation, publishing } = engine;
  if (oneTeam) {
    return [];
  }
  if (publishing.throughGateway && !isolationPolicies) {
    return [
      {
        rule: ISOLATION_POLICIES,
        what: 'isolationPolicies is false, and a tenant can take ports and host names of others',
        remedy: 'leave isolationPolicies on, or set oneTeam if all tenants are one team',
      },
    ];
  }
  return !isolation.isByItself && !platform?.length && isolation.platform.length === 0
    ? [
        {
          rule: ISOLATION_PLATFORM,
          what: `a tenant that writes ${isolation.dangerous.map(({ resource }) => resource).join(', ')} reaches the others, and no platform is named that alone may write them`,
          remedy:
            'pass platform, the identities that apply these manifests, or set oneTeam if all tenants are one team',
        },
      ]
    : [];
}

function strays({ strays }: TenancyRegistry): Fault[] {
  return strays.map(({ asked, path }) => ({
    rule: TENANT_UNKNOWN,
    what: `${path} publishes Service ${asked.tenant}/${asked.service}, and '${asked.tenant}' is not a tenant`,
    remedy: `add it with addTenant('${asked.tenant}')`,
    value: asked.tenant,
  }));
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
  const found: Fault[] = [];
  const add = (rule: DescribedRule, what: string, remedy: string) =>
    found.push({ rule, what: `${named} ${what}`, remedy });
  if (asked.ports.length === 0) {
    add(NO_PORTS, 'publishes no port', 'publish at least one, or do not attach it');
  }
  const twice = asked.ports.filter(({ port }, i) => asked.ports.findIndex((other) => other.port === port) !== i);
  for (const { port } of twice) {
    add(PORT_TWICE, `publishes its port ${port} twice`, 'publish it once, with all its host names');
  }
  for (const range of (asked.sourceRanges ?? []).filter((one) => cidrFault(one) !== undefined)) {
    const remedy = "write an address with a prefix, such as '10.0.0.0/16'";
    add(BAD_RANGE, `has source range '${range}', which is not a valid CIDR`, remedy);
  }
  for (const { port } of asked.ports.filter(({ hostnames }) => hostnames?.length === 0)) {
    add(NO_HOSTNAMES, `has an empty list of host names for port ${port}`, 'name at least one, or leave it out');
  }
  const hosts = asked.ports.flatMap(({ hostnames = [] }) => hostnames);
  for (const host of hosts.filter((one) => dnsNameFault(one) !== undefined)) {
    add(
      BAD_HOSTNAME,
      `has host name '${host}', which is not a valid DNS name`,
      'write it in lower case, as DNS has it',
    );
  }
  for (const host of hosts.filter((one) => !isWithin(one, tenant.domain))) {
    add(
      HOST_OF_OTHERS,
      tenant.domain === undefined
        ? `has host name ${host}, and tenant ${tenant.name} has no domain`
        : `has host name ${host}, which is not one label in the domain of tenant ${tenant.name}`,
      tenant.domain === undefined
        ? 'give the shared load balancer a hostname, or the tenant a domain'
        : `choose a name such as ${asked.service}.${tenant.domain}`,
    );
  }
  return found;
}

/** A request of a tenant, and the power that an engine needs to enforce it. */
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
  const remedy = new Set(lost.map(({ power }) => engine.limits.instead[power] ?? 'use another engine'));
  return lost.length === 0
    ? []
    : [
        {
          rule: ENGINE_CANNOT_ENFORCE,
          what: `it cannot enforce ${unmet.join('; ')}`,
          remedy: [...remedy].join('; '),
          value: unmet.join('; '),
        },
      ];
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

/** Ranges that hold the port which the balancer needs itself. */
function rangesAtOwnPort(registry: TenancyRegistry): Fault[] {
  const { ownPort } = registry.settings;
  return rangesOf(registry)
    .filter(({ first, last }) => first <= ownPort && ownPort <= last)
    .map(({ tenant, first, last }) => ({
      rule: RUNTIME_OWN_PORT,
      what: `runtimePorts ${first} to ${last} of tenant ${tenant} hold ${ownPort}, the port of the balancer itself`,
      remedy: 'give the tenant a range without it, or the balancer another ownPort',
      value: `${first}-${last}`,
    }));
}

/** Each tenant has one listener for all names of its domain: of two for one domain the younger serves nobody. */
function sharedDomains({ settings: { engine }, tenants }: TenancyRegistry): Fault[] {
  const active = [...tenants.values()].filter(({ domain, options }) => domain !== undefined && !options.suspended);
  const first = new Map<string, string>();
  return (engine.limits.powers.hostnames ? active : []).flatMap(({ name, domain }): Fault[] => {
    const other = first.get(domain as string);
    first.set(domain as string, other ?? name);
    return other === undefined
      ? []
      : [
          {
            rule: POLICY_HOSTNAMES_TWICE,
            what: `tenants ${other} and ${name} both have the domain ${domain}`,
            remedy: 'give each a domain of its own',
            value: domain,
          },
        ];
  });
}

import type { ApiObject } from 'cdk8s';
import type { Construct, IConstruct } from 'constructs';
import { DEFAULT_KUBERNETES } from '../../contract/default-kubernetes';
import { dnsLabelFault } from '../../contract/kubernetes-syntax';
import type { LoadBalancerFinding } from '../../contract/options';
import { currentJson } from '../../rules/app-objects';
import type { EngineIsolation, SharedEngine } from '../engines/contract/engine';
import type { Attachment } from '../engines/contract/publishing';
import { type Fault, faultOf, findingsOfFaults, refusal } from '../fault';
import type { GuardedKind, SharedGatewayReference } from '../guard/options';
import { deletingIdentities, makeLabelPolicy, makeTlsRoutePolicies } from '../guard/platform-policies';
import {
  changeOf,
  exemptNamespaces,
  type GuardedNamespaces,
  isolatingObjectsIn,
  isWritten,
  namespaceSelector,
} from '../guard/rules';
import { SharedListenerPolicy, TenantPorts } from '../guard/shared-listener-policy';
import { TenancyIdentity } from '../guard/tenancy-identity';
import { resolvePorts } from '../ports/assign-ports';
import type { PortConflictPolicy, PortRange } from '../ports/options';
import type { PortLock } from '../ports/port-lock';
import {
  byText,
  type PortFault,
  type PortRequest,
  type PortRules,
  portRequestsFile,
  writePortRequests,
} from '../ports/rules';
import { GATEWAY_API } from '../tenancy.facts';
import {
  AttachedTenant,
  balancerHostname,
  balancerName,
  endpointKey,
  type PlacedService,
  type PublishedObject,
  publishObjects,
} from './attached-tenant';
import type {
  SharedAttachment,
  SharedEndpoint,
  SharedLoadBalancerProps,
  SharedPort,
  SharedTenantOptions,
} from './options';
import { faultsOfTenancy, SHARED, warningsOfTenancy } from './rules';

type SharedSetting = 'name' | 'namespace' | 'remapPorts' | 'ownPort' | 'tlsPort' | 'oneTeam' | 'namespaceLabels';

export interface TenancySettings
  extends Required<Pick<SharedLoadBalancerProps, SharedSetting>>,
    Pick<SharedLoadBalancerProps, 'hostname' | 'platform'> {
  readonly path: string;
  readonly engine: SharedEngine;
  readonly lock: PortLock;
  readonly file: string;
  readonly conflict: PortConflictPolicy;
  readonly isolationPolicies?: SharedListenerPolicy;
  readonly tenantsWriteListeners: () => boolean;
  readonly guards: () => readonly GuardedNamespaces[];
}

export interface TenancyFindings {
  readonly errors: LoadBalancerFinding[];
  readonly warnings: LoadBalancerFinding[];
}

export class TenancyRegistry {
  public readonly tenants = new Map<string, AttachedTenant>();
  public readonly strays: { readonly asked: SharedAttachment; readonly path: string }[] = [];

  private readonly published = new Set<string>();
  private readonly requested: PortRequest[] = [];
  private readonly listeners: ((tenant: AttachedTenant) => void)[] = [];
  private version = 0;
  private exempt?: ReadonlyMap<string, TenancyIdentity>;
  private found?: { readonly of: number; readonly findings: TenancyFindings };

  public constructor(public readonly settings: TenancySettings) {}

  public addTenant(name: string, options: SharedTenantOptions): void {
    const { path, engine, hostname } = this.settings;
    if (this.tenants.has(name)) {
      throw new Error(`${path}: tenant '${name}' was added already; pass all its options at once`);
    }
    this.exempt ??= exemptIn(this.settings);
    mustBeTenant(name, this.settings, this.exempt);
    const domain = options.domain ?? (hostname && `${name}.${hostname}`);
    const tenant = new AttachedTenant(name, options, path, domain, engine);
    this.tenants.set(name, tenant);
    const policies = options.suspended ? undefined : this.settings.isolationPolicies;
    grantOwn(policies, name, { domain, ports: options.runtimePorts && [options.runtimePorts] });
    this.version++;
    for (const listener of this.listeners) {
      listener(tenant);
    }
  }

  public forEachTenant(listener: (tenant: AttachedTenant) => void): void {
    this.tenants.forEach((tenant) => void listener(tenant));
    this.listeners.push(listener);
  }

  public attach(scope: Construct, asked: SharedAttachment): SharedEndpoint[] {
    this.version++;
    const { path } = scope.node;
    const tenant = this.tenants.get(asked.tenant);
    if (!tenant) {
      this.strays.push({ asked, path });
      return [];
    }
    const before = tenant.services.find(({ asked: { service } }) => service === asked.service);
    if (before) {
      throw new Error(
        `${path}: Service ${asked.tenant}/${asked.service} is attached already, by ${before.path}; attach all its ports at once`,
      );
    }
    const service = this.place(asked, path);
    this.requested.push(...this.requestsOf(asked, path));
    tenant.services.push(service);
    const { name, namespace, engine } = this.settings;
    const balancer = engine.existing ?? { name: balancerName(name, service.balancer), namespace };
    if (!this.isSuspended(tenant.name) && asked.ports.length > 0) {
      // what is not locked yet fails the synth, and may be a port of another tenant
      const locked = service.attached.ports.filter((port) => !port.hostnames && this.isLocked(asked, port.servicePort));
      const ports = locked.map(({ port }) => port);
      grantOwn(this.settings.isolationPolicies, tenant.name, { ports: ports.map(only), gateway: balancer });
      publishObjects(scope, tenant, balancer, service, this.published);
    }
    return this.endpointsOf(service);
  }

  public endpoints(): SharedEndpoint[] {
    return [...this.tenants.values()]
      .sort((one, other) => byText(one.name, other.name))
      .flatMap((tenant) =>
        [...tenant.services]
          .sort((one, other) => byText(one.asked.service, other.asked.service))
          .flatMap((service) => this.endpointsOf(service)),
      );
  }

  public isSuspended(tenant: string): boolean {
    return this.tenants.get(tenant)?.options.suspended === true;
  }

  public attachments(): Attachment[][] {
    const { name, namespace } = this.settings;
    const active = [...this.tenants.values()].filter(({ options }) => !options.suspended);
    const last = Math.max(0, ...active.flatMap(({ services }) => services.map(({ balancer }) => balancer)));
    return Array.from({ length: last + 1 }, (_, i) => {
      const balancer = { name: balancerName(name, i), namespace };
      return active.map((tenant) => tenant.attachmentAt(balancer, tenant.servicesAt(i)));
    });
  }

  public lockedPortsAt(balancer: number): number[] {
    const { lock, name } = this.settings;
    const entries = lock.keys(name).map((key) => lock.entry(name, key));
    const ports = entries.filter((entry) => entry?.balancer === balancer).map((entry) => entry?.port as number);
    return [...new Set(ports)].sort((one, other) => one - other);
  }

  /** Found once for everything that was attached: cdk8s validates an app once for each of its charts. */
  public findings(): TenancyFindings {
    if (this.found?.of !== this.version) {
      const errors = faultsOfTenancy(this, this.portFaults());
      this.found = { of: this.version, findings: { errors, warnings: warningsOfTenancy(this) } };
    }
    return this.found.findings;
  }

  /** Faults of ports; none while the command that locks them runs, which is given the requests. */
  private portFaults(): readonly PortFault[] {
    const { lock, file, name, hostname, engine } = this.settings;
    const target = portRequestsFile();
    if (target === undefined) {
      return resolvePorts(name, this.requested, lock, this.portRules).faults;
    }
    const hostnames = Array.from({ length: engine.ports.balancers ?? MANY }, (_, i) => balancerHostname(hostname, i));
    writePortRequests(target, {
      shared: name,
      lock: file,
      rules: this.portRules,
      requests: this.requested,
      hostnames: hostname === undefined ? undefined : hostnames,
    });
    return [];
  }

  private get portRules(): PortRules {
    const { conflict, engine, ownPort, remapPorts } = this.settings;
    const runtimeRanges = [...this.tenants.values()].flatMap(({ options }) => options.runtimePorts ?? []);
    return {
      conflict,
      maxPortsPerBalancer: engine.ports.perBalancer,
      maxBalancers: engine.ports.balancers,
      reserved: [ownPort, ...engine.ports.reserved],
      remapRange: remapPorts,
      runtimeRanges,
    };
  }

  private place(asked: SharedAttachment, path: string): PlacedService {
    const { lock, name } = this.settings;
    const entries = asked.ports.map(({ port }) => lock.entry(name, endpointKey(asked.tenant, asked.service, port)));
    return {
      asked,
      path,
      balancer: entries.find((entry) => entry !== undefined)?.balancer ?? 0,
      attached: {
        name: asked.service,
        ports: asked.ports.map((port, i) => ({
          port: entries[i]?.port ?? this.wished(port),
          servicePort: port.port,
          hostnames: port.hostnames,
        })),
        sourceRanges: asked.sourceRanges,
      },
    };
  }

  private requestsOf(asked: SharedAttachment, path: string): PortRequest[] {
    const { tenant, service } = asked;
    return asked.ports.map((port) => ({
      key: endpointKey(tenant, service, port.port),
      group: `${tenant}/${service}`,
      tenant,
      port: this.wished(port),
      path,
      hosts: port.hostnames,
    }));
  }

  private wished({ port, hostnames }: SharedPort): number {
    return hostnames ? this.settings.tlsPort : port;
  }

  private isLocked({ tenant, service }: SharedAttachment, port: number): boolean {
    return this.settings.lock.entry(this.settings.name, endpointKey(tenant, service, port)) !== undefined;
  }

  private endpointsOf({ asked, attached, balancer }: PlacedService): SharedEndpoint[] {
    const { name, hostname } = this.settings;
    return attached.ports.map(({ port, servicePort, hostnames }) => ({
      tenant: asked.tenant,
      service: asked.service,
      servicePort,
      port,
      balancer: balancerName(name, balancer),
      hostname: hostnames?.[0] ?? balancerHostname(hostname, balancer),
    }));
  }
}

function only(port: number): PortRange {
  return { first: port, last: port };
}

/** Balancers whose names the command shows before they exist. */
const MANY = 20;

function exemptIn({ platform = [], isolationPolicies }: TenancySettings): ReadonlyMap<string, TenancyIdentity> {
  const exempt = isolationPolicies ? [...platform, ...TenancyIdentity.knownControllers()] : platform;
  return new Map(
    [...exempt].reverse().flatMap((identity) => exemptNamespaces([identity]).map((name) => [name, identity] as const)),
  );
}

function mustBeTenant(
  name: string,
  { path, namespace }: TenancySettings,
  exempt: ReadonlyMap<string, TenancyIdentity>,
): void {
  const fault = dnsLabelFault(name);
  if (fault) {
    throw refusal(path, faultOf(SHARED['tenant-name-invalid'], { fault }));
  }
  const who = exempt.get(name);
  if (name === namespace || who) {
    const whose = who
      ? `the namespace of ${who.username}, which is exempt from the policies`
      : 'the namespace of the balancer itself';
    const what = `namespace '${name}' is ${whose}`;
    throw refusal(path, faultOf(SHARED['tenant-namespace-reserved'], { what }));
  }
}

export function makeIsolationPolicies(
  host: Construct,
  props: SharedLoadBalancerProps,
  engine: SharedEngine,
  namespaceLabels: { [key: string]: string },
  gateways: readonly Attachment['balancer'][],
): SharedListenerPolicy | undefined {
  if (props.isolationPolicies === false) {
    return undefined;
  }
  const name = props.name ?? 'shared';
  const kubernetes = props.kubernetes ?? DEFAULT_KUBERNETES;
  makeLabelPolicy(host, name, namespaceLabels, kubernetes);
  if (!engine.publishing.throughGateway) {
    return undefined;
  }
  engine.isolation.makePolicies(host, { name, namespaceLabels, kubernetes });
  const exempt = [...(props.platform ?? []), ...TenancyIdentity.knownControllers()];
  if (engine.limits.powers.hostnames) {
    makeTlsRoutePolicies(host, {
      name: `${name}-listeners`,
      namespaceSelector: namespaceSelector(host, namespaceLabels),
      exempt: [...exempt, ...deletingIdentities()],
      reserved: props.platform !== undefined,
    });
  }
  return new SharedListenerPolicy(host, 'IsolationPolicies', {
    name: `${name}-listeners`,
    namespaceLabels,
    gateways: gateways.map(asReference),
    ports: TenantPorts.perNamespace(),
    sharedTlsPorts: engine.limits.powers.hostnames ? [props.tlsPort ?? TLS_PORT] : undefined,
    hostnames: engine.limits.powers.hostnames ? {} : undefined,
    protocols: engine.limits.powers.hostnames ? ['TCP', 'TLS'] : ['TCP'],
    httpRoutes: engine.isolation.httpRoutes,
    // kinds of the platform are reserved if it is known who that is
    guardedKinds: props.platform ? [...engine.isolation.dangerous, ...attachmentKinds(engine)] : [],
    exempt,
    kubernetes: props.kubernetes,
  });
}

/**
 * Kinds of attachments: by a ListenerSet of its own a tenant would escape the limits of the one that it was given. TLSRoutes
 * have policies of their own with an engine that routes by SNI, since operators make them.
 */
function attachmentKinds({ limits: { powers } }: SharedEngine): GuardedKind[] {
  const resources = ['listenersets', 'tcproutes', 'udproutes', ...(powers.hostnames ? [] : ['tlsroutes'])];
  return resources.map((resource) => ({ group: GATEWAY_API.group, resource }));
}

export const TLS_PORT = 443;

export function grantOwn(
  policies: SharedListenerPolicy | undefined,
  tenant: string,
  { domain, ports, gateway }: { domain?: string; ports?: PortRange[]; gateway?: Attachment['balancer'] },
): void {
  if (ports && ports.length > 0) {
    policies?.grantPorts(tenant, ports, gateway && [asReference(gateway)]);
  }
  if (domain !== undefined) {
    policies?.grantHostnames(tenant, [`*.${domain}`]);
  }
}

function asReference({ name, namespace = 'default' }: Attachment['balancer']): SharedGatewayReference {
  return { name, namespace };
}

export function isolationFindings(host: Construct, registry: TenancyRegistry): TenancyFindings {
  const { errors, warnings } = registry.findings();
  return { errors: [...errors, ...faultsOfIsolation(host, registry)], warnings };
}

/**
 * Isolating objects that were removed or patched: policies with their bindings, the balancers, and what tenants have at
 * them. Of the latter there may be thousands, so only patched ones are rendered.
 */
function faultsOfIsolation(host: IConstruct, { settings, tenants }: TenancyRegistry): LoadBalancerFinding[] {
  const { oneTeam, engine } = settings;
  if (oneTeam) {
    return [];
  }
  const isolating = isolatingObjectsIn(host).flatMap(({ object, weaknessOf }) => {
    const title = `${object.kind} ${object.name} (${object.node.path})`;
    const weakness = () => weaknessOf(currentJson(object));
    return changed(object, isPatched(object), title, 'which keeps tenants apart', weakness);
  });
  const published = [...tenants.values()].flatMap((tenant) =>
    tenant.objects.flatMap((object) => {
      const title = `${object.kind} ${tenant.name}/${object.name} (${object.node.path})`;
      const weakness = () => weaknessOf(object, tenant, engine.isolation.weaknessOf);
      return changed(object, object.isPatched, title, `with which tenant ${tenant.name} is published`, weakness);
    }),
  );
  return findingsOfFaults([...isolating, ...published], engine.name);
}

function changed(
  object: ApiObject,
  isPatchedNow: boolean,
  title: string,
  which: string,
  weaknessNow: () => string | undefined,
): Fault[] {
  if (!isWritten(object)) {
    return [faultOf(SHARED['isolation-removed'], { title: `${title}, ${which},` })];
  }
  const weakness = isPatchedNow ? weaknessNow() : undefined;
  return weakness === undefined ? [] : [faultOf(SHARED['isolation-weakened'], { title, weakness })];
}

/** Patched objects, by the state that cdk8s keeps of patches. Policies name every tenant: unpatched ones are not rendered again. */
function isPatched(object: ApiObject): boolean {
  const { patches } = object as unknown as { readonly patches?: readonly unknown[] };
  return patches?.length !== 0;
}

/** A published object holds what its tenant has; it may hold more if that reaches no other tenant. */
function weaknessOf(
  object: PublishedObject,
  tenant: AttachedTenant,
  weakness: EngineIsolation['weaknessOf'],
): string | undefined {
  const found = currentJson(object);
  const { metadata, ...content } = object.content();
  const made = { ...content, metadata: { name: metadata.name, namespace: tenant.name } };
  return changeOf(made, found, true) ?? weakness(found);
}

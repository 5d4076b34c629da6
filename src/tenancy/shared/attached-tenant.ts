import { ApiObject, App, type JsonPatch, Lazy, SizeRoundingBehavior } from 'cdk8s';
import type { Construct } from 'constructs';
import type { Json } from '../../contract/json';
import { SynthWatch } from '../../rules/synth-watch';
import { plainJson, writesPlainDataAsItIs } from '../../services/plain-rendering';
import type { SharedEngine } from '../engines/contract/engine';
import type { AttachedService, Attachment, Document } from '../engines/contract/publishing';
import type { PortRange } from '../ports/options';
import type { SharedAttachment, SharedTenantOptions } from './options';

/** Reporting is not the engine's task; the path of the construct is in front of it. */
export const REPORTER = 'SharedLoadBalancer';

export function balancerName(name: string, balancer: number): string {
  return balancer === 0 ? name : `${name}-${balancer + 1}`;
}

/** The DNS name of a balancer: a number behind the first label, so that all stay in one zone. */
export function balancerHostname(hostname: string | undefined, balancer: number): string | undefined {
  if (hostname === undefined || balancer === 0) {
    return hostname;
  }
  const [first, ...zone] = hostname.split('.');
  return [`${first}-${balancer + 1}`, ...zone].join('.');
}

export function endpointKey(tenant: string, service: string, port: number): string {
  return `${tenant}/${service}:${port}`;
}

export function balancersOf(
  { balancerName: name, namespace }: { readonly balancerName: string; readonly namespace: string },
  balancers: number,
): { readonly name: string; readonly namespace: string }[] {
  return Array.from({ length: balancers }, (_, i) => ({ name: balancerName(name, i), namespace }));
}

type BalancerName = Attachment['balancer'];

export interface PlacedService {
  readonly asked: SharedAttachment;
  readonly path: string;
  readonly balancer: number;
  readonly attached: AttachedService;
}

export class AttachedTenant {
  public readonly services: PlacedService[] = [];
  public readonly objects: PublishedObject[] = [];
  private readonly made = new Map<number, { readonly of: number; readonly documents: Map<string, Document> }>();

  public constructor(
    public readonly name: string,
    public readonly options: SharedTenantOptions,
    public readonly path: string,
    public readonly domain: string | undefined,
    private readonly engine: SharedEngine,
  ) {}

  /** The ports that are the tenant's alone; those it shares by host name count as one. */
  public get portCount(): number {
    const ports = this.services.flatMap(({ balancer, attached }) =>
      attached.ports.map(({ port, servicePort, hostnames }) =>
        hostnames ? `${balancer}:${port}` : `${balancer}:${attached.name}:${servicePort}`,
      ),
    );
    return new Set(ports).size;
  }

  /**
   * Counters that the engine has for it in each replica. Where each port has one, so has each that Services may get at run
   * time; who shares a port by host name is counted by itself.
   */
  public get counters(): number {
    const ports = this.services.reduce((sum, { attached }) => sum + attached.ports.length, 0);
    return this.engine.limits.perPort ? Math.max(1, ports + sizeOf(this.options.runtimePorts)) : 1;
  }

  /** Connections for each counter that the engine has; 0 where the limit is too small to be divided. */
  public get dividedConnections(): number | undefined {
    return this.divided(this.options.maxConnections);
  }

  public get dividedBandwidth(): number | undefined {
    return this.divided(this.options.bandwidth?.toKibibytes({ rounding: SizeRoundingBehavior.NONE }), 1024);
  }

  public attachmentAt(balancer: BalancerName, services: readonly PlacedService[]): Attachment {
    return {
      name: balancer.name,
      namespace: this.name,
      balancer,
      domain: this.domain,
      services: services.map(({ attached }) => attached),
      connections: this.dividedConnections,
      bytesPerSecond: this.dividedBandwidth,
    };
  }

  public documentsOf(balancer: BalancerName, services: readonly PlacedService[]): Document[] {
    return this.engine.publishing.publish(this.attachmentAt(balancer, services));
  }

  /** The documents for a service that was attached just now, kept where it is the only one at its balancer. */
  public newDocuments(balancer: BalancerName, service: PlacedService): Document[] {
    const documents = this.documentsOf(balancer, [service]);
    if (this.servicesAt(service.balancer).length === 1) {
      this.keep(service.balancer, documents);
    }
    return documents;
  }

  public servicesAt(balancer: number): PlacedService[] {
    return this.services.filter((service) => service.balancer === balancer);
  }

  public document(number: number, balancer: BalancerName, key: string): Document {
    const kept = this.made.get(number);
    const made =
      kept?.of === this.services.length ? kept : this.keep(number, this.documentsOf(balancer, this.servicesAt(number)));
    return made.documents.get(key) ?? {};
  }

  private keep(number: number, documents: readonly Document[]) {
    const byKey = new Map(documents.map((document) => [documentKey(document), document] as const));
    const made = { of: this.services.length, documents: byKey };
    this.made.set(number, made);
    return made;
  }

  private divided(limit: number | undefined, unit = 1): number | undefined {
    return limit === undefined ? undefined : Math.floor((limit * unit) / (this.engine.limits.replicas * this.counters));
  }
}

function documentKey({ kind, metadata }: Document): string {
  return `${kind}/${metadata.name}`;
}

function sizeOf(range: PortRange | undefined): number {
  return range ? range.last - range.first + 1 : 0;
}

/**
 * Makes the objects that publish a Service, as far as they do not exist yet: what holds all ports of a tenant is made
 * with its first Service. Their content is lazy, since later Services add to it.
 */
export function publishObjects(
  scope: Construct,
  tenant: AttachedTenant,
  balancer: BalancerName,
  service: PlacedService,
  known: Set<string>,
): void {
  for (const document of tenant.newDocuments(balancer, service)) {
    const key = documentKey(document);
    const place = `${tenant.name} ${service.balancer} ${key}`;
    if (!known.has(place)) {
      known.add(place);
      const content = () => tenant.document(service.balancer, balancer, key);
      tenant.objects.push(new PublishedObject(scope, `${balancer.name}-${key.replace('/', '-')}`, document, content));
    }
  }
}

/** An object whose content is made by others. Large apps have thousands of them: plain data is not resolved for nothing. */
export class PublishedObject extends ApiObject {
  public isPatched = false;

  public constructor(
    scope: Construct,
    id: string,
    document: Document,
    public readonly content: () => Document,
  ) {
    const { apiVersion, kind, metadata, ...fields } = document;
    const lazy = Object.keys(fields).map((field) => [field, Lazy.any({ produce: () => content()[field] })]);
    super(scope, id, { apiVersion, kind, metadata, ...Object.fromEntries(lazy) });
    SynthWatch.of(this).own(this);
  }

  // biome-ignore lint/suspicious/noExplicitAny: the signature of cdk8s
  public override toJson(): any {
    const json = !this.isPatched && writesPlainDataAsItIs(App.of(this)) ? plainJson(this.content()) : undefined;
    return json === undefined ? super.toJson() : this.ordered(json);
  }

  public override addJsonPatch(...ops: JsonPatch[]): void {
    this.isPatched = true;
    super.addJsonPatch(...ops);
  }

  private ordered({ apiVersion, kind, metadata: _, ...fields }: Json): Json {
    return { apiVersion, kind, metadata: this.metadata.toJson(), ...fields };
  }
}

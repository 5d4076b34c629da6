import { ApiObject, App, type JsonPatch, Lazy, SizeRoundingBehavior } from 'cdk8s';
import type { Construct } from 'constructs';
import type { Json } from '../../contract/json';
import { SynthWatch } from '../../rules/synth-watch';
import { plainJson, writesPlainDataAsItIs } from '../../services/plain-rendering';
import type { AttachedService, Attachment, Document, Publisher } from '../engines/contract/attachment';
import type { PortRange } from '../ports/ports.options';
import type { SharedAttachment, SharedTenantOptions } from './shared-load-balancer.options';

/** A Service of a tenant with where its ports are. */
export interface PlacedService {
  readonly asked: SharedAttachment;
  /** The path of the construct that asked. */
  readonly path: string;
  readonly balancer: number;
  readonly attached: AttachedService;
}

/** By what a tenant's limits are divided. */
interface LimitDivision {
  readonly replicas: number;
  readonly byPort: boolean;
}

/** A tenant of a shared balancer, and everything that it has attached. */
export class AttachedTenant {
  public readonly services: PlacedService[] = [];
  /** What was made of them, in the charts of the tenant. */
  public readonly objects: PublishedObject[] = [];
  private readonly made = new Map<number, { readonly of: number; readonly documents: Map<string, Document> }>();

  public constructor(
    public readonly name: string,
    public readonly options: SharedTenantOptions,
    /** The path of the construct that added it. */
    public readonly path: string,
    public readonly domain: string | undefined,
    private readonly division: LimitDivision,
    private readonly publish: Publisher,
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
    return this.division.byPort ? Math.max(1, ports + sizeOf(this.options.runtimePorts)) : 1;
  }

  /** Connections for each counter that the engine has; 0 where the limit is too small to be divided. */
  public get dividedConnections(): number | undefined {
    return this.divided(this.options.maxConnections);
  }

  /** Bytes a second for each counter that the engine has. */
  public get dividedBandwidth(): number | undefined {
    return this.divided(this.options.bandwidth?.toKibibytes({ rounding: SizeRoundingBehavior.NONE }), 1024);
  }

  /** What it publishes at a balancer: some of its services, or all that are there. */
  public attachmentAt(balancer: { name: string; namespace?: string }, services: readonly PlacedService[]): Attachment {
    const { connections, bytesPerSecond } = this.limits;
    return {
      name: balancer.name,
      namespace: this.name,
      balancer,
      domain: this.domain,
      services: services.map(({ attached }) => attached),
      connections,
      bytesPerSecond,
    };
  }

  /** The documents that publish some of its services. */
  public documentsOf(balancer: { name: string; namespace?: string }, services: readonly PlacedService[]): Document[] {
    return this.publish(this.attachmentAt(balancer, services));
  }

  /** The services at one balancer. */
  public servicesAt(balancer: number): PlacedService[] {
    return this.services.filter((service) => service.balancer === balancer);
  }

  /** A document as it is now, everything attached counted in. */
  public document(number: number, balancer: { name: string; namespace?: string }, key: string): Document {
    let made = this.made.get(number);
    if (made?.of !== this.services.length) {
      const documents = this.documentsOf(balancer, this.servicesAt(number)).map(
        (document) => [documentKey(document), document] as const,
      );
      made = { of: this.services.length, documents: new Map(documents) };
      this.made.set(number, made);
    }
    return made.documents.get(key) ?? {};
  }

  private get limits(): { readonly connections?: number; readonly bytesPerSecond?: number } {
    return { connections: this.dividedConnections, bytesPerSecond: this.dividedBandwidth };
  }

  private divided(limit: number | undefined, unit = 1): number | undefined {
    if (limit === undefined) {
      return undefined;
    }
    return Math.floor((limit * unit) / (this.division.replicas * this.counters));
  }
}

/** What tells a document from the others of one tenant. */
function documentKey({ kind, metadata }: Document): string {
  return `${kind}/${metadata.name}`;
}

function sizeOf(range: PortRange | undefined): number {
  return range ? range.last - range.first + 1 : 0;
}

/** The balancer that objects publish something at. */
interface PublishingBalancer {
  readonly name: string;
  readonly namespace?: string;
}

/**
 * Makes the objects that publish a Service, as far as they do not exist yet: what holds all ports of a tenant is made
 * with its first Service. Their content is lazy, since later Services add to it.
 */
export function publishObjects(
  scope: Construct,
  tenant: AttachedTenant,
  balancer: PublishingBalancer,
  service: PlacedService,
  known: Set<string>,
): void {
  for (const document of tenant.documentsOf(balancer, [service])) {
    const key = documentKey(document);
    if (!known.has(key)) {
      known.add(key);
      const content = () => tenant.document(service.balancer, balancer, key);
      tenant.objects.push(new PublishedObject(scope, `${balancer.name}-${key.replace('/', '-')}`, document, content));
    }
  }
}

/** An object whose content is made by others. Large apps have thousands of them: plain data is not resolved for nothing. */
export class PublishedObject extends ApiObject {
  private patched = false;

  public constructor(
    scope: Construct,
    id: string,
    document: Document,
    private readonly content: () => Document,
  ) {
    const { apiVersion, kind, metadata, ...fields } = document;
    const lazy = Object.keys(fields).map((field) => [field, Lazy.any({ produce: () => content()[field] })]);
    super(scope, id, { apiVersion, kind, metadata, ...Object.fromEntries(lazy) });
    SynthWatch.of(this).own(this);
  }

  /** What it was made with, before any patch. */
  public get made(): Document {
    return this.content();
  }

  public get isPatched(): boolean {
    return this.patched;
  }

  // biome-ignore lint/suspicious/noExplicitAny: the signature of cdk8s
  public override toJson(): any {
    const json = !this.patched && writesPlainDataAsItIs(App.of(this)) ? plainJson(this.content()) : undefined;
    return json === undefined ? super.toJson() : this.ordered(json);
  }

  public override addJsonPatch(...ops: JsonPatch[]): void {
    this.patched = true;
    super.addJsonPatch(...ops);
  }

  /** As cdk8s orders the fields of an object. */
  private ordered({ apiVersion, kind, metadata: _, ...fields }: Json): Json {
    return { apiVersion, kind, metadata: this.metadata.toJson(), ...fields };
  }
}

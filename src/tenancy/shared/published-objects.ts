import { ApiObject, App, type JsonPatch, Lazy } from 'cdk8s';
import type { Construct } from 'constructs';
import type { Json } from '../../contract/json';
import { SynthWatch } from '../../rules/synth-watch';
import { plainJson, writesPlainDataAsItIs } from '../../services/plain-rendering';
import type { Document } from '../attachment/attachment';
import { type AttachedTenant, documentKey, type PlacedService } from './attached-tenant';

/** The balancer that objects publish something at. */
export interface PublishingBalancer {
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

import { isMap, type Json, list, mapIn, mapOf, mapOfJson, mapsIn, objectIdOf, pointer } from '../contract/json';
import { LAST_APPLIED_ANNOTATION } from '../contract/kubernetes.facts';
import type { LoadBalancerScheme } from '../contract/options';

export interface SchemeReading {
  /** Nothing where the object does not decide it. */
  readonly scheme?: LoadBalancerScheme;
  /** True if the Service says it; else a default decides. */
  readonly isSet?: boolean;
  readonly because: string;
}

// View of rules on a finished Service. Third-party manifests may hold anything anywhere: these never throw.

/** The annotations whose values are text, as the API server demands. */
export function annotationsOf(object: Json): Record<string, string> {
  return isMap(object.metadata?.annotations) ? object.metadata.annotations : {};
}

export function labelsOf(object: Json): Record<string, string> {
  return isMap(object.metadata?.labels) ? object.metadata.labels : {};
}

export function finalizersOf(object: Json): string[] {
  return list(object.metadata?.finalizers);
}

export function portsOf(service: Json): Json[] {
  const ports = list<Json>(service.spec?.ports);
  return ports.every(isMap) ? ports : (ports as unknown[]).filter(isMap);
}

export function finalizerAt(object: Json, finalizer: string): string {
  return `/metadata/finalizers/${finalizersOf(object).indexOf(finalizer)}`;
}

export const annotationAt = (key: string) => pointer('/metadata/annotations', key);

/** JSON pointer to a source range in the spec; undefined if it is in an annotation. */
export function rangeAt(service: Json, range: string): string | undefined {
  const i = list<unknown>(service.spec?.loadBalancerSourceRanges).map(String).indexOf(range);
  return i < 0 ? undefined : `/spec/loadBalancerSourceRanges/${i}`;
}

/** JSON pointer to a field of the last port that a predicate accepts. */
export function portAt(service: Json, field: string, isIt: (port: Json) => boolean): string {
  return `/spec/ports/${list<Json>(service.spec?.ports)
    .map((port) => isMap(port) && isIt(port))
    .lastIndexOf(true)}/${field}`;
}

export function classOf(service: Json): string | undefined {
  return service.spec?.loadBalancerClass ?? undefined;
}

export function isService(object: Json): boolean {
  return object.kind === 'Service' && object.apiVersion === 'v1';
}

export function wantsLoadBalancer(object: Json): boolean {
  return isService(object) && object.spec?.type === 'LoadBalancer';
}

export function isLocal(service: Json): boolean {
  return service.spec?.externalTrafficPolicy === 'Local';
}

/**
 * Gives Services that older manifests have without a class a UID, as a live Service has one: no webhook gives them a
 * class any more. One sees the creation of a Service alone, and passes over a Service that asks for no load balancer.
 */
export function updatesOf(older: readonly Json[]): (service: Json) => Json {
  const isWithoutClass = (one: Json) =>
    classOf(one) === undefined && (mapIn(one, 'metadata').uid !== undefined || !wantsLoadBalancer(one));
  const ids = new Set(older.filter((one) => isService(one) && isWithoutClass(one)).map(objectIdOf));
  return (service) =>
    ids.has(objectIdOf(service)) ? { ...service, metadata: { uid: '', ...service.metadata } } : service;
}

/** Evidence of the writer of a field: what kubectl applied last, and the managers that applied. */
export class Applied {
  private readonly last?: Json;
  private readonly managed?: readonly Json[];

  public constructor(object: Json) {
    const text: unknown = annotationsOf(object)[LAST_APPLIED_ANNOTATION];
    this.last = mapOfJson(text);
    const managed = mapIn(object, 'metadata').managedFields;
    const applied = Array.isArray(managed) ? mapsIn(mapIn(object, 'metadata'), 'managedFields').filter(isApplied) : [];
    this.managed = applied.length > 0 ? applied : undefined;
  }

  public get isKnown(): boolean {
    return this.last !== undefined || this.managed !== undefined;
  }

  public hasInSpec(field: string): boolean {
    return (
      mapIn(this.last, 'spec')[field] !== undefined ||
      (this.managed ?? []).some(({ fieldsV1 }) => `f:${field}` in mapIn(fieldsV1, 'f:spec'))
    );
  }

  public hasAnnotation(key: string): boolean {
    return (
      annotationsOf(this.last ?? {})[key] !== undefined ||
      (this.managed ?? []).some(({ fieldsV1 }) => `f:${key}` in mapIn(mapIn(fieldsV1, 'f:metadata'), 'f:annotations'))
    );
  }

  public hasFinalizer(finalizer: string): boolean {
    return (
      list<unknown>(mapIn(this.last, 'metadata').finalizers).includes(finalizer) ||
      (this.managed ?? []).some(
        ({ fieldsV1 }) => `v:${JSON.stringify(finalizer)}` in mapIn(mapIn(fieldsV1, 'f:metadata'), 'f:finalizers'),
      )
    );
  }
}

/**
 * kubectl and Helm have names of their own for what they apply without the server; what a controller updates is no
 * manifest's. helm/helm v3.19.0, pkg/kube/client.go, getManagedFieldsManager
 */
function isApplied({ manager, operation, subresource }: Json): boolean {
  return !subresource && (operation === 'Apply' || /^(kubectl($|-)|helm$)/.test(String(manager)));
}

/**
 * True if a controller has written something on an object of a cluster: the object has what the API server gives it,
 * and nothing shows that a manifest has it.
 * @param inManifest whether a manifest had it, as far as the object shows that
 */
export function isOfController(object: Json, inManifest: (applied: Applied) => boolean): boolean {
  return typeof mapIn(object, 'metadata').uid === 'string' && !inManifest(new Applied(object));
}

/**
 * Changes by a balancer of the connections of a port, or of the pods behind it, that not every server understands:
 * - `proxy-protocol`: it sends a header before the first byte of the client
 * - `terminates-tls`: it ends the TLS of the client
 * - `encrypts-again`: it speaks TLS of its own to the pods, where it ends that of the client
 * - `speaks-http`: it takes what the client sends for HTTP
 * - `checks-by-http`: it asks the port itself by HTTP whether a target is healthy
 */
export type Handling = 'proxy-protocol' | 'terminates-tls' | 'encrypts-again' | 'speaks-http' | 'checks-by-http';

/** Handling of a port of a finished Service, and its evidence. */
export interface PortHandling {
  readonly port: number;
  readonly does: Handling;
  readonly annotation: string;
  readonly text: string;
}

export function portHandling(service: Json, port: unknown, does: Handling, annotation: string): PortHandling {
  return { port: Number(port), does, annotation, text: String(annotationsOf(service)[annotation]) };
}

/** Findings in the entries of a map, without an array if there are none. */
export function eachEntry<T>(map: unknown, look: (key: string, value: unknown) => T | undefined): T[] | undefined {
  let found: T[] | undefined;
  for (const key in mapOf(map)) {
    const one = look(key, (map as Json)[key]);
    if (one) {
      found ??= [];
      found.push(one);
    }
  }
  return found;
}

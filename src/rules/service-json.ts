import { isMap, type Json, list, mapIn, objectIdOf } from '../contract/json';
import type { LoadBalancerScheme } from '../contract/options';

/** Who can reach the balancer of a finished Service. */
export interface SchemeReading {
  /** Nothing where the object does not decide it. */
  readonly scheme?: LoadBalancerScheme;
  /** Whether the Service says it; else a default decides. */
  readonly isSet?: boolean;
  /** What decides it, in one clause. */
  readonly because: string;
}

// How rules look at a finished Service. Third-party manifests may hold anything anywhere: these never throw.

/** The annotations whose values are text, as the API server demands. */
export function annotationsOf(object: Json): Record<string, string> {
  return isMap(object.metadata?.annotations) ? object.metadata.annotations : {};
}

export function finalizersOf(object: Json): string[] {
  return list(object.metadata?.finalizers);
}

/** The ports, each an object. */
export function portsOf(service: Json): Json[] {
  const ports = list<Json>(service.spec?.ports);
  return ports.every(isMap) ? ports : (ports as unknown[]).filter(isMap);
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

/** `externalTrafficPolicy: Local`. */
export function isLocal(service: Json): boolean {
  return service.spec?.externalTrafficPolicy === 'Local';
}

/**
 * Gives Services that older manifests have without a class a UID, as a live Service has one: no webhook gives them a class any
 * more. One sees the creation of a Service alone, and passes over a Service that asks for no load balancer.
 */
export function updatesOf(older: readonly Json[]): (service: Json) => Json {
  const isWithoutClass = (one: Json) =>
    classOf(one) === undefined && (mapIn(one, 'metadata').uid !== undefined || !wantsLoadBalancer(one));
  const ids = new Set(older.filter((one) => isService(one) && isWithoutClass(one)).map(objectIdOf));
  return (service) =>
    ids.has(objectIdOf(service)) ? { ...service, metadata: { uid: '', ...service.metadata } } : service;
}

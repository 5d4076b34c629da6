// What is published at a shared balancer, and what publishes it: plain data in, documents out. The same functions run at
// synth and, bundled, where Services are created at run time; they know no construct.

/** A Kubernetes object as a document. */
// biome-ignore lint/suspicious/noExplicitAny: manifests are trees of unknown shape
export type Document = Record<string, any>;

/** A port of a Service, at the shared address. */
export interface AttachedPort {
  /** The port at the shared address. */
  readonly port: number;
  /** The port of the Service. */
  readonly servicePort: number;
  /** The names of the server that TLS clients ask for; without them the whole port is the Service's. */
  readonly hostnames?: readonly string[];
}

/** A Service of a tenant. */
export interface AttachedService {
  readonly name: string;
  readonly ports: readonly AttachedPort[];
  /** The clients that may connect, as CIDRs; all without. */
  readonly sourceRanges?: readonly string[];
}

/** What one tenant publishes at one balancer. */
export interface Attachment {
  /** The name of what holds the ports, a ListenerSet for instance. */
  readonly name: string;
  readonly namespace: string;
  /** The balancer. */
  readonly balancer: { readonly name: string; readonly namespace?: string };
  /** Whether each host name has a listener of its own, where several objects of one tenant share a port; one for its domain without. */
  readonly listenersByName?: boolean;
  /** The domain of the tenant's host names. */
  readonly domain?: string;
  readonly services: readonly AttachedService[];
  /** Connections for each counter that the engine keeps: of a port or of the tenant, in each replica. */
  readonly connections?: number;
  /** Bytes a second for each counter that the engine keeps, in each direction. */
  readonly bytesPerSecond?: number;
}

/** Makes the documents that publish an attachment. */
export type Publisher = (attachment: Attachment) => Document[];

/** The name of what leads one port of a Service: the same for as long as Service and port are. */
export function routeName(service: AttachedService, port: AttachedPort): string {
  return `${service.name}-${port.servicePort}`;
}

/** The numbers, each once, in their order. */
export function distinct(numbers: readonly number[]): number[] {
  return [...new Set(numbers)].sort((one, other) => one - other);
}

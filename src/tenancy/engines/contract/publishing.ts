// Documents that publish ports at a shared balancer: plain data in, documents out. The same functions run at
// synth and, bundled, where Services are created at run time; they know no construct.

// biome-ignore lint/suspicious/noExplicitAny: manifests are trees of unknown shape
export type Document = Record<string, any>;

export interface AttachedPort {
  readonly port: number;
  readonly servicePort: number;
  /** The names of the server that TLS clients ask for; without them the whole port is the Service's. */
  readonly hostnames?: readonly string[];
}

export interface AttachedService {
  readonly name: string;
  readonly ports: readonly AttachedPort[];
  /** The clients that may connect, as CIDRs; all without. */
  readonly sourceRanges?: readonly string[];
}

export interface Attachment {
  readonly name: string;
  readonly namespace: string;
  readonly balancer: { readonly name: string; readonly namespace?: string };
  /** True if each host name has a listener of its own, where several objects of one tenant share a port; one for its domain without. */
  readonly listenersByName?: boolean;
  readonly domain?: string;
  readonly services: readonly AttachedService[];
  /** Connections for each counter that the engine keeps: of a port or of the tenant, in each replica. */
  readonly connections?: number;
  readonly bytesPerSecond?: number;
}

export type Publisher = (attachment: Attachment) => Document[];

/** The name of what leads one port of a Service: the same for as long as Service and port are. */
export function routeName(service: AttachedService, port: AttachedPort): string {
  return `${service.name}-${port.servicePort}`;
}

export function sortedUnique(numbers: readonly number[]): number[] {
  return [...new Set(numbers)].sort((one, other) => one - other);
}

export interface PublishedKind {
  readonly apiVersion: string;
  readonly kind: string;
  readonly resource: string;
}

interface BalancerName {
  readonly name: string;
  readonly namespace: string;
}

export interface PublishedPort {
  readonly balancer: Document | undefined;
  readonly holder: Document | undefined;
  readonly route: Document | undefined;
  readonly port: number;
  readonly byHost: boolean;
}

export interface ObservedPort extends Omit<PublishedPort, 'balancer'> {
  readonly at: string;
}

export interface PortHolderKind {
  readonly kind: string;
  isAt(object: Document, balancer: BalancerName, settings: Readonly<Record<string, unknown>>): boolean;
  /** The ports of an object, each as often as it is asked for. */
  portsOf(object: Document): number[];
  /** Ports of a Service at the shared address, by the Service's own. */
  heldBy(object: Document | undefined, routes: readonly Document[]): Record<number, number>;
  find(
    service: string,
    servicePort: number,
    among: { readonly holders: readonly Document[]; readonly routes: readonly Document[] },
    balancers: readonly BalancerName[],
  ): ObservedPort | undefined;
}

/** Documents that publish Services that are created at run time: pure, since it is bundled with the hook. */
export interface RuntimePublisher {
  readonly publish: (attachment: Attachment, settings: Readonly<Record<string, unknown>>) => Document[];
  readonly kinds: readonly PublishedKind[];
  readonly kindsByHost?: readonly PublishedKind[];
  readonly balancer: PublishedKind;
  readonly holder: PortHolderKind;
  /** True if its controller says when two want one port; if not, the ports of all tenants are watched. */
  readonly tellsConflicts: boolean;
  /** True if its controller says of each port whether it is served; if not, one that is written counts as served. */
  readonly reportsPorts: boolean;
  readonly isIpv4Alone?: boolean;
  isConflicted(port: PublishedPort): boolean;
  pending(port: PublishedPort): string | undefined;
}

// Readings of the connections of tenants from proxies: metrics in the text format of Prometheus in, readings by tenant out. Plain
// functions, bundled into the program that reads them at run time.

export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Counters of a reading: connections are there now; of the rest there is more and more. */
export type TrafficCounter = 'connections' | 'bytesIn' | 'bytesOut' | 'limited' | 'refused';

export interface Reading {
  readonly tenant: string;
  readonly counted: TrafficCounter;
  readonly value: number;
  /** The series that it is of: the same for as long as the proxy runs. */
  readonly of: string;
  readonly service?: string;
  readonly port?: number;
}

export interface PortOwner {
  readonly tenant: string;
  readonly service?: string;
}

export interface KnownTenants {
  ownerOf(port: number): PortOwner | undefined;
  isTenant(namespace: string): boolean;
  /** True if what is refused to a tenant can only be beyond its limit: it has one, and all clients may connect. */
  isLimitedAlone(namespace: string): boolean;
}

export interface StatisticsReader {
  readonly port: number;
  readonly path: string;
  read(samples: readonly Sample[], tenants: KnownTenants): Reading[];
}

import type { Attachment, Document } from './attachment';

/** A kind of object that a publisher makes. */
export interface PublishedKind {
  readonly apiVersion: string;
  readonly kind: string;
  readonly resource: string;
}

/** The name and namespace of a balancer. */
interface BalancerName {
  readonly name: string;
  readonly namespace: string;
}

/** What the cluster has of one port of a Service. */
export interface PublishedPort {
  /** The object that is the balancer. */
  readonly balancer: Document | undefined;
  /** What holds the port. */
  readonly holder: Document | undefined;
  readonly route: Document | undefined;
  /** The port at the shared address. */
  readonly port: number;
  /** Whether it is shared by host name. */
  readonly byHost: boolean;
}

/** A port that the platform publishes for a Service, and where. */
export interface FoundPort extends Omit<PublishedPort, 'balancer'> {
  /** The name of its balancer. */
  readonly at: string;
}

/** How objects say who has which port. */
export interface PortHolderKind {
  readonly kind: string;
  /** Whether an object has ports of a balancer. */
  isAt(object: Document, balancer: BalancerName, settings: Readonly<Record<string, unknown>>): boolean;
  /** The ports of an object, each as often as it is asked for. */
  portsOf(object: Document): number[];
  /** Of what was made for a Service: the port at the shared address, by the Service's own. */
  heldBy(object: Document | undefined, routes: readonly Document[]): Record<number, number>;
  /** Where the platform publishes a port of a Service, among the objects of its namespace. */
  find(
    service: string,
    servicePort: number,
    among: { readonly holders: readonly Document[]; readonly routes: readonly Document[] },
    balancers: readonly BalancerName[],
  ): FoundPort | undefined;
}

/** What publishes Services that are created at run time: pure, since it is bundled with the hook. */
export interface RuntimePublisher {
  readonly publish: (attachment: Attachment, settings: Readonly<Record<string, unknown>>) => Document[];
  readonly kinds: readonly PublishedKind[];
  /** What it makes besides where host names are routed. */
  readonly kindsByHost?: readonly PublishedKind[];
  /** The kind of the balancer itself, which has the address. */
  readonly balancer: PublishedKind;
  readonly holder: PortHolderKind;
  /** Whether its controller says when two want one port; if not, the ports of all tenants are watched. */
  readonly tellsConflicts: boolean;
  /** Whether its controller says of each port whether it is served; if not, one that is written counts as served. */
  readonly reportsPorts: boolean;
  /** Whether a Service with IPv6 stops the whole balancer. */
  readonly isIpv4Alone?: boolean;
  /** Whether its controller says that another has the port. */
  isConflicted(port: PublishedPort): boolean;
  /** Why a port is not served yet; nothing where it is. */
  pending(port: PublishedPort): string | undefined;
}

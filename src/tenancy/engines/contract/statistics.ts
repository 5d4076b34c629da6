// What proxies say of the connections of tenants: metrics in the text format of Prometheus in, readings by tenant out. Plain
// functions, bundled into the program that reads them at run time.

/** One line of metrics. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** What a reading counts: connections are there now; of the rest there is more and more. */
export type Counted = 'connections' | 'bytesIn' | 'bytesOut' | 'limited' | 'refused';

/** What one proxy says of one port or Service of a tenant. */
export interface Reading {
  readonly tenant: string;
  readonly counted: Counted;
  readonly value: number;
  /** The series that it is of: the same for as long as the proxy runs. */
  readonly of: string;
  /** The Service, where the proxy knows it. */
  readonly service?: string;
  /** The port at the shared address, where it is known. */
  readonly port?: number;
}

/** Which tenant has a port at a balancer. */
export interface PortOwner {
  readonly tenant: string;
  /** The Service, where the platform publishes it. */
  readonly service?: string;
}

/** What is known of a balancer and its tenants. */
export interface KnownTenants {
  ownerOf(port: number): PortOwner | undefined;
  isTenant(namespace: string): boolean;
  /** Whether what is refused to a tenant can only be beyond its limit: it has one, and all clients may connect. */
  isLimitedAlone(namespace: string): boolean;
}

/** How the proxies of an engine are read. */
export interface StatisticsReader {
  readonly port: number;
  readonly path: string;
  read(samples: readonly Sample[], tenants: KnownTenants): Reading[];
}

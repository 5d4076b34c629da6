// The content of the configuration file of the program that watches tenants.

/** A balancer whose proxies are read. */
export interface WatchedBalancer {
  readonly name: string;
  /** Where its proxies run, and their labels; none where the engine has no proxies. */
  readonly pods?: { readonly namespace: string; readonly labels: Readonly<Record<string, string>> };
  /** Ports of the lock file there, each with `tenant/service`. */
  readonly ports: Readonly<Record<string, string>>;
}

/** A tenant, and from when on it is at its limit. */
export interface WatchedTenant {
  /** What the platform publishes of it. */
  readonly services: readonly string[];
  /** Ports of Services that are created at run time, at the first balancer. */
  readonly range?: { readonly first: number; readonly last: number };
  /** Connections over all its ports. */
  readonly connections?: number;
  /** Bytes a second in each direction. */
  readonly bytesPerSecond?: number;
  /** Whether some of its Services let in some clients alone. */
  readonly hasSourceRanges?: boolean;
}

/** What is watched. */
export interface WatchConfig {
  /** The shared load balancer, as `namespace/name`. */
  readonly shared: string;
  /** Who is named in events. */
  readonly component: string;
  readonly intervalSeconds: number;
  /** The name of what reads the proxies; none where the engine has none. */
  readonly reader?: string;
  readonly balancers: readonly WatchedBalancer[];
  readonly tenants: Readonly<Record<string, WatchedTenant>>;
  /** The label of namespaces that suspends, with its value. */
  readonly suspension: { readonly label: string; readonly value: string };
  /** A ConfigMap that lists the suspended tenants, where the engine reads them from one. */
  readonly list?: { readonly namespace: string; readonly name: string; readonly key: string };
  /** Whether the ListenerSets of a tenant are touched, where the engine does not notice labels of namespaces by itself. */
  readonly touchesListenerSets?: boolean;
}

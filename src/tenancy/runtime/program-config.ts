// The content of the hook's configuration file.

export type RuntimeConflict = 'FAIL' | 'REMAP';

export interface HookBalancer {
  readonly name: string;
  readonly namespace: string;
  /** The DNS name for tenants; the address of the Gateway without. */
  readonly hostname?: string;
}

export interface HookTenant {
  readonly ports?: { readonly first: number; readonly last: number };
  /** The Services that the platform publishes itself; what they want at run time is a status. */
  readonly published?: readonly string[];
  readonly suspended?: boolean;
  readonly domain?: string;
  readonly connections?: number;
  readonly bytesPerSecond?: number;
}

interface HookKeys {
  readonly endpoints: string;
  readonly condition: string;
  readonly hostnames: string;
  readonly seats: string;
  readonly portConflict: string;
}

export interface HookConfig {
  readonly controller: string;
  readonly loadBalancerClass: string;
  /** The balancers; Services that are created at run time are published at the first. */
  readonly balancers: readonly HookBalancer[];
  readonly publisher: string;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly sourceRanges: boolean;
  /** The port that Services share by host name; none where the engine does not route by it. */
  readonly tlsPort?: number;
  readonly conflict: RuntimeConflict;
  /** Ports that no tenant gets at the first balancer: its own, and those that its engine uses. */
  readonly reserved?: readonly number[];
  /** Number of ports that the first balancer carries, and which of them are kept by the lock file; no limit without. */
  readonly capacity?: { readonly ports: number; readonly locked: readonly number[] };
  /** The Service that has the table of ports which are set aside; without it none are. */
  readonly seats?: { readonly name: string; readonly namespace: string };
  readonly serviceLabels: Readonly<Record<string, string>>;
  readonly tenants: Readonly<Record<string, HookTenant>>;
  /** The labels without which no namespace is let in; none where the Gateway was made elsewhere. */
  readonly namespaceLabels?: Readonly<Record<string, string>>;
  readonly keys: HookKeys;
}

// The content of the configuration file of the program that watches tenants.

export interface WatchedBalancer {
  readonly name: string;
  readonly pods?: { readonly namespace: string; readonly labels: Readonly<Record<string, string>> };
  /** Ports of the lock file there, each with `tenant/service`. */
  readonly ports: Readonly<Record<string, string>>;
}

export interface WatchedTenant {
  readonly services: readonly string[];
  readonly range?: { readonly first: number; readonly last: number };
  readonly connections?: number;
  readonly bytesPerSecond?: number;
  readonly hasSourceRanges?: boolean;
}

export interface WatchConfig {
  readonly shared: string;
  readonly component: string;
  readonly intervalSeconds: number;
  readonly reader?: string;
  readonly balancers: readonly WatchedBalancer[];
  readonly tenants: Readonly<Record<string, WatchedTenant>>;
  readonly suspension: { readonly label: string; readonly value: string };
  /** A ConfigMap that lists the suspended tenants, where the engine reads them from one. */
  readonly list?: { readonly namespace: string; readonly name: string; readonly key: string };
  /** True if the ListenerSets of a tenant are touched, where the engine does not notice labels of namespaces by itself. */
  readonly touchesListenerSets?: boolean;
}

/**
 * Maximum number of objects with ports of a namespace: one for each port that its Services may get at run time, and one of the
 * platform at each balancer. A quota keeps it, and the hook tells it.
 */
export function maxListenerSets(
  { first, last }: { readonly first: number; readonly last: number },
  balancers: number,
): number {
  return last - first + 1 + balancers;
}

// The content of the hook's configuration file.

/** What becomes of a Service whose port another one has. */
export type RuntimeConflict = 'FAIL' | 'REMAP';

/** A balancer that Services may be published at. */
export interface HookBalancer {
  /** The name and namespace of its Gateway. */
  readonly name: string;
  readonly namespace: string;
  /** The DNS name for tenants; the address of the Gateway without. */
  readonly hostname?: string;
}

/** What Services of a namespace may have. */
export interface HookTenant {
  /** The ports of Services that are created at run time; none without. */
  readonly ports?: { readonly first: number; readonly last: number };
  /** The Services that the platform publishes itself; what they want at run time is a status. */
  readonly published?: readonly string[];
  /** Whether everything is withdrawn. */
  readonly suspended?: boolean;
  readonly domain?: string;
  /** Connections for each counter of the engine. */
  readonly connections?: number;
  readonly bytesPerSecond?: number;
}

/** Names that tenants and other programs look for. */
interface HookKeys {
  /** The annotation with the ports. */
  readonly endpoints: string;
  /** The type of the condition. */
  readonly condition: string;
  /** The annotation with the host names of a Service. */
  readonly hostnames: string;
  /** The annotation with the ports that are set aside. */
  readonly seats: string;
  /** The error of a port that another Service has. */
  readonly portConflict: string;
}

/** How Services that are created at run time are published. */
export interface HookConfig {
  /** The name of the controller that calls the hook, which is on everything that it made. */
  readonly controller: string;
  /** The class of Services that are served. */
  readonly loadBalancerClass: string;
  /** The balancers; Services that are created at run time are published at the first. */
  readonly balancers: readonly HookBalancer[];
  /** The name of what makes the documents, and its settings. */
  readonly publisher: string;
  readonly settings: Readonly<Record<string, unknown>>;
  /** Whether each Service can have clients of its own. */
  readonly sourceRanges: boolean;
  /** The port that Services share by host name; none where the engine does not route by it. */
  readonly tlsPort?: number;
  readonly conflict: RuntimeConflict;
  /** Ports that no tenant gets at the first balancer: its own, and those that its engine uses. */
  readonly reserved?: readonly number[];
  /** How many ports the first balancer carries, and which of them are kept by the lock file; no limit without. */
  readonly capacity?: { readonly ports: number; readonly locked: readonly number[] };
  /** The Service that has the table of ports which are set aside; without it none are. */
  readonly seats?: { readonly name: string; readonly namespace: string };
  /** The labels of the Services that are looked at. */
  readonly serviceLabels: Readonly<Record<string, string>>;
  readonly tenants: Readonly<Record<string, HookTenant>>;
  /** The labels without which no namespace is let in; none where the Gateway was made elsewhere. */
  readonly namespaceLabels?: Readonly<Record<string, string>>;
  readonly keys: HookKeys;
}

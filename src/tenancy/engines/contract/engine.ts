import type { Construct, IConstruct } from 'constructs';
import type { KubernetesVersion } from '../../../contract/kubernetes-version';
import { errorRule, type Fault, refuse } from '../../fault';
import type { TenancyIdentity } from '../../guard/tenancy-identity';
import type { PortRange } from '../../ports/ports.options';
import type { Attachment, Document, Publisher } from './attachment';

export const ENGINE_UNKNOWN = errorRule(
  'engine-unknown',
  'the engine of a shared load balancer comes from SharedLoadBalancerEngine',
);
export const ENGINE_RETIRED = errorRule('engine-retired', 'ingress-nginx, which is retired, serves no tenants');

/** What serves a shared load balancer, by what it answers. */
export interface SharedEngine {
  /** As it appears in messages. */
  readonly name: string;
  readonly limits: EngineLimits;
  readonly ports: EnginePorts;
  readonly publishing: EnginePublishing;
  readonly isolation: EngineIsolation;
  readonly checks: EngineChecks;
  /** How its tenants are watched, and suspended by the label of a namespace; nothing where that is not known. */
  readonly watching?: EngineWatching;
  /** The balancer that exists already, where none is made. */
  readonly existing?: { readonly name: string; readonly namespace?: string };

  /**
   * Makes one balancer: its objects, and its place among the balancers of the app.
   *
   * @returns what has it protected from being lost; nothing where it is not the balancer of a Service, or is made elsewhere
   */
  makeBalancer(scope: Construct, ask: BalancerAsk): ProtectBalancer | undefined;
}

/** Has what is written say that the balancer must not be lost. */
export type ProtectBalancer = () => void;

/** What a tenant may request that not every engine can enforce. */
export interface EnginePowers {
  /** Whether it routes connections by the name of the server that TLS clients request. */
  readonly hostnames: boolean;
  /** Whether each Service has source ranges of its own. */
  readonly sourceRanges: boolean;
  /** Whether it limits the connections of a tenant. */
  readonly connections: boolean;
  /** Whether it limits the bandwidth of a tenant. */
  readonly bandwidth: boolean;
}

/** What the engine enforces. */
export interface EngineLimits {
  readonly powers: EnginePowers;
  /** The remedy for each power that it lacks. */
  readonly instead: { readonly [power in keyof EnginePowers]?: string };
  /** By how many replicas limits are divided. */
  readonly replicas: number;
  /** Whether limits hold for each port by itself, so that they are divided by the ports of a tenant as well. */
  readonly perPort: boolean;
}

/** Which ports its balancers have. */
export interface EnginePorts {
  /** How many ports of tenants one balancer can have. */
  readonly perBalancer: number;
  /** How many balancers it can be at most; no limit without. */
  readonly balancers?: number;
  /** Ports that it uses itself. */
  readonly reserved: readonly number[];
  /** Ports that are impossible beside some others, since they would be one port of its own. */
  beside(ports: readonly number[]): number[];
}

/** How it publishes what tenants attach. */
export interface EnginePublishing {
  /** Whether tenants attach listeners to a Gateway. */
  readonly throughGateway: boolean;
  /** Documents that publish what a tenant attaches. Pure: bundled for run time as well. */
  readonly publish: Publisher;
  /** The publisher of the hook at run time, and its settings, where it can serve Services that are created at run time. */
  readonly atRunTime?: { readonly publisher: string; readonly settings: Readonly<Record<string, unknown>> };
}

/** How it keeps tenants apart. */
export interface EngineIsolation {
  /** Whether it isolates tenants itself, as long as they write listeners and routes alone. */
  readonly isByItself: boolean;
  /** Kinds through which a tenant reaches others, or escapes its limits. */
  readonly dangerous: readonly DangerousKind[];
  /** Whether routes of HTTP may attach to its Gateways themselves. */
  readonly httpRoutes: boolean;
  /** The platform, where it was named to the engine and not to the balancer. */
  readonly platform: readonly TenancyIdentity[];
  /** Whether its controller reads an annotation of any Service of a tenant into what all tenants share. */
  readsFromServices(annotation: string): boolean;
  /** How a patched document that publishes something harms other tenants, beyond what the patch removed from it. */
  weaknessOf(document: Document): string | undefined;
  /** Makes policies that its controller needs beside those for listeners and routes. */
  makePolicies(scope: Construct, policies: EnginePolicyScope): void;
}

/** What a program that runs beside it needs. */
export interface EngineWatching {
  /** What reads its proxies, and where they run; none where it has none. */
  readonly proxies?: {
    readonly reader: string;
    podsOf(balancer: { readonly name: string; readonly namespace: string }): WatchedPods;
  };
  /** The ConfigMap in the namespace of the balancer from which it takes suspended tenants, where it sees no labels of namespaces. */
  readonly list?: { readonly name: string; readonly key: string };
  /** Whether it sees that a label of a namespace has changed only when something of a ListenerSet has. */
  readonly touchesListenerSets?: boolean;
}

/** Pods of proxies. */
export interface WatchedPods {
  readonly namespace: string;
  readonly labels: { readonly [key: string]: string };
}

/** What is wrong with it. */
export interface EngineChecks {
  /** What is wrong whatever is attached. */
  readonly faults: readonly Fault[];
  /** What is wrong unless all tenants are one team. */
  readonly isolationFaults: readonly Fault[];
  readonly warnings: readonly Fault[];
  /** What it cannot serve of what tenants attach to one balancer, and of what they may attach there at run time. */
  faultsAt(attachments: readonly Attachment[], runtimeRanges: readonly TenantRange[], ownPort: number): Fault[];
  /** What works of what tenants attach to one balancer, and will surprise. */
  warningsAt(attachments: readonly Attachment[]): Fault[];
}

/** An engine without ports of its own. */
export const NO_RESERVED_PORTS: Pick<EnginePorts, 'reserved' | 'beside'> = { reserved: [], beside: () => [] };

/** An engine for which no one else's objects matter. */
export const NO_CHECKS: EngineChecks = {
  faults: [],
  isolationFaults: [],
  warnings: [],
  faultsAt: () => [],
  warningsAt: () => [],
};

/** An engine that keeps tenants apart by itself. */
export const ISOLATED: EngineIsolation = {
  isByItself: true,
  dangerous: [],
  httpRoutes: false,
  platform: [],
  readsFromServices: () => false,
  weaknessOf: () => undefined,
  makePolicies: () => undefined,
};

/** A balancer that an engine is to make. */
export interface BalancerAsk {
  /** The name of the object that is the balancer. */
  readonly name: string;
  readonly namespace?: string;
  /** The DNS name of its address. */
  readonly hostname?: string;
  /** The ports that are published there, as the lock file has them. */
  readonly ports: readonly number[];
  /** A port that no tenant may have: a Gateway must have a listener of its own. */
  readonly ownPort: number;
  /** The labels of the namespaces that may attach. */
  readonly namespaceLabels: { readonly [key: string]: string };
  /** The identities that write what the platform makes in namespaces of tenants. */
  readonly platform?: readonly TenancyIdentity[];
}

/** Where policies of an engine hold. */
export interface EnginePolicyScope {
  /** The name of the shared balancer. */
  readonly name: string;
  readonly namespaceLabels: { readonly [key: string]: string };
  readonly kubernetes: KubernetesVersion;
}

/** The ports of a tenant's Services that are created at run time. */
export interface TenantRange extends PortRange {
  readonly tenant: string;
}

/** A kind of object through which a tenant could reach into what is not its own. */
export interface DangerousKind {
  readonly group: string;
  readonly resource: string;
}

const ENGINES = new WeakMap<object, SharedEngine>();

/** Keeps the engine behind a public object. */
export function rememberEngine(of: object, engine: SharedEngine): void {
  ENGINES.set(of, engine);
}

/** The engine behind a public object. */
export function engineOf(of: object, host: IConstruct): SharedEngine {
  const found = typeof of === 'object' && of !== null ? ENGINES.get(of) : undefined;
  return (
    found ??
    refuse(host, {
      rule: ENGINE_UNKNOWN,
      what: 'engine is not a valid engine',
      remedy: 'pass one that SharedLoadBalancerEngine makes, such as SharedLoadBalancerEngine.envoyGateway()',
    })
  );
}

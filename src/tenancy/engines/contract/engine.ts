import type { Construct } from 'constructs';
import type { KubernetesVersion } from '../../../contract/kubernetes-version';
import type { Fault } from '../../fault';
import type { GuardedKind } from '../../guard/options';
import type { TenancyIdentity } from '../../guard/tenancy-identity';
import type { PortRange } from '../../ports/options';
import type { Attachment, Document, Publisher } from './publishing';

export interface SharedEngine {
  readonly name: string;
  readonly limits: EngineLimits;
  readonly ports: EnginePorts;
  readonly publishing: EnginePublishing;
  readonly isolation: EngineIsolation;
  readonly checks: EngineChecks;
  /** Watch of its tenants, and suspension by the label of a namespace; undefined if not known. */
  readonly watching?: EngineWatching;
  readonly existing?: { readonly name: string; readonly namespace?: string };

  /**
   * Makes one balancer: its objects, and its place among the balancers of the app.
   *
   * @returns what has it protected from being lost; nothing where it is not the balancer of a Service, or is made elsewhere
   */
  makeBalancer(scope: Construct, ask: BalancerOptions): ProtectBalancer | undefined;
}

export type ProtectBalancer = () => void;

export interface EngineCapabilities {
  readonly hostnames: boolean;
  readonly sourceRanges: boolean;
  readonly connections: boolean;
  readonly bandwidth: boolean;
}

export interface EngineLimits {
  readonly powers: EngineCapabilities;
  readonly instead: { readonly [power in keyof EngineCapabilities]?: string };
  readonly replicas: number;
  /** True if limits hold for each port by itself, so that they are divided by the ports of a tenant as well. */
  readonly perPort: boolean;
}

export interface EnginePorts {
  readonly perBalancer: number;
  readonly balancers?: number;
  readonly reserved: readonly number[];
  /** Ports that are impossible beside some others, since they would be one port of its own. */
  beside(ports: readonly number[]): number[];
}

export interface EnginePublishing {
  readonly throughGateway: boolean;
  /** Documents that publish what a tenant attaches. Pure: bundled for run time as well. */
  readonly publish: Publisher;
  readonly atRunTime: { readonly publisher: string; readonly settings: Readonly<Record<string, unknown>> };
}

export interface EngineIsolation {
  /** True if it isolates tenants itself, as long as they write listeners and routes alone. */
  readonly isByItself: boolean;
  readonly dangerous: readonly GuardedKind[];
  readonly httpRoutes: boolean;
  /** True if its controller reads an annotation of any Service of a tenant into what all tenants share. */
  readsFromServices(annotation: string): boolean;
  /** Harm of a patched document to other tenants, beyond what the patch removed from it. */
  weaknessOf(document: Document): string | undefined;
  makePolicies(scope: Construct, policies: EnginePolicyScope): void;
}

export interface EngineWatching {
  readonly proxies?: {
    readonly reader: string;
    podsOf(balancer: { readonly name: string; readonly namespace: string }): WatchedPods;
  };
  /** The ConfigMap in the namespace of the balancer from which it takes suspended tenants, where it sees no labels of namespaces. */
  readonly list?: { readonly name: string; readonly key: string };
  /** True if it sees that a label of a namespace has changed only when something of a ListenerSet has. */
  readonly touchesListenerSets?: boolean;
}

interface WatchedPods {
  readonly namespace: string;
  readonly labels: { readonly [key: string]: string };
}

export interface EngineChecks {
  readonly faults: readonly Fault[];
  /** Faults unless all tenants are one team. */
  readonly isolationFaults: readonly Fault[];
  readonly warnings: readonly Fault[];
  faultsAt(attachments: readonly Attachment[], runtimeRanges: readonly TenantRange[], ownPort: number): Fault[];
  warningsAt(attachments: readonly Attachment[]): Fault[];
}

export const NO_RESERVED_PORTS: Pick<EnginePorts, 'reserved' | 'beside'> = { reserved: [], beside: () => [] };

export const NO_CHECKS: EngineChecks = {
  faults: [],
  isolationFaults: [],
  warnings: [],
  faultsAt: () => [],
  warningsAt: () => [],
};

export const ISOLATED: EngineIsolation = {
  isByItself: true,
  dangerous: [],
  httpRoutes: false,
  readsFromServices: () => false,
  weaknessOf: () => undefined,
  makePolicies: () => undefined,
};

export interface BalancerOptions {
  readonly name: string;
  readonly namespace?: string;
  readonly hostname?: string;
  readonly ports: readonly number[];
  /** A port that no tenant may have: a Gateway must have a listener of its own. */
  readonly ownPort: number;
  readonly namespaceLabels: { readonly [key: string]: string };
  readonly platform?: readonly TenancyIdentity[];
}

export interface EnginePolicyScope {
  readonly name: string;
  readonly namespaceLabels: { readonly [key: string]: string };
  readonly kubernetes: KubernetesVersion;
}

export interface TenantRange extends PortRange {
  readonly tenant: string;
}

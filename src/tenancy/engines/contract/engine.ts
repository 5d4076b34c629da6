import type { Construct, IConstruct } from 'constructs';
import type { KubernetesVersion } from '../../../contract/kubernetes-version';
import type { TenancyIdentity } from '../../guard/tenancy-identity';
import type { PortRange } from '../../ports/ports.options';
import type { Attachment, Document, Publisher } from './attachment';

/** What a tenant may wish for that not every engine can keep. */
export interface EnginePowers {
  /** Whether it leads connections to tenants by the name of the server that TLS clients ask for. */
  readonly hostnames: boolean;
  /** Whether each Service has clients of its own. */
  readonly sourceRanges: boolean;
  /** Whether it limits the connections of a tenant. */
  readonly connections: boolean;
  /** Whether it limits the bandwidth of a tenant. */
  readonly bandwidth: boolean;
}

/** A balancer that an engine is to make. */
export interface BalancerAsk {
  /** The name of what stands for the balancer. */
  readonly name: string;
  readonly namespace?: string;
  /** The DNS name of its address. */
  readonly hostname?: string;
  /** The ports that are published there, as the lock has them. */
  readonly ports: readonly number[];
  /** A port that nobody may have: a Gateway must have a listener of its own. */
  readonly ownPort: number;
  /** The labels of the namespaces that may attach. */
  readonly namespaceLabels: { readonly [key: string]: string };
  /** Who writes what the platform makes in namespaces of tenants. */
  readonly platform?: readonly TenancyIdentity[];
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

/** What serves a shared load balancer. */
export interface SharedEngine {
  /** As it appears in messages. */
  readonly name: string;
  readonly powers: EnginePowers;
  /** How many ports of tenants one balancer can have. */
  readonly portsPerBalancer: number;
  /** How many balancers it can be at most; more only with another engine. */
  readonly balancers?: number;
  /** By how many replicas limits are divided. */
  readonly replicas: number;
  /** Whether limits hold for each port by itself, so that they are divided by the ports of a tenant as well. */
  readonly limitsPorts: boolean;
  /** What can be done instead, for what it cannot do. */
  readonly instead: { readonly [power in keyof EnginePowers]?: string };
  /** Documents that publish what a tenant attaches. Pure: bundled for run time as well. */
  readonly publish: Publisher;
  /** What the hook at run time knows the engine by; nothing where it cannot serve Services that are created at run time. */
  readonly publisher?: string;
  /** Whether tenants are let in by listeners at a Gateway. */
  readonly gateways: boolean;
  /** Whether it keeps tenants apart itself, as long as they have listeners and routes alone. */
  readonly isolates: boolean;
  /** Kinds through which a tenant reaches others, or gets out of its limits. */
  readonly dangerous: readonly DangerousKind[];
  /** Whether its controller reads an annotation of any Service of a tenant into what all tenants share. */
  readonly readsFromServices?: (annotation: string) => boolean;
  /** Ports that nobody gets, since it uses them itself. */
  readonly reservedPorts?: readonly number[];
  /** How a patched document that publishes something harms other tenants, beyond what was taken out of it. */
  readonly weaknessOf?: (document: Document) => string | undefined;
  /** Ports that nobody can have beside some others, since they would be one of its own. */
  readonly portsBeside?: (ports: readonly number[]) => number[];
  /** Why what is written in the app of a construct does not serve it. */
  readonly faultsInApp?: (host: Construct) => EngineFault[];
  /** What cannot be served of what tenants attach to one balancer, and of what they may attach there at run time. */
  readonly faultsOf?: (
    attachments: readonly Attachment[],
    runtimeRanges?: readonly TenantRange[],
    ownPort?: number,
  ) => EngineFault[];
  /** What the publisher must be told besides. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** What is wrong with it whatever is attached, and what must be said. */
  readonly faults: readonly EngineFault[];
  readonly remarks: readonly EngineFault[];
  /** Who the platform is, where the engine was told and the balancer was not. */
  readonly platform?: readonly TenancyIdentity[];
  /** The balancer that exists already, where none is made. */
  readonly existing?: { readonly name: string; readonly namespace?: string };

  /** Makes fences that its controller needs beside those around listeners and routes. */
  readonly makeFences?: (scope: Construct, fences: EngineFences) => void;

  /** Makes one balancer: its objects, and its place among the balancers of the app. */
  makeBalancer(scope: Construct, ask: BalancerAsk): void;
}

/** Around whom fences are. */
export interface EngineFences {
  /** The name of the shared balancer. */
  readonly name: string;
  readonly namespaceLabels: { readonly [key: string]: string };
  readonly kubernetes: KubernetesVersion;
}

/** What is wrong with an engine. */
export interface EngineFault {
  readonly ruleId: string;
  readonly what: string;
  readonly remedy: string;
}

const ENGINES = new WeakMap<object, SharedEngine>();

/** Keeps the engine behind a public object. */
export function rememberEngine(of: object, engine: SharedEngine): void {
  ENGINES.set(of, engine);
}

/** The engine behind a public object. */
export function engineOf(of: object, host: IConstruct): SharedEngine {
  const found = typeof of === 'object' && of !== null ? ENGINES.get(of) : undefined;
  if (!found) {
    throw new Error(
      `${host.node.path}: the engine is none; pass one that SharedLoadBalancerEngine makes, such as SharedLoadBalancerEngine.envoyGateway() (engine-unknown)`,
    );
  }
  return found;
}

import type { Size } from 'cdk8s';
import type { KubernetesVersion } from '../../contract/kubernetes-version';
import type { SharedLoadBalancerEngine } from '../engines/shared-load-balancer-engine';
import type { TenancyIdentity } from '../guard/tenancy-identity';
import type { PortConflictPolicy, PortRange } from '../ports/ports.options';

/**
 * A load balancer that tenants share.
 */
export interface SharedLoadBalancerProps {
  /** What serves it. */
  readonly engine: SharedLoadBalancerEngine;

  /**
   * The DNS name of its address. Where several balancers are needed, the others get a number behind the first label:
   * `tcp.example.com`, `tcp-2.example.com`.
   *
   * @default - none; tenants then have no host names of TLS
   */
  readonly hostname?: string;

  /**
   * The name of the balancer's objects, and of its ports in the lock file. The name of a live balancer is its address:
   * renamed, it is another balancer.
   *
   * @default 'shared'
   */
  readonly name?: string;

  /**
   * The namespace of the balancer's own objects. Keep tenants out of it.
   *
   * @default - the one of the chart; `default` where the chart has none, since listeners of tenants must name it
   */
  readonly namespace?: string;

  /**
   * The lock file with the ports, relative to the working directory. Commit it. Synth takes every port from it and never
   * writes it; `cdk8s-load-balancers ports` does.
   *
   * @default 'ports.lock.json'
   */
  readonly portLock?: string;

  /**
   * What becomes of two Services that want one port.
   *
   * @default PortConflictPolicy.FAIL
   */
  readonly portConflict?: PortConflictPolicy;

  /**
   * The ports that REMAP gives to endpoints that cannot have their own.
   *
   * @default - 30000 to 31999
   */
  readonly remapPorts?: PortRange;

  /**
   * A port that no tenant gets: a Gateway must have a listener of its own.
   *
   * @default 65535
   */
  readonly ownPort?: number;

  /**
   * The port that tenants share by the name of the server that TLS clients request.
   *
   * @default 443
   */
  readonly tlsPort?: number;

  /**
   * Labels of the namespaces that may attach listeners. Only the platform may set them: an identity that can label a
   * namespace can make it a tenant.
   *
   * @default - those of the app's `TenantLoadBalancerGuard`, where there is one already; `cdk8s-load-balancers/tenant: 'true'`
   * otherwise
   */
  readonly namespaceLabels?: { [key: string]: string };

  /**
   * The class of the Services that are created at run time, or keep their type.
   *
   * @default 'cdk8s-load-balancers/shared'
   */
  readonly loadBalancerClass?: string;

  /**
   * The identities that write what the platform makes in namespaces of tenants, such as the service account of a delivery
   * tool: a policy keeps all others from it. An engine that does not isolate tenants by itself cannot do without.
   *
   * @default - none: only their permissions keep tenants from kinds that are dangerous in their hands
   */
  readonly platform?: TenancyIdentity[];

  /**
   * Whether policies (ValidatingAdmissionPolicy) keep each tenant to its own ports, protocols and host names. Without
   * them every identity that may write listeners in a namespace of a tenant can take the ports of others.
   *
   * @default true
   */
  readonly isolationPolicies?: boolean;

  /**
   * The version of the API server.
   *
   * @default KubernetesVersion.V1_34
   */
  readonly kubernetes?: KubernetesVersion;

  /**
   * Declares that all tenants are one team that trusts itself. Only then may policies between tenants be left out.
   *
   * @default false
   */
  readonly oneTeam?: boolean;
}

/**
 * A port of a Service to publish.
 */
export interface SharedPort {
  /** The port of the Service. Where the conflict policy allows it, this is also the port at the shared address. */
  readonly port: number;

  /**
   * Names of the server that TLS clients ask for, in the domain of the tenant. Such a port shares the TLS port with
   * others and needs an engine that routes by SNI; the pods end TLS themselves.
   *
   * @default - the whole port is the Service's
   */
  readonly hostnames?: string[];
}

/**
 * A Service to publish at a shared address.
 */
export interface SharedAttachment {
  /** The namespace of the Service, which is that of a tenant. */
  readonly tenant: string;

  /** The name of the Service; its type should be ClusterIP. It may be one that an operator makes later. */
  readonly service: string;

  /** The ports to publish, at least one; TCP. */
  readonly ports: SharedPort[];

  /**
   * The clients that may connect, as CIDRs.
   *
   * @default - all that reach the balancer
   */
  readonly sourceRanges?: string[];
}

/**
 * Where a port of a tenant's Service can be reached.
 */
export interface SharedEndpoint {
  /** The namespace of the tenant. */
  readonly tenant: string;

  /** The name of the Service. */
  readonly service: string;

  /** The port of the Service. */
  readonly servicePort: number;

  /** The port at the shared address, which stands in the lock file. */
  readonly port: number;

  /** The name of the balancer, which is the name of its Gateway where it has one. */
  readonly balancer: string;

  /**
   * The DNS name to connect to.
   *
   * @default - the shared load balancer has none: its address is known once it exists
   */
  readonly hostname?: string;
}

/**
 * What a tenant of a shared load balancer may have.
 */
export interface SharedTenantOptions {
  /**
   * Connections at the same time, over all its ports. Engines count in each replica, and some for each port: the limit is
   * divided by both and rounded down, so that the sum never exceeds it, and clients that all meet one replica are refused
   * earlier.
   *
   * @default - no limit
   */
  readonly maxConnections?: number;

  /**
   * Bytes a second in each direction, over all its ports; divided by the replicas of the engine. What a tenant can move is
   * what it can cost.
   *
   * @default - no limit
   */
  readonly bandwidth?: Size;

  /**
   * How many ports it may have at most, those of Services that are created at run time not counted.
   *
   * @default - as many as the balancers have
   */
  readonly maxPorts?: number;

  /**
   * The domain of its host names: a TLS port is led to it for names in this domain alone.
   *
   * @default - its namespace in the domain of the shared load balancer: `team-a.tcp.example.com`
   */
  readonly domain?: string;

  /**
   * The ports of Services that are created at run time. No port of the lock file is in it, and no two tenants share one.
   *
   * @default - none: Services that are created at run time get no port
   */
  readonly runtimePorts?: PortRange;

  /**
   * Withdraws everything the tenant has at the shared address. Its ports stay in the lock file, so that it comes back to
   * the same address.
   *
   * @default false
   */
  readonly suspended?: boolean;
}

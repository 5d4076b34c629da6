import type { KubernetesVersion } from '../../contract/kubernetes-version';
import type { TenancyIdentity } from './tenancy-identity';
import type { TenantPorts } from './tenant-ports';

/**
 * A Gateway that tenants share.
 */
export interface SharedGatewayReference {
  /** The namespace of the Gateway. */
  readonly namespace: string;

  /** The name of the Gateway. */
  readonly name: string;
}

/**
 * Policies for what tenants attach to shared Gateways.
 */
export interface SharedListenerPolicyProps {
  /**
   * The name of the policies; those for routes and for guarded kinds have an ending. They belong to no namespace.
   *
   * @default - made by cdk8s from the construct path
   */
  readonly name?: string;

  /** Labels of the namespaces of tenants. Who can label a namespace can take it out of the policy. */
  readonly namespaceLabels: { [key: string]: string };

  /** The Gateways that listeners of tenants may attach to, and no others. */
  readonly gateways: SharedGatewayReference[];

  /** The ports that tenants may listen on. */
  readonly ports: TenantPorts;

  /**
   * The exempt identities: controllers, and those that apply what the platform writes into namespaces of tenants, such as a delivery
   * tool. Those that clean up namespaces and garbage are always exempt.
   */
  readonly exempt: TenancyIdentity[];

  /**
   * The protocols that listeners may have. UDP on a port that is TCP elsewhere can stop a whole Gateway.
   *
   * @default - TCP and TLS
   */
  readonly protocols?: string[];

  /**
   * Whether listeners may end TLS, for which they name certificates. Otherwise TLS is passed through.
   *
   * @default false
   */
  readonly tlsTermination?: boolean;

  /**
   * Ports that every namespace may have TLS listeners on, which share them by host name; they need `hostnames`.
   *
   * @default - none
   */
  readonly sharedTlsPorts?: number[];

  /**
   * The host names of TLS that a namespace may use: `db.team-a.example.com`, or `*.team-a.example.com` for all below and for the wildcard
   * itself. A namespace that is not named gets none.
   *
   * @default - host names are not checked
   */
  readonly hostnames?: { [namespace: string]: string[] };

  /**
   * Whether HTTPRoutes and GRPCRoutes of tenants may attach to the shared Gateways themselves, which then have listeners of HTTP
   * for all. Their backends are checked all the same, and where `hostnames` are set their host names.
   *
   * @default false
   */
  readonly httpRoutes?: boolean;

  /**
   * Kinds that no other identity may create, change or delete in namespaces of tenants, beside Gateways.
   *
   * @default - none
   */
  readonly guardedKinds?: GuardedKind[];

  /**
   * The version of the API server.
   *
   * @default KubernetesVersion.V1_34
   */
  readonly kubernetes?: KubernetesVersion;

  /**
   * Where tenants find help, in one line: it ends every refusal.
   *
   * @default - nothing is added
   */
  readonly help?: string;
}

/**
 * A kind of object that tenants may not write.
 */
export interface GuardedKind {
  /** The API group, such as `gateway.networking.k8s.io`. */
  readonly group: string;

  /** The plural in URLs and permissions, such as `gateways`. */
  readonly resource: string;
}

import type { KubernetesVersion } from '../../contract/kubernetes-version';
import type { PortRange } from '../ports/ports.options';
import type { AllowedClass } from './allowed-class';
import type { TenancyIdentity } from './tenancy-identity';

/**
 * What the Services of a tenant may say.
 */
export interface ServiceLimits {
  /**
   * The shortest prefix of an IPv4 range in `spec.loadBalancerSourceRanges`: 16 takes 10.1.0.0/16 and refuses 10.0.0.0/8. With it
   * a Service of type LoadBalancer must name its ranges. Prefixes are judged one by one: together with `maxSourceRanges` they
   * bound how much of the internet somebody can let in.
   *
   * @default - ranges are not judged, and may be missing
   */
  readonly minSourceRangePrefix?: number;

  /**
   * The same for IPv6.
   *
   * @default - 48 where there is one for IPv4
   */
  readonly minSourceRangePrefixIpv6?: number;

  /**
   * How many ranges a Service may name.
   *
   * @default - 20 where prefixes are judged
   */
  readonly maxSourceRanges?: number;

  /**
   * How many ports a Service of type LoadBalancer may have.
   *
   * @default - no limit
   */
  readonly maxPorts?: number;

  /**
   * The ports that a Service of type LoadBalancer may have. It is the same for all tenants: the port at a shared address is a
   * matter of the lock file and of `SharedListenerPolicy`.
   *
   * @default - all
   */
  readonly portRange?: PortRange;

  /**
   * Whether Services of every type are kept from node ports, those for health checks among them. Services of type LoadBalancer then
   * need `allocateLoadBalancerNodePorts: false`, unless their class may have them: the API server allocates node ports before
   * policies look.
   *
   * @default true
   */
  readonly forbidNodePorts?: boolean;

  /**
   * Whether Services of every type are kept from `spec.externalIPs`, with which a tenant draws traffic for any address to itself.
   *
   * @default true
   */
  readonly forbidExternalIps?: boolean;

  /**
   * Whether `spec.loadBalancerIP` is refused: it can ask for an address that is another's.
   *
   * @default true
   */
  readonly forbidLoadBalancerIp?: boolean;
}

/**
 * A policy for the Services of tenants.
 */
export interface LoadBalancerAdmissionPolicyProps extends ServiceLimits {
  /**
   * The name of the policy, which stands in every refusal. It belongs to no namespace.
   *
   * @default - made by cdk8s from the construct path
   */
  readonly name?: string;

  /**
   * Labels of the namespaces of tenants. Who can label a namespace can take it out of the policy.
   */
  readonly namespaceLabels: { [key: string]: string };

  /**
   * The classes that a Service of type LoadBalancer may have. An empty list allows none, so that no Service may have the type. A
   * Service without a class is refused.
   */
  readonly allowedClasses: AllowedClass[];

  /**
   * Who is not judged: controllers, which write what they have read. Administrators are judged unless they stand here.
   *
   * @default - TenancyIdentity.knownControllers()
   */
  readonly exempt?: TenancyIdentity[];

  /**
   * Whether `services/status` is guarded as well, in a policy of its own: by it a tenant could write an address that draws the
   * traffic of others, and labels and annotations past all policies.
   *
   * @default true
   */
  readonly guardStatus?: boolean;

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

import type { KubernetesVersion } from '../../contract/kubernetes-version';
import type { AllowedClass } from './allowed-class';
import type { ClassDefaultMechanism } from './class-default-mechanism';
import type { ServiceLimits } from './load-balancer-admission-policy.options';
import type { GuardedKind } from './shared-listener-policy.options';
import type { TenancyIdentity } from './tenancy-identity';

/**
 * A tenant that the guard knows by name.
 */
export interface GuardedTenant {
  /** The namespace of the tenant. */
  readonly namespace: string;

  /**
   * Who belongs to the tenant, and gets the tenants' permissions there.
   *
   * @default - none by this construct
   */
  readonly subjects?: TenancyIdentity[];

  /**
   * Load balancers of its own that it may have.
   *
   * @default - as many as the guard says
   */
  readonly dedicated?: number;
}

/**
 * What tenants may have of load balancers.
 */
export interface TenantLoadBalancerGuardProps extends ServiceLimits {
  /**
   * The prefix of the names of the guard's objects. Tenants read it in refusals. The objects belong to no namespace: set it if another
   * app has a guard in the same cluster, whose objects would be overwritten.
   *
   * @default - 'load-balancer-guard'; further guards of the app add their construct path
   */
  readonly name?: string;

  /**
   * Labels of the namespaces of tenants. Give them by the platform alone: who can label a namespace can take it out of the guard.
   */
  readonly namespaceLabels: { [key: string]: string };

  /**
   * Load balancers of its own that each tenant may have. More than 0 needs `tenants`, since quotas are in namespaces, and
   * `dedicatedClasses`; and `sharedServices` must be off, since a quota counts every class: shared Services are then of type ClusterIP.
   *
   * @default 0
   */
  readonly dedicated?: number;

  /**
   * The classes of load balancers of their own, and what a Service of each must say.
   *
   * @default - none
   */
  readonly dedicatedClasses?: AllowedClass[];

  /**
   * True if Services of type LoadBalancer may have the shared class, so that a controller attaches them at run time. Services that
   * name no class then get it. If false, tenants may have no Services of type LoadBalancer but those of `dedicated`.
   *
   * @default - true if a `SharedServicesAtRunTime` of the app serves the class in these namespaces, and no tenant may have load
   * balancers of its own
   */
  readonly sharedServices?: boolean;

  /**
   * The classes that Ingresses of tenants may have: those of controllers that lead all Ingresses through one balancer. Class `alb` of
   * the AWS Load Balancer Controller, for example, makes a balancer for each Ingress, and GKE does so for an Ingress without a class.
   * An empty list allows no Ingress. Ingresses that exist keep their class.
   *
   * @default - Ingresses are not checked
   */
  readonly ingressClasses?: string[];

  /**
   * The domains in which tenants may have external-dns make names, by annotations, hosts of Ingresses and routes, and `DNSEndpoint`s:
   * `{namespace}` stands for the namespace of the tenant, as in `{namespace}.tcp.example.com`. An empty list allows no name. Names
   * that exist stay until they change.
   *
   * @default - names are not checked: which of them are the tenant's is known by the flags of external-dns alone
   */
  readonly dnsDomains?: string[];

  /**
   * How many shared Services of type LoadBalancer each of `tenants` may have.
   *
   * @default - no limit
   */
  readonly maxSharedServices?: number;

  /**
   * How many ListenerSets each of `tenants` may have, those of the platform among them.
   *
   * @default - 20 where tenants write `attachments`, and no limit elsewhere
   */
  readonly maxListenerSets?: number;

  /**
   * The class of shared Services.
   *
   * @default 'cdk8s-load-balancers/shared'
   */
  readonly loadBalancerClass?: string;

  /**
   * The label that shared Services get.
   *
   * @default - the class
   */
  readonly label?: string;

  /**
   * What gives the shared class to Services that name none.
   *
   * @default ClassDefaultMechanism.mutatingAdmissionPolicy()
   */
  readonly classDefault?: ClassDefaultMechanism;

  /**
   * Tenants that are known by name: quotas and permissions need a namespace each. The policies hold in every namespace with the labels.
   *
   * @default - none; there are no quotas and no permissions then
   */
  readonly tenants?: GuardedTenant[];

  /**
   * Whether tenants write listeners and routes of shared balancers themselves, which needs a `SharedListenerPolicy`.
   *
   * @default false
   */
  readonly attachments?: boolean;

  /**
   * Kinds that the tenants' permissions may never hold.
   *
   * @default - Gateways, quotas, policies, namespaces and `services/status`
   */
  readonly guardedKinds?: GuardedKind[];

  /**
   * The exempt identities.
   *
   * @default - TenancyIdentity.knownControllers()
   */
  readonly exempt?: TenancyIdentity[];

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

import type { KubernetesVersion } from '../contract/kubernetes-version';
import type { TenancyIdentity } from '../tenancy/guard/tenancy-identity';

/** What the API server does with a request that a policy does not accept. */
export enum PolicyAction {
  /** It refuses the request. */
  DENY = 'Deny',
  /** It accepts the request and returns a warning, which kubectl prints. */
  WARN = 'Warn',
  /** It accepts the request and adds an annotation to the audit event. */
  AUDIT = 'Audit',
}

/** What the API server does with a request if a policy cannot be evaluated. */
export enum PolicyFailure {
  /** It accepts the request as it is. */
  IGNORE = 'Ignore',
  /** It refuses the request. */
  FAIL = 'Fail',
}

/** The Services that a keeper looks at. */
export enum KeptServices {
  /** Services with an owner reference: those that an operator writes. */
  OWNED = 'owned',

  /**
   * All Services. Nobody but a controller can then remove the finalizer of a live load balancer or an annotation that is kept: not
   * `kubectl edit` and not a GitOps commit, unless the Service carries the annotation that switches the keeper off.
   */
  ALL = 'all',
}

/** Options of admission policies for load balancers. */
export interface LoadBalancerPolicyProps {
  /**
   * The name of the policy, its binding and its ConfigMap. Users read the names of validating policies in refusals.
   *
   * @default - a name that says what the policy does, such as `load-balancer-keeper`
   */
  readonly name?: string;

  /**
   * The namespace of the ConfigMap with the lists that the policy reads. Only the platform may write there: whoever writes the ConfigMap
   * decides which finalizers and identities count.
   *
   * @default 'kube-system'
   */
  readonly namespace?: string;

  /**
   * Labels of the namespaces whose objects the policy looks at.
   *
   * @default - all namespaces
   */
  readonly namespaceLabels?: { [key: string]: string };

  /**
   * Controllers that own load balancers under other names than their vendors publish. The identities of all known controllers are added.
   * AKS, EKS and GKE run their controllers outside the cluster; AKS publishes no user name, so look it up as `user.username` of requests to
   * `services/status` in the audit log.
   *
   * @default - the identities of all known controllers alone
   */
  readonly controllers?: TenancyIdentity[];

  /**
   * The answer of the API server to a request if the policy cannot be evaluated.
   *
   * @default PolicyFailure.IGNORE, and PolicyFailure.FAIL for a lock
   */
  readonly failurePolicy?: PolicyFailure;

  /**
   * The version of the API server.
   *
   * @default KubernetesVersion.V1_34
   */
  readonly kubernetes?: KubernetesVersion;
}

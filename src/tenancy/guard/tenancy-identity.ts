import type { Json } from '../../contract/json';
import { dnsNameFault } from '../../contract/kubernetes-syntax';
import type { ILoadBalancerController } from '../../contract/load-balancer-request';
import { type ControllerIdentity, definitionOf, unwrapped } from '../../rules/controller-definition';
import { knownKinds } from '../../rules/known-kinds';
import * as facts from './guard.facts';

/**
 * An identity as the API server knows it: a service account, a user, or a group.
 */
export class TenancyIdentity {
  /**
   * A service account. An identity that may create pods in its namespace can act as it.
   *
   * @param namespace the namespace of the service account
   * @param name its name
   * @throws when one of the two is no name
   */
  public static serviceAccount(namespace: string, name: string): TenancyIdentity {
    const fault = [namespace, name].map(dnsNameFault).find((one) => one);
    if (fault) {
      throw new Error(`service account ${namespace}/${name}: ${fault}; give the name and namespace of an object`);
    }
    return new TenancyIdentity('ServiceAccount', name, namespace);
  }

  /**
   * A user, as the API server authenticates one.
   *
   * @param name the name of the user
   * @throws when the name is empty
   */
  public static user(name: string): TenancyIdentity {
    return new TenancyIdentity('User', notEmpty('user', name));
  }

  /**
   * All members of a group.
   *
   * @param name the name of the group
   * @throws when the name is empty
   */
  public static group(name: string): TenancyIdentity {
    return new TenancyIdentity('Group', notEmpty('group', name));
  }

  /**
   * Controllers of load balancers under the names that their vendors give them: those of Kubernetes and its cloud providers, of EKS,
   * GKE and Hetzner, the AWS Load Balancer Controller, MetalLB and Metacontroller. One that runs under another name, or any other,
   * must be named beside them, or its Services never get an address; AKS publishes no name for its own. The namespaces kube-system,
   * metacontroller and metallb-system must be the platform's, also where no such controller runs: who could create one of them could
   * act as the controller.
   */
  public static knownControllers(): TenancyIdentity[] {
    return [...TenancyIdentity._owners(), TenancyIdentity.serviceAccount(...facts.HOOK_RUNNER)];
  }

  /** Those of them that make load balancers and add finalizers. @internal */
  public static _owners(): TenancyIdentity[] {
    return [
      ...facts.CONTROLLER_SERVICE_ACCOUNTS.map(([namespace, name]) => TenancyIdentity.serviceAccount(namespace, name)),
      ...facts.CONTROLLER_USERS.map((name) => TenancyIdentity.user(name)),
      ...knownKinds().flatMap((kind) => kind.identities(undefined).map(asIdentity)),
    ];
  }

  /**
   * A controller under the names that its vendor gives it, in the namespace that its options say.
   *
   * @param controller the controller, as it is used elsewhere in the app
   * @throws when its name is not published, as of AKS and of controllers of your own
   */
  public static ofController(controller: ILoadBalancerController): TenancyIdentity[] {
    const identities = TenancyIdentity._knownOf(controller);
    if (identities.length === 0) {
      throw new Error(
        `${controller.name}: no name is published under which it writes to the API server; look up user.username of requests to services/status in the audit log, and name it with TenancyIdentity.user(), group() or serviceAccount()`,
      );
    }
    return identities;
  }

  /** Identity of a controller, as far as that is published. @internal */
  public static _knownOf(controller: ILoadBalancerController): TenancyIdentity[] {
    const inner = unwrapped(controller);
    return (definitionOf(inner)?.identities(inner) ?? []).map(asIdentity);
  }

  private constructor(
    private readonly kind: 'ServiceAccount' | 'User' | 'Group',
    /** The name of the service account, user or group. */
    public readonly name: string,
    /** The namespace of a service account. */
    public readonly namespace?: string,
  ) {}

  /** The name under which requests are made; of a group, those of its members. */
  public get username(): string {
    return this.namespace === undefined ? this.name : `${facts.SERVICE_ACCOUNT_PREFIX}${this.namespace}:${this.name}`;
  }

  /** @internal */
  public get _isGroup(): boolean {
    return this.kind === 'Group';
  }

  /** @internal */
  public get _subject(): Json {
    return this.namespace === undefined
      ? { apiGroup: facts.RBAC_GROUP, kind: this.kind, name: this.name }
      : { kind: this.kind, name: this.name, namespace: this.namespace };
  }
}

function notEmpty(what: string, name: string): string {
  if (name.trim() === '') {
    throw new Error(`${what} '${name}': the name is empty; give the name that the API server knows`);
  }
  return name;
}

function asIdentity({ kind, name, namespace = '' }: ControllerIdentity): TenancyIdentity {
  if (kind === 'ServiceAccount') {
    return TenancyIdentity.serviceAccount(namespace, name);
  }
  return kind === 'User' ? TenancyIdentity.user(name) : TenancyIdentity.group(name);
}

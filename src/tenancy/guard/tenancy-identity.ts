import { dnsNameFault } from '../../contract/kubernetes-syntax';
import type { Json } from '../../contract/late-rendering';
import { CONTROLLER_SERVICE_ACCOUNTS, CONTROLLER_USERS, RBAC_GROUP, SERVICE_ACCOUNT_PREFIX } from './guard.facts';

/**
 * Somebody as the API server knows them: a service account, a user, or a group.
 */
export class TenancyIdentity {
  /**
   * A service account. Whoever may create pods in its namespace can act as it.
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
    return new TenancyIdentity('User', said('user', name));
  }

  /**
   * All members of a group.
   *
   * @param name the name of the group
   * @throws when the name is empty
   */
  public static group(name: string): TenancyIdentity {
    return new TenancyIdentity('Group', said('group', name));
  }

  /**
   * Controllers of load balancers under the names that their installations give them: those of Kubernetes and its cloud
   * providers, the AWS Load Balancer Controller, Metacontroller. One that runs under another name, or any other, must be
   * named, or its Services never get an address. Their namespaces must be the platform's, also where such a controller does not run:
   * who could create the namespace `metacontroller` could act as it.
   */
  public static knownControllers(): TenancyIdentity[] {
    return [
      ...CONTROLLER_SERVICE_ACCOUNTS.map(([namespace, name]) => TenancyIdentity.serviceAccount(namespace, name)),
      ...CONTROLLER_USERS.map((name) => TenancyIdentity.user(name)),
    ];
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
    return this.namespace === undefined ? this.name : `${SERVICE_ACCOUNT_PREFIX}${this.namespace}:${this.name}`;
  }

  /** @internal */
  public get _isGroup(): boolean {
    return this.kind === 'Group';
  }

  /** @internal */
  public get _subject(): Json {
    return this.namespace === undefined
      ? { apiGroup: RBAC_GROUP, kind: this.kind, name: this.name }
      : { kind: this.kind, name: this.name, namespace: this.namespace };
  }
}

function said(what: string, name: string): string {
  if (name.trim() === '') {
    throw new Error(`${what} '${name}': the name is empty; give the name that the API server knows`);
  }
  return name;
}

import type { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import { ALWAYS, celText } from './admission';
import { type DenyPolicy, denyPolicy } from './deny-policy';
import { DELETER_SERVICE_ACCOUNTS, DELETER_USERS } from './guard.facts';
import type { GuardedKind } from './shared-listener-policy.options';
import { TenancyIdentity } from './tenancy-identity';

/** Kinds that the platform alone writes. */
interface ReservedKinds extends Pick<DenyPolicy, 'name' | 'namespaceSelector' | 'help'> {
  readonly kinds: readonly GuardedKind[];
  /** The identities that write them, controllers among them. */
  readonly exempt: readonly TenancyIdentity[];
}

/** The identities that clean up namespaces and garbage. */
export function deleters(): TenancyIdentity[] {
  return [
    ...DELETER_SERVICE_ACCOUNTS.map((account) => TenancyIdentity.serviceAccount(...account)),
    ...DELETER_USERS.map((user) => TenancyIdentity.user(user)),
  ];
}

/** A policy by which the platform alone writes, changes and deletes some kinds in namespaces of tenants. */
export function reserveKinds(host: Construct, { kinds, exempt, ...policy }: ReservedKinds): ApiObject {
  const message = 'objects of this kind are written by the platform alone, in namespaces of tenants';
  const known = new Set(TenancyIdentity.knownControllers().map(({ username }) => username));
  const writers = exempt.map(({ username }) => username).filter((username) => !known.has(username));
  const named = [...new Set(writers)].slice(0, NAMED);
  const remedy =
    named.length === 0
      ? 'ask it for what you need'
      : `ask it for what you need, or have ${named.join(' or ')} apply it`;
  return denyPolicy(host, 'Kinds', {
    ...policy,
    exempt: [...exempt, ...deleters()],
    rules: kinds.map(({ group, resource }) => ({
      apiGroups: [group],
      apiVersions: ['*'],
      operations: ['CREATE', 'UPDATE', 'DELETE'],
      resources: [resource],
    })),
    faults: [{ when: ALWAYS, says: `request.resource.resource + ${celText(`: ${message}: ${remedy}`)}` }],
    message: `${message}: ${remedy}`,
  });
}

/** Identities in a message. */
const NAMED = 2;

import type { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import { judgeObject } from '../../rules/judge-object';
import { Judgement } from '../../rules/judgement';
import { type Fault, faultOf, reported } from '../fault';
import type { AllowedClass } from './allowed-class';
import { isServed } from './app-state';
import { EVERYBODY_GROUPS, EVERYBODY_USERS, SERVICE_ACCOUNT_GROUP_PREFIX, SERVICE_ACCOUNT_PREFIX } from './guard.facts';
import type { LoadBalancerAdmissionPolicyProps } from './options';
import { GUARD } from './rules';
import { TenancyIdentity } from './tenancy-identity';

/**
 * The default exemptions: all controllers whose names are published, not those of the classes alone, since Services that were
 * there before the guard are served, and released, by others.
 */
export function exemptByDefault(classes: readonly AllowedClass[]): TenancyIdentity[] {
  return [...TenancyIdentity.knownControllers(), ...classes.flatMap(({ _identities }) => _identities)];
}

export function judgeControllers(
  host: Construct,
  policy: ApiObject,
  { allowedClasses, exempt, guardStatus = true, namespaceLabels }: LoadBalancerAdmissionPolicyProps,
): void {
  const isChecked = exempt === undefined && guardStatus;
  const own = allowedClasses.filter(({ _isShared }) => !_isShared);
  const unknown = isChecked ? own.filter(({ _identities }) => _identities.length === 0) : [];
  const unserved = () =>
    allowedClasses
      .filter(({ _isShared, _isAllowed }) => _isShared && _isAllowed())
      .filter(({ loadBalancerClass }) => !isServed(host, { loadBalancerClass, namespaceLabels }))
      .map(({ loadBalancerClass }) =>
        faultOf(GUARD['shared-class-unserved'], { loadBalancerClass }, loadBalancerClass),
      );
  const findings = unknown.map(({ loadBalancerClass }) =>
    faultOf(GUARD['guard-controller'], { loadBalancerClass }, loadBalancerClass),
  );
  judgeObject(host, policy, { judge: () => Judgement.of([], reported([...unserved(), ...findings], 'kubernetes')) });
}

export function exemptNamespaces(identities: readonly TenancyIdentity[]): string[] {
  const namespaces = identities.map(namespaceOf).filter((namespace): namespace is string => namespace !== undefined);
  return [...new Set(namespaces)].sort();
}

/**
 * What is wrong with identities that are exempt from the policies, or are the platform: one of them is a group of all users,
 * runs in the namespace of a tenant, or is a subject of one.
 *
 * @param namespaces the namespaces of tenants
 * @param subjects the subjects of tenants
 */
export function tenantsAmong(
  identities: readonly TenancyIdentity[],
  namespaces: readonly string[] = [],
  subjects: readonly TenancyIdentity[] = [],
): Fault | undefined {
  const tenants = new Set(namespaces);
  const own = new Set(subjects.map(keyOf));
  const faults = identities.map((identity): Fault | undefined => {
    const namespace = namespaceOf(identity);
    const subject = subjects.find((one) => belongsTo(one, identity) || belongsTo(identity, one));
    if (isEveryUser(identity)) {
      return fault(identity, 'every tenant belongs to it', 'name the controllers and people of the platform');
    }
    if (namespace !== undefined && tenants.has(namespace)) {
      return fault(
        identity,
        'lives in the namespace of a tenant, who can act as it by a pod',
        'run the controller in a namespace of the platform',
      );
    }
    return own.has(keyOf(identity)) || subject
      ? fault(identity, 'belongs to a tenant', 'name the platform alone, or take it from the subjects of the tenant')
      : undefined;
  });
  return faults.find((one) => one !== undefined);
}

export function fault(identity: TenancyIdentity, and: string, remedy: string): Fault {
  const who = identity._isGroup ? `group ${identity.name}` : identity.username;
  return faultOf(GUARD['guard-exempt'], { who, and, remedy });
}

/** A service account can be spelled as the user that it is for the API server. */
function keyOf(identity: TenancyIdentity): string {
  return `${identity._isGroup ? 'group' : 'user'} ${identity.username}`;
}

function namespaceOf(identity: TenancyIdentity): string | undefined {
  const { _isGroup, username } = identity;
  const prefix = _isGroup ? SERVICE_ACCOUNT_GROUP_PREFIX : SERVICE_ACCOUNT_PREFIX;
  return username.startsWith(prefix) ? username.slice(prefix.length).split(':')[0] : undefined;
}

function belongsTo(identity: TenancyIdentity, group: TenancyIdentity): boolean {
  return (
    !identity._isGroup &&
    group._isGroup &&
    namespaceOf(group) !== undefined &&
    namespaceOf(identity) === namespaceOf(group)
  );
}

function isEveryUser({ _isGroup, name }: TenancyIdentity): boolean {
  return (_isGroup ? EVERYBODY_GROUPS : EVERYBODY_USERS).includes(name);
}

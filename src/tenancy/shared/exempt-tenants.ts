import { dnsLabelFault } from '../../contract/kubernetes-syntax';
import { refusal } from '../fault';
import { exemptNamespaces } from '../guard/exemptions';
import { TenancyIdentity } from '../guard/tenancy-identity';
import { TENANT_NAME, TENANT_OF_PLATFORM } from './rules';
import type { TenancySettings } from './tenancy-registry';

/** The namespaces whose pods can act as an identity that the policies do not check, with that identity. */
export function exemptIn({ platform = [], isolationPolicies }: TenancySettings): ReadonlyMap<string, TenancyIdentity> {
  const exempt = isolationPolicies ? [...platform, ...TenancyIdentity.knownControllers()] : platform;
  return new Map(
    [...exempt].reverse().flatMap((identity) => exemptNamespaces([identity]).map((name) => [name, identity] as const)),
  );
}

/** Namespaces that are exempt from the policies cannot be tenants. */
export function mustBeTenant(
  name: string,
  { path, namespace }: TenancySettings,
  exempt: ReadonlyMap<string, TenancyIdentity>,
): void {
  const fault = dnsLabelFault(name);
  if (fault) {
    throw refusal(path, { rule: TENANT_NAME, what: `tenant ${fault}`, remedy: 'pass the name of a namespace' });
  }
  const who = exempt.get(name);
  if (name === namespace || who) {
    const whose = who ? `that of ${who.username}, which is exempt from the policies` : 'that of the balancer itself';
    const what = `namespace '${name}' is ${whose}`;
    throw refusal(path, { rule: TENANT_OF_PLATFORM, what, remedy: 'keep tenants out of it' });
  }
}

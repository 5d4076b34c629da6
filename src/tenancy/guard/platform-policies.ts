import type { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import { dnsNameFault } from '../../contract/kubernetes-syntax';
import type { KubernetesVersion } from '../../contract/kubernetes-version';
import { type Fault, faultOf } from '../fault';
import { SUSPENDED_LABEL } from '../tenancy.facts';
import { DELETER_SERVICE_ACCOUNTS, DELETER_USERS, DNS_HOSTNAME_ANNOTATIONS } from './guard.facts';
import type { GuardedKind } from './options';
import {
  DNS_NAMES,
  INGRESSES,
  NAMESPACE_LABELS,
  RESERVED_KINDS,
  RESERVED_TLS_ROUTES,
  TLS_NAMES,
} from './policies.facts';
import { celText, celTexts, type DenyPolicy, denyPolicy, type PolicyOfTenants, requirePolicySupport } from './policy';
import { paramPolicy, policyOf } from './policy-template';
import { GUARD } from './rules';
import { TenancyIdentity } from './tenancy-identity';

interface ReservedKinds extends Pick<DenyPolicy, 'name' | 'namespaceSelector' | 'help'> {
  readonly kinds: readonly GuardedKind[];
  readonly exempt: readonly TenancyIdentity[];
}

export function deletingIdentities(): TenancyIdentity[] {
  return [
    ...DELETER_SERVICE_ACCOUNTS.map((account) => TenancyIdentity.serviceAccount(...account)),
    ...DELETER_USERS.map((user) => TenancyIdentity.user(user)),
  ];
}

export function reserveKinds(host: Construct, { kinds, exempt, ...policy }: ReservedKinds): ApiObject {
  const known = new Set(TenancyIdentity.knownControllers().map(({ username }) => username));
  const writers = exempt.map(({ username }) => username).filter((username) => !known.has(username));
  const named = [...new Set(writers)].slice(0, NAMED);
  const remedy =
    named.length === 0
      ? 'ask it for what you need'
      : `ask it for what you need, or have ${named.join(' or ')} apply it`;
  return denyPolicy(host, 'Kinds', {
    ...policy,
    ...policyOf(RESERVED_KINDS, { remedy }),
    exempt: [...exempt, ...deletingIdentities()],
    rules: kinds.map(({ group, resource }) => ({
      apiGroups: [group],
      apiVersions: ['*'],
      operations: ['CREATE', 'UPDATE', 'DELETE'],
      resources: [resource],
    })),
  });
}

const NAMED = 2;

export function makeLabelPolicy(
  host: Construct,
  name: string,
  namespaceLabels: { readonly [key: string]: string },
  kubernetes: KubernetesVersion,
): void {
  requirePolicySupport(host, kubernetes, undefined);
  const keys = celTexts([...Object.keys(namespaceLabels), SUSPENDED_LABEL].sort());
  denyPolicy(host, 'Labels', {
    ...policyOf(NAMESPACE_LABELS, { keys }),
    name: `${name}-labels`,
    namespaceSelector: {},
    exempt: [],
  });
}

interface TlsRoutePolicies extends Pick<DenyPolicy, 'name' | 'namespaceSelector' | 'exempt'> {
  readonly reserved: boolean;
}

/**
 * Keeps tenants from TLSRoutes with which they harm those who share a port with them. Envoy has one listener for all names of a
 * port, and takes none of it where two routes have the same name: from then on no route at that port changes, and a proxy that starts
 * anew serves no name at all. Limits of connections count for each route, so with more of them a tenant has more.
 *
 * @see https://www.envoyproxy.io/docs/envoy/v1.39.1/api-v3/config/listener/v3/listener_components.proto
 */
export function makeTlsRoutePolicies(host: Construct, { reserved, name, ...policy }: TlsRoutePolicies): void {
  if (reserved) {
    const routes = { ...policy, ...policyOf(RESERVED_TLS_ROUTES), name: `${name}-tls-routes` };
    denyPolicy(host, 'TlsRoutes', routes);
  }
  paramPolicy(host, 'TlsNames', { ...policy, name: `${name}-tls-names` }, TLS_NAMES);
}

export function ingressClassesFault(classes: readonly string[] = []): Fault | undefined {
  const fault = classes.map(dnsNameFault).find((one) => one !== undefined);
  return fault === undefined ? undefined : faultOf(GUARD['allowed-class-invalid'], { fault });
}

/**
 * Keeps Ingresses of tenants to some classes: several controllers make a load balancer for each Ingress, and one of them takes those
 * without a class.
 */
export function ingressPolicy(host: Construct, classes: readonly string[], policy: PolicyOfTenants): ApiObject {
  const remedy = classes.length === 0 ? 'remove the Ingress' : `set spec.ingressClassName to ${classes.join(' or ')}`;
  return denyPolicy(host, 'IngressPolicy', {
    ...policy,
    ...policyOf(INGRESSES, { allowed: celTexts(classes), remedy }),
  });
}

const NAMESPACE_IN_DOMAIN = '{namespace}';

export function dnsDomainsFault(domains: readonly string[] = []): Fault | undefined {
  const names = domains.map((domain) => domain.split(NAMESPACE_IN_DOMAIN).join('team'));
  const fault = names
    .map((name) => (name.startsWith('*') ? `'${name}' has a star` : dnsNameFault(name)))
    .find((one) => one);
  return fault === undefined ? undefined : faultOf(GUARD['policy-domain-invalid'], { fault });
}

export function dnsNamePolicy(host: Construct, domains: readonly string[], policy: PolicyOfTenants): ApiObject {
  const params = { domains: domains.map(domainOf).join(', '), keys: celTexts(DNS_HOSTNAME_ANNOTATIONS) };
  return denyPolicy(host, 'DnsPolicy', { ...policy, ...policyOf(DNS_NAMES, params) });
}

function domainOf(domain: string): string {
  return domain
    .split(NAMESPACE_IN_DOMAIN)
    .map((part) => celText(part))
    .join(' + request.namespace + ');
}

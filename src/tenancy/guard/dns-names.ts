import type { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import { dnsNameFault } from '../../contract/kubernetes-syntax';
import type { Fault } from '../fault';
import { GATEWAY_API } from '../tenancy.facts';
import { celText, celTexts } from './admission';
import { type DenyPolicy, denyPolicy } from './deny-policy';
import { DNS_ENDPOINT, DNS_HOSTNAME_ANNOTATIONS, NETWORKING_GROUP } from './guard.facts';
import { CONNECTION_ROUTES, HTTP_ROUTES } from './listener-conditions';
import { POLICY_DNS } from './rules';

/** What stands for the namespace of a tenant in a domain. */
export const NAMESPACE_IN_DOMAIN = '{namespace}';

/** What is wrong with the domains of tenants. */
export function dnsDomainsFault(domains: readonly string[] = []): Fault | undefined {
  const names = domains.map((domain) => domain.split(NAMESPACE_IN_DOMAIN).join('team'));
  const fault = names
    .map((name) => (name.startsWith('*') ? `'${name}' has a star` : dnsNameFault(name)))
    .find((one) => one);
  return fault === undefined
    ? undefined
    : {
        rule: POLICY_DNS,
        what: `dnsDomains: ${fault}`,
        remedy: "write a domain such as '{namespace}.example.com'; all names below are meant",
      };
}

/**
 * Names that external-dns makes of objects of tenants are in their domains. Only changes of names are checked. One list holds all
 * fields by which any of the kinds asks for a name, of which each kind has some.
 */
export function dnsNamePolicy(
  host: Construct,
  domains: readonly string[],
  policy: Pick<DenyPolicy, 'name' | 'namespaceSelector' | 'exempt' | 'help'>,
): ApiObject {
  const isOwn = 'variables.domains.exists(d, n == d || n.endsWith("." + d))';
  const remedy =
    domains.length === 0
      ? celText('external-dns may make no names in this namespace, remove ')
      : "'names that external-dns makes must be in ' + variables.domains.join(' or ') + ', not '";
  return denyPolicy(host, 'DnsPolicy', {
    ...policy,
    rules: [
      // who writes a status writes annotations as well
      { apiGroups: [''], resources: ['services', 'services/status'] },
      { apiGroups: [NETWORKING_GROUP], resources: ['ingresses', 'ingresses/status'] },
      { apiGroups: [DNS_ENDPOINT.group], resources: [DNS_ENDPOINT.resource] },
      { apiGroups: [GATEWAY_API.group], resources: [...CONNECTION_ROUTES, ...HTTP_ROUTES] },
    ].map((rule) => ({ ...rule, apiVersions: ['*'], operations: ['CREATE', 'UPDATE'] })),
    conditions: [
      {
        name: 'names-changed',
        expression: `${namesOf('object')} != '' && (oldObject == null || ${namesOf('object')} != ${namesOf('oldObject')})`,
      },
    ],
    variables: [
      { name: 'domains', expression: `[${domains.map(domainOf).join(', ')}]` },
      {
        name: 'names',
        expression: `${namesOf('object')}.lowerAscii().replace(' ', '').split(',').map(n, n.endsWith('.') ? n.substring(0, size(n) - 1) : n)`,
      },
    ],
    faults: [
      {
        when: `variables.names.exists(n, !(${isOwn}))`,
        says: `${remedy} + variables.names.filter(n, !(${isOwn})).join(', ')`,
      },
    ],
    message: 'external-dns would make a name that is not in a domain of this namespace',
  });
}

/** The names that an object asks for, with commas between them. */
function namesOf(of: string): string {
  const lists = [
    `${celTexts(DNS_HOSTNAME_ANNOTATIONS)}.map(k, ${of}.metadata.?annotations[?k].orValue(''))`,
    // hosts of an Ingress
    `${of}.spec.?rules.orValue([]).map(r, r.?host.orValue(''))`,
    `${of}.spec.?tls.orValue([]).map(t, t.?hosts.orValue([]).join(','))`,
    // of routes
    `${of}.spec.?hostnames.orValue([])`,
    // of a DNSEndpoint
    `${of}.spec.?endpoints.orValue([]).map(e, e.?dnsName.orValue(''))`,
  ];
  return `(${lists.join(' + ')}).filter(n, n != '').join(',')`;
}

function domainOf(domain: string): string {
  return domain
    .split(NAMESPACE_IN_DOMAIN)
    .map((part) => celText(part))
    .join(' + request.namespace + ');
}

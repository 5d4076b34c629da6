import type { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import { dnsNameFault } from '../../contract/kubernetes-syntax';
import type { Fault } from '../fault';
import { GATEWAY_API } from '../tenancy.facts';
import { DNS_ENDPOINT, DNS_HOSTNAME_ANNOTATIONS, INGRESS_CLASS_ANNOTATION, NETWORKING_GROUP } from './guard.facts';
import { CONNECTION_ROUTES, HTTP_ROUTES } from './listener-conditions';
import { celText, celTexts, type DenyPolicy, denyPolicy } from './policy';
import { GUARD } from './rules';

export function ingressClassesFault(classes: readonly string[] = []): Fault | undefined {
  const fault = classes.map(dnsNameFault).find((one) => one !== undefined);
  return fault === undefined
    ? undefined
    : { rule: GUARD['allowed-class'], what: `ingressClasses: ${fault}`, remedy: 'write the name of an IngressClass' };
}

/** The classes that an Ingress has: two are possible, and controllers differ in which of them they read. A list is of one type. */
function classesOf(ingress: string): string {
  const annotation = celText(INGRESS_CLASS_ANNOTATION);
  return `[dyn(${ingress}.spec.?ingressClassName.orValue('')), dyn(${ingress}.metadata.?annotations.orValue({})[?${annotation}].orValue(''))]`;
}

/**
 * Keeps Ingresses of tenants to some classes: several controllers make a load balancer for each Ingress, and one of them takes those
 * without a class. Only changes of the class are checked, so that controllers go on with what was there before.
 */
export function ingressPolicy(
  host: Construct,
  classes: readonly string[],
  policy: Pick<DenyPolicy, 'name' | 'namespaceSelector' | 'exempt' | 'help'>,
): ApiObject {
  const allowed = celTexts(classes);
  const remedy = remedyOf(classes);
  return denyPolicy(host, 'IngressPolicy', {
    ...policy,
    rules: [
      {
        apiGroups: [NETWORKING_GROUP],
        apiVersions: ['*'],
        operations: ['CREATE', 'UPDATE'],
        // who writes a status writes annotations as well
        resources: ['ingresses', 'ingresses/status'],
      },
    ],
    conditions: [
      {
        name: 'class-changed',
        expression: `oldObject == null || ${classesOf('object')} != ${classesOf('oldObject')}`,
      },
    ],
    variables: [{ name: 'classes', expression: `${classesOf('object')}.filter(c, c != '')` }],
    faults: [
      {
        when: 'size(variables.classes) == 0',
        says: celText(`Ingresses without a class are not allowed: ${remedy}`),
      },
      {
        when: `!variables.classes.all(c, c in ${allowed})`,
        says: `'ingress class ' + variables.classes.filter(c, !(c in ${allowed})).join(', ') + ${celText(` is not allowed, since its controller may make a load balancer of its own: ${remedy}`)}`,
      },
    ],
    message: `the class of the Ingress is not allowed: ${remedy}`,
  });
}

function remedyOf(classes: readonly string[]): string {
  return classes.length === 0 ? 'remove the Ingress' : `set spec.ingressClassName to ${classes.join(' or ')}`;
}

const NAMESPACE_IN_DOMAIN = '{namespace}';

export function dnsDomainsFault(domains: readonly string[] = []): Fault | undefined {
  const names = domains.map((domain) => domain.split(NAMESPACE_IN_DOMAIN).join('team'));
  const fault = names
    .map((name) => (name.startsWith('*') ? `'${name}' has a star` : dnsNameFault(name)))
    .find((one) => one);
  return fault === undefined
    ? undefined
    : {
        rule: GUARD['policy-dns'],
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

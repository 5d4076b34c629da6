import type { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import { dnsNameFault } from '../../contract/kubernetes-syntax';
import type { Fault } from '../fault';
import { faultOf } from '../fault';
import { DNS_HOSTNAME_ANNOTATIONS } from './guard.facts';
import { DNS_NAMES, INGRESSES } from './policies.facts';
import { celText, celTexts, denyPolicy, type PolicyOfTenants } from './policy';
import { policyOf } from './policy-template';
import { GUARD } from './rules';

export function ingressClassesFault(classes: readonly string[] = []): Fault | undefined {
  const fault = classes.map(dnsNameFault).find((one) => one !== undefined);
  return fault === undefined ? undefined : faultOf(GUARD['allowed-class'], { fault });
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
  return fault === undefined ? undefined : faultOf(GUARD['policy-dns'], { fault });
}

/** Names that external-dns makes of objects of tenants are in their domains. */
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

import type { Construct } from 'constructs';
import type { KubernetesVersion } from '../../../contract/kubernetes-version';
import { refuseFirst } from '../../fault';
import { namespaceSelector } from '../../guard/app-state';
import { tenantsAmong } from '../../guard/exemptions';
import { reserveKinds } from '../../guard/platform-policies';
import { celText, celTexts, denyPolicy, requirePolicySupport } from '../../guard/policy';
import { paramPolicy, policyOf } from '../../guard/policy-template';
import type { TenancyIdentity } from '../../guard/tenancy-identity';
import type { DangerousKind } from '../contract/engine';
import { HAPROXY_ANNOTATION_PREFIXES, HAPROXY_COMMON_PREFIX, HAPROXY_SERVICE_ANNOTATIONS } from './facts';
import { INGRESS_CLASS, PUBLISHED_SERVICES, SERVICE_ANNOTATIONS } from './policies.facts';

/** The prefixes that are HAProxy's alone; behind the others only names that it knows are its own. */
const OWN_PREFIXES = HAPROXY_ANNOTATION_PREFIXES.filter((prefix) => prefix !== HAPROXY_COMMON_PREFIX);

export function readByHaproxy(key: string): boolean {
  const bare = key.startsWith(HAPROXY_COMMON_PREFIX) ? key.slice(HAPROXY_COMMON_PREFIX.length) : key;
  return (
    OWN_PREFIXES.some((prefix) => key.startsWith(prefix)) ||
    (!bare.includes('/') && HAPROXY_SERVICE_ANNOTATIONS.some((name) => bare === name || bare.startsWith(`${name}-`)))
  );
}

interface HaproxyPolicyScope {
  readonly name: string;
  readonly namespaceLabels: { readonly [key: string]: string };
  readonly ingressClass: string;
  readonly kubernetes: KubernetesVersion;
  /** The identities that alone may write HAProxy's kinds; without any, these are not checked. */
  readonly platform?: readonly TenancyIdentity[];
  readonly publishers: readonly TenancyIdentity[];
  readonly dangerous: readonly DangerousKind[];
}

/**
 * Tenants write no annotations that HAProxy's controller reads from their Services, no Ingress of its class, and none of its
 * kinds.
 */
export function makePolicies(scope: Construct, scopes: HaproxyPolicyScope): void {
  const { name, kubernetes, platform, publishers, dangerous, ingressClass } = scopes;
  requirePolicySupport(scope, kubernetes, undefined);
  refuseFirst(scope, [tenantsAmong(platform ?? [])]);
  const selector = namespaceSelector(scope, scopes.namespaceLabels);
  const policy = { namespaceSelector: selector, exempt: [] };
  const annotations = policyOf(SERVICE_ANNOTATIONS, { names: celTexts(HAPROXY_SERVICE_ANNOTATIONS) });
  denyPolicy(scope, 'ServiceAnnotations', { ...policy, ...annotations, name: `${name}-service-annotations` });
  const params = { class: celText(ingressClass), className: ingressClass };
  denyPolicy(scope, 'IngressClass', { ...policy, ...policyOf(INGRESS_CLASS, params), name: `${name}-ingress-class` });
  paramPolicy(scope, 'Published', { ...policy, name: `${name}-published-services` }, PUBLISHED_SERVICES, params);
  if (platform && platform.length > 0) {
    reserveKinds(scope, {
      name: `${name}-kinds`,
      namespaceSelector: selector,
      kinds: dangerous,
      exempt: [...platform, ...publishers],
    });
  }
}

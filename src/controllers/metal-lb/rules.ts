import type { Annotation } from '../../contract/annotation-catalogue';
import { type Json, list } from '../../contract/json';
import { isIpv6 } from '../../contract/kubernetes-syntax';
import type { ILoadBalancerController } from '../../contract/load-balancer-controller';
import type { Rule } from '../../rules/rule';
import type { RuleContext } from '../../rules/rule-context';
import { annotationsOf, isLocal } from '../../rules/service-json';
import { METALLB, METALLB_SOURCE } from './annotations';
import { METALLB_PREFIX_SINCE, type MetalLbMode } from './facts';

const USAGE = { ...METALLB_SOURCE, file: 'website/content/usage/_index.md' };

/** The mode of the installed controller, where it is known. */
function modeOf(controller: ILoadBalancerController | undefined): MetalLbMode | undefined {
  return (controller as { _mode?: MetalLbMode } | undefined)?._mode;
}

/** The value of an annotation in its current spelling, which old versions do not read, else in the deprecated one. */
function currentValue<T>(
  service: Json,
  { current, deprecated }: Record<'current' | 'deprecated', Annotation<T>>,
  { kind, controller }: RuleContext,
): T | undefined {
  const annotations = annotationsOf(service);
  const isOld = kind?.versionOf?.(controller)?.reaches(METALLB_PREFIX_SINCE) === false;
  return (annotations[current.key()] === undefined || isOld ? deprecated : current).on(annotations);
}

/** `spec.loadBalancerIP`, where it is set. */
function fieldOf(service: Json): string | undefined {
  const field = service.spec?.loadBalancerIP;
  return typeof field === 'string' && field !== '' ? field : undefined;
}

/** How many families the Service has for certain; nothing where the cluster decides. */
function familiesOf(service: Json): number | undefined {
  const { ipFamilies, ipFamilyPolicy } = service.spec ?? {};
  if (ipFamilyPolicy === 'PreferDualStack') {
    return undefined;
  }
  return ipFamilyPolicy === 'RequireDualStack' || list(ipFamilies).length > 1 ? 2 : 1;
}

/** What MetalLB makes of a finished Service. */
export const METALLB_RULES: readonly Rule[] = [
  {
    id: 'metallb-one-place-for-addresses',
    severity: 'error',
    effect: 'refused',
    says: 'addresses in the annotation and in spec.loadBalancerIP',
    source: METALLB_SOURCE,
    on: ['spec.loadBalancerIP'],
    judge(service, context) {
      const addresses = currentValue(service, METALLB.loadBalancerIps, context);
      const field = fieldOf(service);
      return addresses && field
        ? {
            what: `both the annotation with ${addresses.join(', ')} and spec.loadBalancerIP ${field} are set, so no address is assigned`,
            remedy: 'keep the annotation',
            value: field,
          }
        : undefined;
    },
  },
  {
    id: 'metallb-address-families',
    severity: 'error',
    effect: 'refused',
    says: 'requested addresses do not match the IP families of the Service',
    source: { ...METALLB_SOURCE, file: 'internal/ipfamily/ipfamily.go' },
    on: ['spec.loadBalancerIP'],
    reads: Object.values(METALLB.loadBalancerIps),
    judge(service, context) {
      const field = fieldOf(service);
      const addresses = currentValue(service, METALLB.loadBalancerIps, context) ?? (field ? [field] : []);
      const found = addresses.map((address) => (isIpv6(address) ? 'IPv6' : 'IPv4'));
      const value = addresses.join(', ');
      if (new Set(found).size < found.length) {
        return {
          what: `addresses ${value} are several of one family`,
          remedy: 'ask for at most one IPv4 and one IPv6 address',
          value,
        };
      }
      const families = familiesOf(service);
      const first = list<string>(service.spec?.ipFamilies)[0];
      const unlike = families === 1 && first !== undefined && found[0] !== first;
      return found.length > 0 && families !== undefined && (found.length !== families || unlike)
        ? {
            what: `addresses ${value} do not match the IP families of the Service, so no address is assigned`,
            remedy: 'ask for one address of each family that the Service has',
            value,
          }
        : undefined;
    },
  },
  {
    id: 'metallb-layer2-one-node',
    severity: 'warning',
    says: 'policy Local in layer 2 leaves all traffic to the pods of one node',
    source: USAGE,
    on: ['spec.externalTrafficPolicy'],
    judge(service, { controller }) {
      return isLocal(service) && modeOf(controller) === 'layer2'
        ? {
            what: 'in layer 2, traffic policy Local leaves all traffic to the pods of the one node that announces the address: the others wait for its failure',
            remedy: 'announce the address by BGP, or use traffic policy Cluster where the client address may be lost',
            value: 'Local',
          }
        : undefined;
    },
  },
  {
    id: 'metallb-bgp-affinity',
    severity: 'warning',
    says: 'session affinity does not hold across the nodes that BGP chooses',
    source: { ...METALLB_SOURCE, file: 'website/content/concepts/bgp.md' },
    on: ['spec.sessionAffinity'],
    judge(service, { controller }) {
      return service.spec?.sessionAffinity === 'ClientIP' && modeOf(controller) === 'bgp'
        ? {
            what: 'sessionAffinity ClientIP holds on one node only, and routers may send the next connection of a client to another node',
            remedy: 'let the routers hash by source address, or announce the address in layer 2',
            value: 'ClientIP',
          }
        : undefined;
    },
  },
  {
    id: 'metallb-shared-local',
    severity: 'warning',
    says: 'policy Local and a sharing key require identical selectors',
    source: { ...METALLB_SOURCE, file: 'internal/allocator/k8salloc/k8salloc.go' },
    on: ['spec.externalTrafficPolicy'],
    judge(service, context) {
      const { among } = context;
      const key = currentValue(service, METALLB.allowSharedIp, context);
      const services = among?.index.of('', 'Service') ?? [];
      // of two Services, what they claim decides
      const isAlone = services.every(
        ({ json }) => json === among?.json || currentValue(json, METALLB.allowSharedIp, context) !== key,
      );
      return key && isLocal(service) && isAlone
        ? {
            what: `with traffic policy Local the sharing key '${key}' joins only Services of the very same selector`,
            remedy: 'use traffic policy Cluster, or the same selector in all of them',
            value: key,
          }
        : undefined;
    },
  },
  {
    id: 'metallb-sharing-is-optional',
    severity: 'warning',
    says: 'sharing key without a requested address',
    source: USAGE,
    reads: Object.values(METALLB.allowSharedIp),
    judge(service, context) {
      const key = currentValue(service, METALLB.allowSharedIp, context);
      return key && !currentValue(service, METALLB.loadBalancerIps, context) && !fieldOf(service)
        ? {
            what: `the sharing key '${key}' lets MetalLB share an address, but does not make it`,
            remedy: 'ask for the same address in all Services of the key',
            value: key,
          }
        : undefined;
    },
  },
];

import { type Json, list } from '../../contract/json';
import { isIpv6 } from '../../contract/kubernetes-syntax';
import type { Rule } from '../../rules/rule';
import { annotationsOf } from '../../rules/service-json';
import { GKE, gkeFile } from './annotations';
import { has, isInternal } from './reading';

/** The rules about addresses: those of the balancer and those of clients. */
export const GKE_ADDRESS_RULES: readonly Rule[] = [
  {
    id: 'gke-static-address-twice',
    severity: 'warning',
    says: 'names of reserved addresses win over spec.loadBalancerIP',
    source: gkeFile('pkg/l4/address/to_use.go'),
    judge(service) {
      const ip: unknown = service.spec?.loadBalancerIP;
      return ip && has(service, GKE.loadBalancerIpAddresses)
        ? {
            what: `${GKE.loadBalancerIpAddresses.key()} wins over spec.loadBalancerIP '${ip}' (MixedStaticIP)`,
            remedy: 'leave spec.loadBalancerIP out',
            value: String(ip),
          }
        : undefined;
    },
  },
  {
    id: 'gke-ip-collection',
    severity: 'error',
    says: 'a collection of IPv6 addresses is for Services of IPv6 only, and excludes a subnet',
    source: gkeFile('pkg/l4/resources/l4netlb.go'),
    judge(service) {
      const collection = annotationsOf(service)[GKE.ipCollectionV6.key()];
      if (collection === undefined || isInternal(service)) {
        return undefined;
      }
      const families = list<string>(service.spec?.ipFamilies);
      const key = GKE.ipCollectionV6.key();
      const value = String(collection);
      return [
        ...(has(service, GKE.loadBalancerSubnet)
          ? [{ what: `${key} and ${GKE.loadBalancerSubnet.key()} exclude each other`, remedy: 'keep one', value }]
          : []),
        ...(families.length === 0 || families.includes('IPv4')
          ? [
              {
                what: `${key} is refused unless the Service is IPv6 only`,
                remedy: 'set ipFamilies to IPv6 alone',
                value,
              },
            ]
          : []),
      ];
    },
  },
  {
    id: 'gke-source-ranges-of-family',
    severity: 'error',
    says: 'source ranges of one address family leave the other one open to everybody',
    source: gkeFile('pkg/l4/utils/sourceranges.go'),
    judge(service) {
      const spec = list<unknown>(service.spec?.loadBalancerSourceRanges).map(String);
      const ranges = spec.length > 0 ? spec : (GKE.sourceRanges.on(annotationsOf(service)) ?? []);
      const open = familiesOf(service).filter(
        (family) => !ranges.some((range) => isIpv6(range) === (family === 'IPv6')),
      );
      return ranges.length > 0
        ? open.map((family) => ({
            what: `no source range is ${family}, which leaves ${family} open to everybody who reaches the balancer`,
            remedy: `add a range of ${family}, or leave that family out`,
            value: ranges.join(','),
          }))
        : undefined;
    },
  },
];

function familiesOf(service: Json): string[] {
  const families = list<string>(service.spec?.ipFamilies);
  if (families.length > 0) {
    return families;
  }
  return service.spec?.ipFamilyPolicy === 'RequireDualStack' ? ['IPv4', 'IPv6'] : ['IPv4'];
}

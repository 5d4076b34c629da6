import type { Annotation } from '../../contract/annotation-catalogue';
import type { Finding } from '../../contract/finding';
import { list } from '../../contract/json';
import { isIpv6 } from '../../contract/kubernetes-syntax';
import { LoadBalancerScheme } from '../../contract/load-balancer-scheme';
import type { Rule } from '../../rules/rule';
import { annotationsOf } from '../../rules/service-json';
import { SUBNET_SIZES, twiceInSubnet } from '../aws/rules';
import { AWS_LBC } from './annotations';
import { LBC_FILES, lbcFile } from './facts';
import { NlbIpAddressType } from './options';
import { listenersOf, present, schemeOf, sourceRangesOf } from './reading';

const PER_SUBNET: readonly Annotation<string[]>[] = [
  AWS_LBC.eipAllocations,
  AWS_LBC.privateIpv4Addresses,
  AWS_LBC.ipv6Addresses,
  AWS_LBC.sourceNatIpv6Prefixes,
];

/** Not for annotations without the scheme. */
export const ADDRESSES_AND_SCHEME: Rule = {
  id: 'addresses-and-scheme',
  severity: 'error',
  effect: 'refused',
  says: 'fixed addresses that do not fit the scheme',
  source: LBC_FILES.loadBalancer,
  reads: [AWS_LBC.eipAllocations, AWS_LBC.privateIpv4Addresses],
  judge(service) {
    const annotations = annotationsOf(service);
    const scheme = schemeOf(annotations);
    const eips = AWS_LBC.eipAllocations.on(annotations);
    const addresses = AWS_LBC.privateIpv4Addresses.on(annotations);
    return present<Finding>([
      eips &&
        scheme === LoadBalancerScheme.INTERNAL && {
          what: `elastic IPs ${eips.join(', ')} cannot be on an internal balancer`,
          remedy: 'make it internet-facing, or use private IPv4 addresses',
          value: eips.join(', '),
        },
      addresses &&
        scheme === LoadBalancerScheme.INTERNET_FACING && {
          what: `private addresses ${addresses.join(', ')} cannot be on an internet-facing balancer`,
          remedy: 'make it internal, or use elastic IPs',
          value: addresses.join(', '),
        },
    ]);
  },
};

/** Not for annotations without the address type. */
export const IPV6_WITHOUT_DUALSTACK: Rule = {
  id: 'ipv6-without-dualstack',
  severity: 'error',
  effect: 'refused',
  says: 'IPv6 settings on a balancer that is not dualstack',
  source: LBC_FILES.loadBalancer,
  on: ['spec.ipFamilies', 'spec.loadBalancerSourceRanges'],
  reads: [AWS_LBC.sourceRanges, AWS_LBC.ipv6Addresses, AWS_LBC.enablePrefixForIpv6SourceNat],
  judge(service) {
    const annotations = annotationsOf(service);
    const type = annotations[AWS_LBC.ipAddressType.key()];
    if (type !== undefined && type !== NlbIpAddressType.IPV4) {
      return undefined;
    }
    const ranges = AWS_LBC.securityGroups.on(annotations) ? [] : sourceRangesOf(service, annotations);
    const needs: readonly [string, unknown][] = [
      ['IP family IPv6', list(service.spec?.ipFamilies).includes('IPv6')],
      ...ranges.filter(isIpv6).map((range): [string, unknown] => [`source range ${range}`, true]),
      ['fixed IPv6 addresses', AWS_LBC.ipv6Addresses.on(annotations)],
      ['IPv6 source NAT', AWS_LBC.enablePrefixForIpv6SourceNat.on(annotations)],
    ];
    return needs
      .filter(([, needed]) => needed)
      .map(([what]) => ({
        what: `the balancer is of IPv4, and ${what} cannot be had without dualstack`,
        remedy: `set ${AWS_LBC.ipAddressType.key()} to ${NlbIpAddressType.DUALSTACK}`,
        value: type,
      }));
  },
};

/** Contradictions among annotations alone. */
export const AWS_ADDRESSES_CONTRADICTIONS: readonly Rule[] = [
  {
    id: 'source-nat-prefixes-without-source-nat',
    severity: 'error',
    says: 'source NAT prefixes without IPv6 source NAT',
    source: LBC_FILES.networking,
    reads: [AWS_LBC.sourceNatIpv6Prefixes],
    judge(service) {
      const annotations = annotationsOf(service);
      return AWS_LBC.sourceNatIpv6Prefixes.on(annotations) &&
        AWS_LBC.enablePrefixForIpv6SourceNat.on(annotations) !== true
        ? {
            what: 'IPv6 source NAT prefixes are given, but IPv6 source NAT is off',
            remedy: `set ${AWS_LBC.enablePrefixForIpv6SourceNat.key()} to on`,
          }
        : undefined;
    },
  },
  {
    id: 'one-address-a-subnet',
    severity: 'error',
    effect: 'refused',
    says: 'subnet or address listed twice',
    source: SUBNET_SIZES,
    reads: [AWS_LBC.subnets, AWS_LBC.eipAllocations, AWS_LBC.privateIpv4Addresses, AWS_LBC.ipv6Addresses],
    judge(service) {
      const annotations = annotationsOf(service);
      return present(
        [AWS_LBC.subnets, AWS_LBC.eipAllocations, AWS_LBC.privateIpv4Addresses, AWS_LBC.ipv6Addresses].map((entry) =>
          twiceInSubnet(entry.key(), entry.on(annotations) ?? []),
        ),
      );
    },
  },
  {
    id: 'addresses-and-subnets',
    severity: 'error',
    effect: 'refused',
    says: 'number of fixed addresses differs from number of subnets',
    source: LBC_FILES.loadBalancer,
    reads: [AWS_LBC.subnets],
    judge(service) {
      const annotations = annotationsOf(service);
      const subnets = AWS_LBC.subnets.on(annotations);
      return (
        subnets &&
        present(
          PER_SUBNET.map((entry) => {
            const given = entry.on(annotations);
            return (
              given &&
              given.length !== subnets.length && {
                what: `${entry.key()} has ${given.length} entries for ${subnets.length} subnets`,
                remedy: 'give one for each subnet',
                value: given.join(', '),
              }
            );
          }),
        )
      );
    },
  },
];

/** The rules about subnets and addresses. */
export const AWS_ADDRESSES_RULES: readonly Rule[] = [
  ...AWS_ADDRESSES_CONTRADICTIONS,
  ADDRESSES_AND_SCHEME,
  IPV6_WITHOUT_DUALSTACK,
  {
    id: 'udp-on-dualstack',
    severity: 'error',
    says: 'UDP on a dualstack balancer without IPv6 source NAT',
    source: lbcFile('docs/guide/service/annotations.md'),
    reads: [AWS_LBC.ipAddressType],
    judge(service) {
      const annotations = annotationsOf(service);
      return AWS_LBC.ipAddressType.on(annotations) === NlbIpAddressType.DUALSTACK &&
        AWS_LBC.enablePrefixForIpv6SourceNat.on(annotations) !== true &&
        listenersOf(service, annotations).some((listener) => listener.hasUdp)
        ? {
            what: 'a UDP port on a dualstack balancer lacks IPv6 source NAT',
            remedy: `set ${AWS_LBC.enablePrefixForIpv6SourceNat.key()} to on`,
          }
        : undefined;
    },
  },
  {
    id: 'addresses-without-subnets',
    severity: 'warning',
    says: 'fixed addresses without subnets',
    source: LBC_FILES.loadBalancer,
    reads: PER_SUBNET,
    judge(service) {
      const annotations = annotationsOf(service);
      return AWS_LBC.subnets.key() in annotations
        ? undefined
        : present(
            PER_SUBNET.map((entry) => {
              const given = entry.on(annotations);
              return (
                given && {
                  what: `${entry.key()} has ${given.length === 1 ? '1 entry' : `${given.length} entries`}, and no subnets are set: as soon as the controller finds another number of them it makes no balancer, or changes none`,
                  remedy: `name as many subnets with ${AWS_LBC.subnets.key()}`,
                  value: given.join(', '),
                }
              );
            }),
          );
    },
  },
  {
    id: 'targets-of-ipv6',
    severity: 'warning',
    says: 'IPv6 among the families makes all targets IPv6',
    source: LBC_FILES.targetGroup,
    on: ['spec.ipFamilies'],
    judge(service) {
      const families = list(service.spec?.ipFamilies);
      return families.includes('IPv4') && families.includes('IPv6')
        ? {
            what: 'ipFamilies IPv4 and IPv6 make the targets IPv6: where pods and nodes have addresses of IPv4 alone, as on EKS, there is no target and no event',
            remedy: `leave ipFamilies out, and set ${AWS_LBC.ipAddressType.key()} to ${NlbIpAddressType.DUALSTACK}, by which clients of both families reach targets of IPv4`,
            value: families.join(', '),
          }
        : undefined;
    },
  },
  {
    id: 'load-balancer-ip-ignored',
    severity: 'warning',
    effect: 'ignored',
    says: 'spec.loadBalancerIP is ignored',
    source: LBC_FILES.loadBalancer,
    on: ['spec.loadBalancerIP'],
    supersedes: ['load-balancer-ip'],
    judge: (service) =>
      service.spec?.loadBalancerIP
        ? {
            what: `loadBalancerIP ${service.spec.loadBalancerIP} is ignored`,
            remedy: `use ${AWS_LBC.eipAllocations.key()} or ${AWS_LBC.privateIpv4Addresses.key()}`,
            value: String(service.spec.loadBalancerIP),
          }
        : undefined,
  },
];

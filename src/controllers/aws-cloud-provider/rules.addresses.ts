import { isIpv6 } from '../../contract/kubernetes-syntax';
import type { Rule } from '../../rules/rule';
import { annotationsOf } from '../../rules/service-json';
import { SUBNET_SIZES, twiceInSubnet } from '../aws/rules';
import { AWS_CLOUD, AWS_CLOUD_SOURCE } from './annotations';
import { AWS_CLOUD_FILES } from './facts';
import { isInternal, isNlb, rangesOf, textOf } from './reading';

/** The rules about addresses, and who may connect to them. */
export const AWS_CLOUD_ADDRESSES_RULES: readonly Rule[] = [
  {
    id: 'aws-cloud-load-balancer-ip',
    severity: 'error',
    effect: 'refused',
    says: 'spec.loadBalancerIP is refused',
    source: AWS_CLOUD_SOURCE,
    on: ['spec.loadBalancerIP'],
    supersedes: ['load-balancer-ip'],
    judge(service) {
      const ip: unknown = service.spec?.loadBalancerIP;
      const remedy = `leave it out, or fix the addresses of a Network Load Balancer by ${AWS_CLOUD.eipAllocations.key()} or ${AWS_CLOUD.privateIpv4Addresses.key()}`;
      return ip ? { what: `spec.loadBalancerIP '${ip}' is refused`, remedy, value: String(ip) } : undefined;
    },
  },
  {
    id: 'aws-cloud-addresses-of-scheme',
    severity: 'error',
    effect: 'refused',
    says: 'fixed addresses that do not fit the scheme',
    source: AWS_CLOUD_FILES.loadBalancer,
    reads: [AWS_CLOUD.eipAllocations, AWS_CLOUD.privateIpv4Addresses],
    judge(service) {
      const wrong = isInternal(service) ? AWS_CLOUD.eipAllocations : AWS_CLOUD.privateIpv4Addresses;
      const value = textOf(service, wrong);
      return isNlb(service) && value !== undefined
        ? {
            what: `${wrong.key()} does not fit ${isInternal(service) ? 'an internal' : 'a public'} balancer`,
            remedy: `leave it out, or change ${AWS_CLOUD.internal.key()}`,
            value,
          }
        : undefined;
    },
  },
  {
    id: 'aws-cloud-address-count',
    severity: 'error',
    effect: 'refused',
    says: 'number of fixed addresses differs from number of subnets',
    source: AWS_CLOUD_FILES.loadBalancer,
    reads: [AWS_CLOUD.eipAllocations, AWS_CLOUD.privateIpv4Addresses],
    judge(service) {
      const annotations = annotationsOf(service);
      const subnets = AWS_CLOUD.subnets.on(annotations)?.length;
      if (!isNlb(service) || subnets === undefined) {
        return undefined;
      }
      return [AWS_CLOUD.eipAllocations, AWS_CLOUD.privateIpv4Addresses]
        .map((entry) => ({ key: entry.key(), addresses: entry.on(annotations) ?? [] }))
        .filter(({ addresses }) => addresses.length > 0 && addresses.length !== subnets)
        .map(({ key, addresses }) => ({
          what: `${key} names ${addresses.length} for ${subnets} subnets`,
          remedy: `name as many as subnets, which get them in the order in which AWS lists them, ids before names, and not in that of ${AWS_CLOUD.subnets.key()}`,
          value: addresses.join(','),
        }));
    },
  },
  {
    id: 'aws-cloud-one-address-a-subnet',
    severity: 'error',
    effect: 'refused',
    says: 'subnet or address listed twice',
    source: SUBNET_SIZES,
    reads: [AWS_CLOUD.eipAllocations, AWS_CLOUD.privateIpv4Addresses],
    judge(service) {
      const annotations = annotationsOf(service);
      return isNlb(service)
        ? [AWS_CLOUD.eipAllocations, AWS_CLOUD.privateIpv4Addresses].flatMap(
            (entry) => twiceInSubnet(entry.key(), entry.on(annotations) ?? []) ?? [],
          )
        : undefined;
    },
  },
  {
    id: 'aws-cloud-source-ranges-ignored',
    severity: 'error',
    says: 'source ranges are ignored beside security groups of your own',
    source: AWS_CLOUD_SOURCE,
    reads: [AWS_CLOUD.securityGroups],
    judge(service) {
      const ranges = rangesOf(service);
      const groups = AWS_CLOUD.securityGroups.on(annotationsOf(service));
      return !isNlb(service) && groups && ranges.length > 0
        ? {
            what: `source ranges have no effect beside ${AWS_CLOUD.securityGroups.key()}: the rules of those groups decide who connects`,
            remedy: 'write the ranges into the security groups, or leave the annotation out',
            value: ranges.join(','),
          }
        : undefined;
    },
  },
  {
    id: 'aws-cloud-ipv6-source-range',
    severity: 'error',
    effect: 'refused',
    says: 'IPv6 source range',
    source: AWS_CLOUD_SOURCE,
    on: ['spec.loadBalancerSourceRanges'],
    reads: [AWS_CLOUD.sourceRanges],
    judge(service) {
      const range = rangesOf(service).find(isIpv6);
      return range === undefined
        ? undefined
        : { what: `source range '${range}' is IPv6`, remedy: 'use IPv4 ranges', value: range };
    },
  },
];

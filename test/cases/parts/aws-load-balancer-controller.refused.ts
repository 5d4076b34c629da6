import { AwsLoadBalancerType, LoadBalancerScheme, NlbIpAddressType, NlbTargetType } from '../../../src';
import type { RefusedOptionsRow } from '../../support/cases';
import { DUALSTACK, INTERNET_FACING, nlb } from './aws-load-balancer-controller.words';

/** Options that can never be right together. */
export const refusedOptions: RefusedOptionsRow[] = [
  {
    title: 'a class has a domain',
    make: nlb({ loadBalancerClass: 'nlb' }),
    message: "option loadBalancerClass: 'nlb' has no domain; write domain/name",
  },
  {
    title: 'a class is a name of Kubernetes',
    make: nlb({ loadBalancerClass: 'example.com/my class' }),
    message: 'option loadBalancerClass',
  },
  {
    title: 'type nlb-ip is for ip targets',
    make: nlb({ type: AwsLoadBalancerType.NLB_IP, targetType: NlbTargetType.INSTANCE }),
    message: "type 'nlb-ip' implies ip targets, not 'instance'",
  },
  {
    title: 'the scheme has one spelling',
    make: nlb({ scheme: INTERNET_FACING, loadBalancerInternal: false }),
    message: "internal is not read beside scheme 'internet-facing'; use scheme alone",
  },
  {
    title: 'node labels are for instance targets',
    make: nlb({ targetType: NlbTargetType.IP, targetNodeLabels: { pool: 'edge' } }),
    message: "node labels 'pool=edge' are ignored with ip targets",
  },
  {
    title: 'type nlb-ip makes ip targets, without node labels too',
    make: nlb({ type: AwsLoadBalancerType.NLB_IP, targetNodeLabels: { pool: 'edge' } }),
    message: "node labels 'pool=edge' are ignored with ip targets",
  },
  {
    title: 'QUIC is for ip targets',
    make: nlb({ quicEnabledPorts: ['443'] }),
    message: 'QUIC ports 443 have instance targets; use ip targets',
  },
  {
    title: 'a balancer has security groups or none',
    make: nlb({ disableNlbSg: true, securityGroups: ['sg-1'] }),
    message: 'security-groups is void on a balancer without security groups',
  },
  {
    title: 'a balancer without security groups has no prefix lists',
    make: nlb({ disableNlbSg: true, securityGroupPrefixLists: ['pl-1'] }),
    message: 'security-group-prefix-lists is void on a balancer without security groups',
  },
  {
    title: 'a balancer without security groups has no setting for PrivateLink',
    make: nlb({ disableNlbSg: true, inboundSgRulesOnPrivateLinkTraffic: false }),
    message: 'inbound-sg-rules-on-private-link-traffic is void on a balancer without security groups',
  },
  {
    title: 'source ranges are for the group that the controller makes',
    make: nlb({ securityGroups: ['sg-1'], loadBalancerSourceRanges: ['10.0.0.0/8'] }),
    message: 'sources 10.0.0.0/8 are ignored, because the balancer has security groups of its own, sg-1',
  },
  {
    title: 'prefix lists are for the group that the controller makes',
    make: nlb({ securityGroups: ['sg-1'], securityGroupPrefixLists: ['pl-1'] }),
    message: 'sources pl-1 are ignored',
  },
  {
    title: 'source NAT prefixes need source NAT',
    make: nlb({ ...DUALSTACK, sourceNatIpv6Prefixes: ['auto_assigned'] }),
    message: 'IPv6 source NAT prefixes are given, but IPv6 source NAT is off',
  },
  {
    title: 'addresses are as many as subnets',
    make: nlb({ scheme: INTERNET_FACING, subnets: ['a', 'b'], eipAllocations: ['eipalloc-1'] }),
    message: 'eip-allocations has 1 entries for 2 subnets; give one for each subnet',
  },
  {
    title: 'elastic IPs are for public balancers',
    make: nlb({ scheme: LoadBalancerScheme.INTERNAL, eipAllocations: ['eipalloc-1'] }),
    message: 'elastic IPs eipalloc-1 cannot be on an internal balancer',
  },
  {
    title: 'elastic IPs are for public balancers by the old spelling too',
    make: nlb({ loadBalancerInternal: true, eipAllocations: ['eipalloc-1'] }),
    message: 'elastic IPs eipalloc-1 cannot be on an internal balancer',
  },
  {
    title: 'private addresses are for internal balancers',
    make: nlb({ scheme: INTERNET_FACING, privateIpv4Addresses: ['10.0.0.7'] }),
    message: 'private addresses 10.0.0.7 cannot be on an internet-facing balancer',
  },
  {
    title: 'IPv6 addresses are for dualstack balancers',
    make: nlb({ ipAddressType: NlbIpAddressType.IPV4, ipv6Addresses: ['2001:db8::7'] }),
    message: 'fixed IPv6 addresses cannot be had without dualstack',
  },
  {
    title: 'access logs need a bucket',
    make: nlb({ loadBalancerAttributes: { accessLogsS3Enabled: true } }),
    message: 'access logs are switched on without a bucket',
  },
  {
    title: 'access logs need a bucket by the old spelling too',
    make: nlb({ accessLogEnabled: true }),
    message: 'access logs are switched on without a bucket',
  },
  {
    title: 'a port has its attributes once',
    make: nlb({
      targetGroupAttributesPerPort: [
        { port: 443, attributes: { stickiness: true } },
        { port: 443, attributes: { stickiness: false } },
      ],
    }),
    message: 'port 443 is set twice',
  },
];

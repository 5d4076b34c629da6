import { address, words } from '../../contract/annotation-codec';
import { sparseList } from '../../contract/annotation-codecs-lists';
import { LoadBalancerWish } from '../../contract/load-balancer-wish';
import { ADDRESS } from '../../contract/own-thing';
import { ELASTIC_IP } from '../aws/annotations';
import { idOrName, natPrefix, startingWith } from './codecs';
import { awsEntry, LBC_FILES, SEEN } from './product.annotations';

/** Subnets, and the addresses in them. */
export const AWS_ADDRESSES = {
  subnets: awsEntry('subnets', {
    option: 'subnets',
    codec: sparseList(idOrName),
    default: 'found by tags and route tables; a live balancer keeps its own',
    remark: 'one each zone; whether they are public or private is not looked at',
    source: LBC_FILES.loadBalancer,
    ...SEEN,
  }),
  eipAllocations: awsEntry('eip-allocations', {
    namesOne: ELASTIC_IP,
    option: 'eipAllocations',
    wish: LoadBalancerWish.STATIC_ADDRESSES,
    codec: sparseList(startingWith('eipalloc-', 'the allocation id of an elastic IP')),
    default: 'assigned',
    remark: 'internet-facing only; one each subnet',
    source: LBC_FILES.loadBalancer,
    ...SEEN,
  }),
  privateIpv4Addresses: awsEntry('private-ipv4-addresses', {
    namesOne: ADDRESS,
    option: 'privateIpv4Addresses',
    wish: LoadBalancerWish.STATIC_ADDRESSES,
    codec: sparseList(address(4)),
    default: 'assigned',
    since: 'v2.2.0',
    remark: 'internal only; one in each subnet',
    source: LBC_FILES.loadBalancer,
    ...SEEN,
  }),
  ipv6Addresses: awsEntry('ipv6-addresses', {
    namesOne: ADDRESS,
    option: 'ipv6Addresses',
    wish: LoadBalancerWish.STATIC_ADDRESSES,
    codec: sparseList(address(6)),
    default: 'assigned',
    since: 'v2.4.4',
    remark: 'dualstack only; one in each subnet',
    source: LBC_FILES.loadBalancer,
  }),
  enablePrefixForIpv6SourceNat: awsEntry('enable-prefix-for-ipv6-source-nat', {
    option: 'enablePrefixForIpv6SourceNat',
    codec: words('on', 'off'),
    default: 'off',
    since: 'v2.10.0',
    remark: 'dualstack only; UDP on dualstack needs it; cannot be switched off under a UDP listener',
    source: LBC_FILES.networking,
  }),
  sourceNatIpv6Prefixes: awsEntry('source-nat-ipv6-prefixes', {
    namesOne: { thing: 'source NAT prefix', fate: 'a prefix belongs to one balancer, and the other one is not made' },
    option: 'sourceNatIpv6Prefixes',
    codec: sparseList(natPrefix),
    default: 'auto_assigned',
    since: 'v2.10.0',
    remark: 'only with enable-prefix-for-ipv6-source-nat; one each subnet, inside it',
    source: LBC_FILES.networking,
  }),
};

import { cidr, flag, words } from '../../contract/annotation-codec';
import { sparseList } from '../../contract/annotation-codecs-lists';
import { SOURCE_RANGES_ANNOTATION } from '../../contract/kubernetes.facts';
import { LoadBalancerWish } from '../../contract/load-balancer-wish';
import { idOrName, startingWith } from './codecs';
import { awsEntry, LBC_FILES, SEEN } from './product.annotations';

/** Who may connect: source ranges and security groups. */
export const AWS_SECURITY = {
  sourceRanges: awsEntry('load-balancer-source-ranges', {
    key: SOURCE_RANGES_ANNOTATION,
    option: 'loadBalancerSourceRanges',
    wish: LoadBalancerWish.SOURCE_RANGES,
    codec: sparseList(cidr()),
    default: 'everywhere, unless there are prefix lists',
    remark: 'not read where spec.loadBalancerSourceRanges stands; ignored with security-groups; IPv6 needs dualstack',
    source: LBC_FILES.securityGroup,
  }),
  securityGroupPrefixLists: awsEntry('security-group-prefix-lists', {
    option: 'securityGroupPrefixLists',
    codec: sparseList(startingWith('pl-', 'the id of a prefix list')),
    default: 'none',
    since: 'v2.8.0',
    remark: 'ignored with security-groups',
    source: LBC_FILES.securityGroup,
  }),
  securityGroups: awsEntry('security-groups', {
    option: 'securityGroups',
    codec: sparseList(idOrName),
    default: 'one that the controller makes',
    since: 'v2.6.0',
    remark: 'an unknown one is refused; nodes and pods are then opened only with manage-backend-security-group-rules',
    source: LBC_FILES.loadBalancer,
    ...SEEN,
  }),
  manageBackendSecurityGroupRules: awsEntry('manage-backend-security-group-rules', {
    option: 'manageBackendSecurityGroupRules',
    codec: flag(),
    default:
      'with own security groups what the flag --enable-manage-backend-security-group-rules says (false); else true',
    since: 'v2.4.0',
    source: LBC_FILES.loadBalancer,
  }),
  disableNlbSg: awsEntry('disable-nlb-sg', {
    option: 'disableNlbSg',
    codec: flag(),
    default: 'false',
    since: 'v2.14.0',
    remark: 'decided at creation for ever; opens the node port to the whole VPC',
    source: LBC_FILES.loadBalancer,
    ...SEEN,
  }),
  inboundSgRulesOnPrivateLinkTraffic: awsEntry('inbound-sg-rules-on-private-link-traffic', {
    option: 'inboundSgRulesOnPrivateLinkTraffic',
    codec: words('on', 'off'),
    default: "AWS's",
    since: 'v2.8.0',
    remark: 'needs a balancer with security groups',
    source: LBC_FILES.loadBalancer,
  }),
  enableIcmpForPathMtuDiscovery: awsEntry('enable-icmp-for-path-mtu-discovery', {
    option: 'enableIcmpForPathMtuDiscovery',
    codec: words('on', 'off'),
    default: 'off',
    since: 'v2.12.0',
    remark: 'anything but exactly on means off',
    badValue: 'accepted',
    source: LBC_FILES.securityGroup,
  }),
};

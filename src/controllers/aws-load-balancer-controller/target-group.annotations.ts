import { flag, integer, nodeLabels, oneOf, onlyWord } from '../../contract/annotation-codec';
import { sparseList } from '../../contract/annotation-codecs-lists';
import { LoadBalancerWish } from '../../contract/load-balancer-wish';
import { targetGroupAttributes } from './attributes';
import { awsEntry, LBC_FILES, SEEN } from './product.annotations';
import { NlbTargetType } from './target-group.options';

/** Target groups: which targets there are, and what they see. */
export const AWS_TARGET_GROUP = {
  targetType: awsEntry('nlb-target-type', {
    option: 'targetType',
    codec: oneOf(Object.values(NlbTargetType)),
    default: 'instance, or what the flag --default-target-type says',
    remark: 'anything but exactly ip means instance; a change replaces the target groups',
    badValue: 'accepted',
    source: LBC_FILES.targetGroup,
    ...SEEN,
  }),
  targetNodeLabels: awsEntry('target-node-labels', {
    option: 'targetNodeLabels',
    wish: LoadBalancerWish.BACKEND_NODES,
    codec: nodeLabels(),
    default: 'every node',
    since: 'v2.2.0',
    remark: 'ignored without a word by ip targets; labels that no node carries leave the balancer without targets',
    source: LBC_FILES.targetGroup,
    ...SEEN,
  }),
  proxyProtocol: awsEntry('proxy-protocol', {
    option: 'proxyProtocol',
    wish: LoadBalancerWish.PROXY_PROTOCOL,
    codec: onlyWord('*'),
    default: 'none: no proxy protocol, which is written to AWS too',
    remark: 'wins over proxy-protocol-per-target-group and over the attribute',
    source: LBC_FILES.targetGroup,
    ...SEEN,
  }),
  proxyProtocolPerTargetGroup: awsEntry('proxy-protocol-per-target-group', {
    option: 'proxyProtocolPerTargetGroup',
    wish: LoadBalancerWish.PROXY_PROTOCOL,
    codec: sparseList(integer(1, 65535)),
    default: 'none',
    since: 'v2.13.0',
    remark: 'numbers only; switches it off for the ports that are not listed',
    source: LBC_FILES.targetGroup,
    ...SEEN,
  }),
  targetGroupAttributes: awsEntry('target-group-attributes', {
    option: 'targetGroupAttributes',
    codec: targetGroupAttributes(),
    default: 'proxy_protocol_v2.enabled=false, else what AWS defaults to',
    remark: 'an attribute that is taken out stays as it is; preserve_client_ip.enabled cannot be false for UDP',
    source: LBC_FILES.targetGroup,
    ...SEEN,
  }),
  targetGroupAttributesPerPort: awsEntry('target-group-attributes.{port}', {
    option: 'targetGroupAttributesPerPort',
    codec: targetGroupAttributes(true),
    default: 'what target-group-attributes says',
    since: 'v2.14.0',
    remark: 'wins for its port; an empty value says nothing',
    source: LBC_FILES.targetGroup,
  }),
  multiClusterTargetGroup: awsEntry('multi-cluster-target-group', {
    option: 'multiClusterTargetGroup',
    codec: flag(),
    default: 'false',
    since: 'v2.10.0',
    remark: 'deleting the Service deletes the target groups for all clusters',
    source: LBC_FILES.targetGroup,
    ...SEEN,
  }),
};

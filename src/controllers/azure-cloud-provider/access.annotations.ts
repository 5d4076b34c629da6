import { Annotation } from '../../contract/annotation-catalogue';
import { list, text } from '../../contract/annotation-codec';
import { maskedCidr } from '../../contract/annotation-codecs-network';
import { Confidence, SOURCE_RANGES_ANNOTATION } from '../../contract/kubernetes.facts';
import { LoadBalancerWish } from '../../contract/load-balancer-wish';
import { switchedOn } from './codecs';
import { AZURE_FILES, azureDocs, azureEntry as entry } from './product.annotations';

/** Who may connect: the network security group. */
export const AZURE_ACCESS = {
  disableNsgRule: entry('azure-disable-load-balancer-nsg-rule', {
    option: 'disableNsgRule',
    codec: switchedOn(),
    default: 'false',
    since: 'v1.35.8, v1.36.2',
    badValue: 'accepted',
    remark: 'break-glass: the network security group is then yours',
  }),
  allowedServiceTags: entry('azure-allowed-service-tags', {
    option: 'allowedServiceTags',
    codec: list(text({ says: 'a service tag like AzureCloud', matches: /^[A-Za-z][A-Za-z0-9._-]*$/ })),
    default: 'none',
    since: 'v1.11',
    source: AZURE_FILES.access,
    remark: 'not together with loadBalancerSourceRanges, which kube-proxy enforces without knowing tags',
  }),
  allowedIpRanges: entry('azure-allowed-ip-ranges', {
    option: 'allowedIpRanges',
    wish: LoadBalancerWish.SOURCE_RANGES,
    codec: list(maskedCidr()),
    default: 'none',
    since: 'v1.29',
    badValue: 'accepted',
    source: AZURE_FILES.access,
    remark: 'network security group only; an unreadable range shuts out everything that is not listed',
  }),
  denyAllExceptLoadBalancerSourceRanges: entry('azure-deny-all-except-load-balancer-source-ranges', {
    option: 'denyAllExceptLoadBalancerSourceRanges',
    codec: switchedOn(),
    default: 'false: the virtual network may always connect',
    since: 'v1.21',
    badValue: 'accepted',
    restrictsClients: true,
    source: AZURE_FILES.accessControl,
    remark: 'does nothing without ranges',
  }),
  loadBalancerSourceRanges: new Annotation<string[]>({
    key: SOURCE_RANGES_ANNOTATION,
    option: 'loadBalancerSourceRanges',
    wish: LoadBalancerWish.SOURCE_RANGES,
    codec: list(maskedCidr()),
    default: 'none',
    badValue: 'accepted',
    source: AZURE_FILES.access,
    confidence: Confidence.SOURCE,
    remark: 'here the same as azure-allowed-ip-ranges: network security group only',
  }),
  sharedSecurityRule: entry('azure-shared-securityrule', {
    codec: switchedOn(),
    default: 'false',
    deprecated: true,
    badValue: 'accepted',
    source: azureDocs('loadbalancer'),
    remark: 'leave it out: it is not read since v1.36.0',
  }),
};

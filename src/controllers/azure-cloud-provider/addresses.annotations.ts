import type { Annotation, AnyAnnotation } from '../../contract/annotation-catalogue';
import { address } from '../../contract/annotation-codec';
import { LoadBalancerWish } from '../../contract/load-balancer-wish';
import { type OwnThing, SHARED_ADDRESS } from '../../contract/own-thing';
import { addresses, dnsLabel, name, prefixId, resourceGroup, tags } from './codecs';
import { AZURE_FILES, azureDocs, azureEntry as entry } from './product.annotations';

const RESOURCE_GROUP = entry('azure-load-balancer-resource-group', {
  option: 'loadBalancerResourceGroup',
  codec: resourceGroup(),
  default: 'the node resource group',
  since: 'v1.10',
  remark: 'the group of the public IP, not of the balancer',
});

const PUBLIC_IP: OwnThing = { ...SHARED_ADDRESS, thing: 'public IP', within: RESOURCE_GROUP.key() };

/** Addresses and public IPs. */
export const AZURE_ADDRESS = {
  loadBalancerIpv4: entry('azure-load-balancer-ipv4', {
    namesOne: SHARED_ADDRESS,
    option: 'loadBalancerIpv4',
    wish: LoadBalancerWish.STATIC_ADDRESSES,
    codec: address(4),
    default: 'assigned',
    since: 'v1.21',
    remark:
      'a public one must exist already; a private one must lie in the subnet; Services of one address share its frontend',
  }),
  loadBalancerIpv6: entry('azure-load-balancer-ipv6', {
    namesOne: SHARED_ADDRESS,
    option: 'loadBalancerIpv6',
    wish: LoadBalancerWish.STATIC_ADDRESSES,
    codec: address(6),
    default: 'assigned',
    since: 'v1.21',
    remark: 'as for IPv4; Standard only',
  }),
  loadBalancerResourceGroup: RESOURCE_GROUP,
  dnsLabelName: entry('azure-dns-label-name', {
    namesOne: { thing: 'DNS label', fate: 'a label belongs to one Service, and the controller refuses the other one' },
    option: 'dnsLabelName',
    codec: dnsLabel(),
    default: 'none',
    since: 'v1.15',
    remark: 'unique in the region; one Service per public IP; the empty text removes the label',
  }),
  pipName: entry('azure-pip-name', {
    namesOne: PUBLIC_IP,
    option: 'pipName',
    wish: LoadBalancerWish.STATIC_ADDRESSES,
    codec: name('a public IP'),
    default: 'generated',
    since: 'v1.16, shared since v1.24',
    remark:
      'must exist already; of IPv4, or of the only family of the Service; Services of one name share its frontend',
  }),
  pipNameIpv6: entry('azure-pip-name-ipv6', {
    namesOne: PUBLIC_IP,
    option: 'pipNameIpv6',
    wish: LoadBalancerWish.STATIC_ADDRESSES,
    codec: name('a public IP'),
    default: 'generated',
    since: 'v1.27',
    remark: 'must exist already; Standard only',
  }),
  pipPrefixId: entry('azure-pip-prefix-id', {
    option: 'pipPrefixId',
    codec: prefixId(),
    default: 'none',
    since: 'v1.21',
    remark: 'Standard only',
  }),
  pipPrefixIdIpv6: entry('azure-pip-prefix-id-ipv6', {
    option: 'pipPrefixIdIpv6',
    codec: prefixId(),
    default: 'none',
    since: 'v1.27',
    remark: 'Standard only',
  }),
  pipTags: entry('azure-pip-tags', {
    option: 'pipTags',
    codec: tags(/^(aks-managed|k8s-azure|(service|cluster-name)$)/i),
    default: 'none',
    since: 'v1.20',
    badValue: 'accepted',
    source: azureDocs('tagging-resources'),
    remark: 'for public IPs that the controller made; tags that vanish from the list stay on the address',
  }),
  pipIpTags: entry('azure-pip-ip-tags', {
    option: 'pipIpTags',
    codec: tags(),
    default: 'none',
    since: 'v1.21',
    badValue: 'accepted',
    remark: 'Standard only; a change may replace the public IP by a new one',
  }),
  additionalPublicIps: entry('azure-additional-public-ips', {
    namesOne: SHARED_ADDRESS,
    option: 'additionalPublicIps',
    codec: addresses(),
    default: 'none',
    since: 'v1.20',
    source: AZURE_FILES.access,
    remark: 'not made by the controller, only published for kube-proxy',
  }),
};

/** Entries that fix the address and so the balancer. */
export const AZURE_ADDRESSES: readonly Annotation<string>[] = [
  AZURE_ADDRESS.loadBalancerIpv4,
  AZURE_ADDRESS.loadBalancerIpv6,
  AZURE_ADDRESS.pipName,
  AZURE_ADDRESS.pipNameIpv6,
];

/** Entries that a public frontend alone reads. */
export const AZURE_PUBLIC_ONLY: readonly AnyAnnotation[] = [
  AZURE_ADDRESS.loadBalancerResourceGroup,
  AZURE_ADDRESS.dnsLabelName,
  AZURE_ADDRESS.pipName,
  AZURE_ADDRESS.pipNameIpv6,
  AZURE_ADDRESS.pipPrefixId,
  AZURE_ADDRESS.pipPrefixIdIpv6,
  AZURE_ADDRESS.pipTags,
  AZURE_ADDRESS.pipIpTags,
];

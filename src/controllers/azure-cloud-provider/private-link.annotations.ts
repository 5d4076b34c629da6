import type { AnyAnnotation } from '../../contract/annotation-catalogue';
import { address, text } from '../../contract/annotation-codec';
import { LoadBalancerWish } from '../../contract/load-balancer-wish';
import { ADDRESS } from '../../contract/own-thing';
import { count, name, resourceGroup, spaced, subscriptions, switchedOn, trimmed } from './codecs';
import { AZURE_FILES, azureEntry as entry } from './product.annotations';

const RESOURCE_GROUP = entry('azure-pls-resource-group', {
  option: 'plsResourceGroup',
  codec: resourceGroup(),
  default: 'that of the cloud configuration',
  source: AZURE_FILES.privateLink,
});

/** The private link service before the frontend. */
export const AZURE_PLS = {
  plsCreate: entry('azure-pls-create', {
    option: 'plsCreate',
    codec: switchedOn(),
    default: 'false',
    badValue: 'accepted',
    source: AZURE_FILES.privateLink,
    remark: 'internal, or with floating IP disabled; IPv4 only; at most 8 on one balancer',
  }),
  plsName: entry('azure-pls-name', {
    namesOne: {
      thing: 'private link service',
      fate: 'it belongs to the frontend of one of them, and the other one gets none',
      shared: 'with-address',
      within: RESOURCE_GROUP.key(),
    },
    option: 'plsName',
    codec: trimmed(name('a private link service')),
    default: 'pls- and the name of the frontend',
    source: AZURE_FILES.privateLink,
    remark: 'cannot be changed later',
  }),
  plsResourceGroup: RESOURCE_GROUP,
  plsIpConfigurationSubnet: entry('azure-pls-ip-configuration-subnet', {
    option: 'plsIpConfigurationSubnet',
    codec: name('a subnet'),
    default: 'the internal subnet of the Service, else that of the cloud configuration',
    source: AZURE_FILES.privateLink,
    remark: 'in the virtual network of the nodes',
  }),
  plsIpConfigurationIpAddressCount: entry('azure-pls-ip-configuration-ip-address-count', {
    option: 'plsIpConfigurationIpAddressCount',
    codec: count(1, 8),
    default: '1',
    source: AZURE_FILES.privateLink,
  }),
  plsIpConfigurationIpAddress: entry('azure-pls-ip-configuration-ip-address', {
    namesOne: { ...ADDRESS, shared: 'with-address' },
    option: 'plsIpConfigurationIpAddress',
    codec: spaced(address(4)),
    default: 'assigned',
    source: AZURE_FILES.privateLink,
    remark: 'the first one is the primary one; not more than the address count',
  }),
  plsFqdns: entry('azure-pls-fqdns', {
    option: 'plsFqdns',
    codec: spaced(text({ says: 'a domain name', matches: /^[A-Za-z0-9_*]([A-Za-z0-9_.-]*[A-Za-z0-9])?$/ })),
    default: 'none',
    source: AZURE_FILES.privateLink,
  }),
  plsProxyProtocol: entry('azure-pls-proxy-protocol', {
    option: 'plsProxyProtocol',
    wish: LoadBalancerWish.PROXY_PROTOCOL,
    codec: switchedOn(),
    default: 'false',
    badValue: 'accepted',
    source: AZURE_FILES.privateLink,
    remark: 'the pods must speak it; takes the probe of traffic policy Local away, each port is probed instead',
  }),
  plsVisibility: entry('azure-pls-visibility', {
    option: 'plsVisibility',
    codec: subscriptions(true),
    default: 'whom role-based access control admits',
    badValue: 'accepted',
    source: AZURE_FILES.privateLink,
  }),
  plsAutoApproval: entry('azure-pls-auto-approval', {
    option: 'plsAutoApproval',
    codec: subscriptions(false),
    default: 'none',
    source: AZURE_FILES.privateLink,
    remark: 'only for subscriptions that see the service',
  }),
};

/** Entries that do nothing unless the service is made. */
export const AZURE_PRIVATE_LINK: readonly AnyAnnotation[] = Object.values(AZURE_PLS).filter(
  (entry: AnyAnnotation) => entry !== AZURE_PLS.plsCreate,
);

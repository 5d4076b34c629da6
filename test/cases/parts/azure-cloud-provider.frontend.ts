import { AzureCloudProvider, IpFamily } from '../../../src';
import { ONE_PORT, type RequestRow } from '../../support/cases';
import { basic, internal, keys, multiple, publicly, standard } from './azure-cloud-provider.words';

/** Families, ranges, addresses, sharing and proxy protocol. */
export const frontend: RequestRow[] = [
  {
    title: 'each IP family gets a frontend',
    controller: standard,
    request: { ...publicly, ipFamilies: [IpFamily.IPV4, IpFamily.IPV6] },
    plan: { ipFamilies: [IpFamily.IPV4, IpFamily.IPV6] },
  },
  {
    title: 'source ranges stand in the spec, where kube-proxy reads them too',
    controller: standard,
    request: { ...publicly, sourceRanges: ['10.0.0.0/8'] },
    plan: { annotations: {}, sourceRanges: ['10.0.0.0/8'] },
  },
  {
    title: 'source ranges stand in one place',
    controller: () => AzureCloudProvider.standard({ allowedIpRanges: ['10.0.0.0/8'] }),
    request: { ...publicly, sourceRanges: ['10.0.0.0/8'] },
    plan: { sourceRanges: undefined },
    problems: ['beside the option allowedIpRanges'],
  },
  {
    title: 'a private address of each family can be fixed',
    controller: standard,
    request: { ...ONE_PORT, staticAddresses: ['10.240.0.42', 'fd00::42'] },
    plan: {
      annotations: {
        ...internal,
        ...keys({ 'azure-load-balancer-ipv4': '10.240.0.42', 'azure-load-balancer-ipv6': 'fd00::42' }),
      },
    },
  },
  {
    title: 'a public address is fixed by itself or by the name of its public IP',
    controller: standard,
    request: { ...publicly, staticAddresses: ['pip-1'] },
    plan: { annotations: keys({ 'azure-pip-name': 'pip-1' }), loadBalancers: 1 },
  },
  {
    title: 'a public balancer has no private address',
    controller: standard,
    request: { ...publicly, staticAddresses: ['10.240.0.42'] },
    problems: ["a public balancer cannot have the address '10.240.0.42'"],
    source: 'pkg/provider/azure_publicip_repo.go, validatePublicIPCandidate',
  },
  {
    title: 'an internal balancer has no public IP',
    controller: standard,
    request: { ...ONE_PORT, staticAddresses: ['pip-1'] },
    problems: ["an internal balancer cannot have a public IP, with value 'pip-1'"],
  },
  {
    title: 'a family has one address',
    controller: standard,
    request: { ...ONE_PORT, staticAddresses: ['10.0.0.4', '10.0.0.5'] },
    problems: ["both '10.0.0.4' and '10.0.0.5'", "both '10.0.0.5' and '10.0.0.4'"],
  },
  {
    title: 'names and addresses are not mixed',
    controller: standard,
    request: { ...publicly, staticAddresses: ['20.1.2.3', 'pip-1'] },
    problems: ['names and addresses cannot be mixed', 'names and addresses cannot be mixed'],
  },
  {
    title: 'a Basic balancer has no fixed IPv6 address',
    controller: basic,
    request: { ...ONE_PORT, staticAddresses: ['fd00::42'] },
    problems: ['a Basic balancer cannot have a fixed address'],
  },
  {
    title: 'an address decides the balancer, so configurations cannot',
    controller: multiple,
    request: { ...publicly, staticAddresses: ['20.1.2.3'] },
    problems: ['cannot be fixed while configurations choose the balancer'],
  },
  {
    title: 'Services share the frontend of a public IP by its name',
    controller: () => AzureCloudProvider.standard().shared('pip-1'),
    request: publicly,
    plan: { annotations: keys({ 'azure-pip-name': 'pip-1' }), loadBalancers: 0 },
    source: 'content/en/topics/shared-ip.md',
  },
  {
    title: 'Services share an internal frontend by its address',
    controller: () => AzureCloudProvider.multipleStandard().shared('10.240.0.42'),
    request: ONE_PORT,
    plan: { annotations: { ...internal, ...keys({ 'azure-load-balancer-ipv4': '10.240.0.42' }) }, loadBalancers: 0 },
  },
  {
    title: 'an internal frontend has no name to share',
    controller: () => AzureCloudProvider.standard().shared('pip-1'),
    request: ONE_PORT,
    problems: ["an internal balancer cannot have a public IP, with value 'pip-1'"],
  },
  {
    title: 'a shared address leaves no room for another',
    controller: () => AzureCloudProvider.standard().shared('20.1.2.3'),
    request: { ...publicly, staticAddresses: ['20.1.2.4'] },
    problems: ["both '20.1.2.4' and '20.1.2.3'", "both '20.1.2.3' and '20.1.2.4'"],
  },
  {
    title: 'a balancer speaks no proxy protocol',
    controller: standard,
    request: { ...publicly, proxyProtocol: true },
    problems: ['set the option plsCreate'],
  },
  {
    title: 'a private link service speaks proxy protocol',
    controller: () => AzureCloudProvider.standard({ plsCreate: true }),
    request: { ...ONE_PORT, proxyProtocol: true },
    plan: { annotations: { ...internal, ...keys({ 'azure-pls-create': 'true', 'azure-pls-proxy-protocol': 'true' }) } },
  },
  {
    title: 'without proxy protocol there is nothing to write',
    controller: standard,
    request: { ...publicly, proxyProtocol: false },
    plan: { annotations: {} },
  },
];

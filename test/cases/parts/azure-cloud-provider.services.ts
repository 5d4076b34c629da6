import { AzureCloudProvider, NodePools } from '../../../src';
import { type ServiceRow, service } from '../../support/cases';
import { annotated, basic, key, local, multiple, SCTP, standard, UDP, VM_SET } from './azure-cloud-provider.words';

export const services: ServiceRow[] = [
  { title: 'a plain Service is fine', service: service() },
  {
    title: 'garbage makes no rule fall over',
    service: {
      spec: { ports: [null, 'x', {}], loadBalancerSourceRanges: [7], ipFamilies: 'IPv6' },
      metadata: { annotations: { [key('azure-load-balancer-mode')]: 7 } },
    },
  },
  {
    title: 'interval times number of probes stays below 120 seconds',
    service: annotated({ 'azure-load-balancer-health-probe-interval': '60' }),
    errors: ['azure-probe-window'],
  },
  {
    title: 'so it does for the probe of policy Local, whatever the ports',
    service: local({ 'azure-load-balancer-health-probe-interval': '60' }, { ports: [UDP] }),
    errors: ['azure-probe-window'],
  },
  {
    title: 'a port without a probe has no window',
    service: annotated({ port_443_no_probe_rule: 'TRUE', 'azure-load-balancer-health-probe-interval': '60' }),
  },
  {
    title: 'annotations of a port are for a port of the Service',
    service: annotated({ port_80_no_lb_rule: 'true', port_https_no_probe_rule: 'true' }),
    warnings: ['azure-unknown-port', 'azure-unknown-port'],
  },
  {
    title: 'the probe of policy Local has a port of its own',
    service: local({ 'port_32000_health-probe_interval': '10' }, { healthCheckNodePort: 32000 }),
  },
  {
    title: 'the name of a port is read in any case',
    service: annotated({ 'port_443_health-probe_port': 'HTTPS' }, { ports: [{ port: 443, name: 'https' }] }),
  },
  {
    title: 'the older annotation for ranges counts as well',
    service: annotated({ 'load-balancer-source-ranges': '10.0.0.0/8' }, { loadBalancerSourceRanges: ['10.0.0.0/8'] }),
    errors: ['azure-two-range-lists'],
  },
  {
    title: 'a range with host bits is dropped',
    service: annotated({}, { loadBalancerSourceRanges: ['10.0.0.1/8', 'fd00::/8', '2001:db8::1/64', '0.0.0.0/0'] }),
    errors: ['azure-range-has-host-bits', 'azure-range-has-host-bits'],
  },
  {
    title: 'unless all else is denied',
    service: annotated({
      'azure-load-balancer-internal': 'true',
      'azure-allowed-ip-ranges': '10.0.0.0/8',
      'azure-deny-all-except-load-balancer-source-ranges': 'true',
    }),
  },
  {
    title: 'a balancer is internal only by the exact word',
    service: annotated({
      'azure-load-balancer-internal': 'True',
      'azure-load-balancer-enable-high-availability-ports': 'true',
    }),
    warnings: ['azure-ha-ports-public'],
  },
  { title: 'SCTP without a rule harms nobody', service: annotated({ port_132_no_lb_rule: 'true' }, { ports: [SCTP] }) },
  {
    title: 'an address decides the balancer',
    controller: multiple,
    service: annotated({ 'azure-load-balancer-configurations': 'lb-2', 'azure-pip-name': 'pip-1' }),
    errors: ['azure-configurations-with-address'],
  },
  {
    title: 'spec.loadBalancerIP decides it too',
    controller: multiple,
    service: annotated({ 'azure-load-balancer-configurations': 'lb-2' }, { loadBalancerIP: '20.1.2.3' }),
    errors: ['azure-configurations-with-address'],
    warnings: ['azure-load-balancer-ip'],
  },
  {
    title: 'a placeholder in spec.loadBalancerIP is ignored',
    service: annotated({}, { loadBalancerIP: 'PUBLIC_IP' }),
    warnings: ['azure-load-balancer-ip-unreadable'],
  },
  {
    title: 'a placeholder in spec.loadBalancerIP of IPv6 is refused',
    service: annotated({}, { loadBalancerIP: 'PUBLIC_IP', ipFamilies: ['IPv6'] }),
    errors: ['azure-load-balancer-ip-refused'],
  },
  {
    title: 'Standard ignores the mode',
    controller: standard,
    service: annotated({ 'azure-load-balancer-mode': 'pool1' }),
    warnings: ['azure-ignored-by-sku'],
  },
  {
    title: 'several Standard balancers ignore the mode',
    controller: multiple,
    service: annotated({ 'azure-load-balancer-mode': '__auto__' }),
    warnings: ['azure-ignored-by-sku'],
  },
  {
    title: 'one Standard balancer ignores configurations',
    controller: standard,
    service: annotated({ 'azure-load-balancer-configurations': 'lb-2' }),
    warnings: ['azure-ignored-by-sku'],
  },
  {
    title: 'sharing an address says nothing of the balancers either',
    controller: () => (AzureCloudProvider._kind.definition.installed() as AzureCloudProvider).shared('20.1.2.3'),
    service: annotated({ 'azure-load-balancer-mode': VM_SET }),
    warnings: ['azure-ignored-by-sku'],
  },
  {
    title: 'one Standard balancer that is shared ignores the mode',
    controller: () => AzureCloudProvider.standard().shared('20.1.2.3'),
    service: annotated({ 'azure-load-balancer-mode': VM_SET }),
    warnings: ['azure-ignored-by-sku'],
  },
  {
    title: 'Basic ignores what Standard reads',
    controller: basic,
    service: annotated({ 'azure-load-balancer-disable-tcp-reset': 'true' }),
    warnings: ['azure-basic-retired', 'azure-ignored-by-sku'],
  },
  {
    title: 'a node pool is no VM set',
    controller: basic,
    service: annotated({ 'azure-load-balancer-mode': 'pool1' }),
    warnings: ['azure-basic-retired', 'azure-mode-names-pool'],
  },
  {
    title: 'a VM set is one',
    controller: basic,
    service: annotated({ 'azure-load-balancer-mode': 'aks-pool1-27255451-vmss' }),
    warnings: ['azure-basic-retired'],
  },
  {
    title: 'a VM set is of the node pool that is the backend',
    controller: basic,
    service: annotated({ 'azure-load-balancer-mode': VM_SET }),
    known: { nodePool: NodePools.aks('pool1') },
    warnings: ['azure-vm-set-of-another-pool', 'azure-basic-retired'],
  },
  {
    title: 'a public IP is for public balancers',
    service: annotated({
      'azure-load-balancer-internal': 'true',
      'azure-pip-name': 'pip-1',
      'azure-dns-label-name': 'echo',
    }),
    warnings: ['azure-ignored-by-scheme', 'azure-ignored-by-scheme'],
  },
  {
    title: 'a fixed node port does',
    service: annotated(
      { 'azure-disable-load-balancer-floating-ip': 'true' },
      { allocateLoadBalancerNodePorts: false, ports: [{ port: 443, nodePort: 30443 }] },
    ),
  },
  {
    title: 'an internal IPv6 frontend targets node ports',
    service: annotated(
      { 'azure-load-balancer-internal': 'true' },
      { allocateLoadBalancerNodePorts: false, externalTrafficPolicy: 'Local', ipFamilies: ['IPv6'] },
    ),
    errors: ['azure-no-node-port'],
  },
  {
    title: 'appProtocol alone makes the probe ask for a page that need not be there',
    service: annotated(
      {},
      {
        ports: [
          { port: 80, appProtocol: 'HTTP' },
          { port: 5432, name: 'db' },
        ],
      },
    ),
    warnings: ['azure-probe-path-unset'],
  },
  {
    title: 'so it does beside a path for another port',
    service: annotated(
      { 'port_443_health-probe_request-path': '/ready' },
      {
        ports: [
          { port: 80, name: 'a', appProtocol: 'http' },
          { port: 443, name: 'b', appProtocol: 'https' },
        ],
      },
    ),
    warnings: ['azure-probe-path-unset'],
  },
  {
    title: 'a page that is named is there on purpose',
    service: annotated(
      { 'azure-load-balancer-health-probe-request-path': '/' },
      { ports: [{ port: 80, appProtocol: 'http' }] },
    ),
  },
  {
    title: 'a probe of the port itself asks for no page',
    service: annotated({ 'port_80_health-probe_protocol': 'tcp' }, { ports: [{ port: 80, appProtocol: 'http' }] }),
  },
  {
    title: 'a protocol that is named asks for a page on purpose',
    service: annotated({ 'azure-load-balancer-health-probe-protocol': 'http' }),
  },
  { title: 'policy Local asks kube-proxy', service: local({}, { ports: [{ port: 80, appProtocol: 'http' }] }) },
  { title: 'with policy Local they are not', service: local({}, { allocateLoadBalancerNodePorts: false }) },
  {
    title: 'a probe port elsewhere does',
    service: annotated({ 'port_443_health-probe_port': '10256' }, { allocateLoadBalancerNodePorts: false }),
  },
  {
    title: 'policy Local ignores protocol and path',
    service: local({
      'azure-load-balancer-health-probe-protocol': 'http',
      'azure-load-balancer-health-probe-request-path': '/ready',
    }),
    warnings: ['azure-local-ignores-probe', 'azure-local-ignores-probe'],
  },
  {
    title: 'proxy protocol of a private link service takes the probe of policy Local away',
    service: local({
      'azure-load-balancer-internal': 'true',
      'azure-pls-create': 'true',
      'azure-pls-proxy-protocol': 'true',
      'azure-load-balancer-health-probe-protocol': 'http',
    }),
  },
  { title: 'the node port of the Service does not', service: local({ 'port_443_health-probe_port': '443' }) },
  {
    title: 'a path of a port needs http',
    service: annotated(
      { 'port_443_health-probe_request-path': '/ready', 'azure-load-balancer-health-probe-protocol': 'http' },
      { ports: [{ port: 443, appProtocol: 'grpc' }] },
    ),
    warnings: ['azure-path-with-tcp'],
  },
  {
    title: 'appProtocol makes a probe http',
    service: annotated(
      { 'azure-load-balancer-health-probe-request-path': '/ready' },
      { ports: [{ port: 443, appProtocol: 'HTTPS' }] },
    ),
  },
  {
    title: 'a private link service has no IPv6 frontend',
    service: annotated(
      { 'azure-load-balancer-internal': 'true', 'azure-pls-create': 'true' },
      { ipFamilies: ['IPv6'] },
    ),
    errors: ['azure-pls-frontend'],
  },
  {
    title: 'a private link service has a public frontend without floating IP',
    service: annotated({ 'azure-pls-create': 'true', 'azure-disable-load-balancer-floating-ip': 'true' }),
  },
];

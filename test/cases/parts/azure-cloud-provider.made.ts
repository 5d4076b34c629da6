import { AzureCloudProvider, LoadBalancerScheme } from '../../../src';
import { BalancerChoice, BalancerTarget, ClientAddressMeans } from '../../../src/contract/made-balancer';
import { type MadeRow, service } from '../../support/cases';
import { annotated, basic, internal, local, multiple, UDP, VM_SET } from './azure-cloud-provider.words';

const PORTS = [
  { name: 'a', port: 9094, nodePort: 30094, protocol: 'TCP' },
  { name: 'b', port: 9095, nodePort: 30095, protocol: 'TCP' },
];

export const made: MadeRow[] = [
  {
    title: 'a frontend of the public Standard balancer of the cluster',
    service: service({ ports: PORTS }),
    made: {
      product: 'azure/standard',
      name: 'Standard Load Balancer',
      scheme: LoadBalancerScheme.INTERNET_FACING,
      target: BalancerTarget.NODE_WITH_ADDRESS,
      choice: BalancerChoice.EVEN,
      crossZone: undefined,
      clientAddress: ClientAddressMeans.SOURCE,
      healthCheck: { answeredBy: 'pod', protocol: 'TCP', port: '30094', interval: 5, failures: 2 },
      onlyNodesWithPods: undefined,
      listeners: 2,
      publicAddresses: { count: 1, perZone: false },
      sharedBy: 'kubernetes',
      addressSharedBy: undefined,
    },
    limits: ['1500 rules, 2 used', '300 rules of the node, 2 used', '600 frontends, 1 used', '1000 backends'],
  },
  {
    title: 'the internal one, with policy Local',
    service: service({ externalTrafficPolicy: 'Local', healthCheckNodePort: 32000 }, internal),
    made: {
      scheme: LoadBalancerScheme.INTERNAL,
      healthCheck: {
        answeredBy: 'kube-proxy-of-service',
        protocol: 'HTTP',
        port: '32000',
        path: '/healthz',
        interval: 5,
        failures: 2,
      },
      publicAddresses: { count: 0, perZone: false },
      sharedBy: 'kubernetes-internal',
    },
  },
  {
    title: 'without floating IP packets go to node ports',
    service: annotated({ 'azure-disable-load-balancer-floating-ip': 'true' }),
    made: { target: BalancerTarget.NODE_PORT },
  },
  {
    title: 'an internal frontend of IPv6 does not float',
    service: service({ ipFamilies: ['IPv6'] }, internal),
    made: { target: BalancerTarget.NODE_PORT },
  },
  {
    title: 'a public frontend of both families has rules for each, and one address of IPv4',
    service: service({ ports: PORTS, ipFamilies: ['IPv4', 'IPv6'] }),
    made: { listeners: 4, publicAddresses: { count: 1, perZone: false } },
  },
  {
    title: 'one rule for all ports, and none for a port without a rule',
    service: annotated(
      { 'azure-load-balancer-internal': 'true', 'azure-load-balancer-enable-high-availability-ports': 'true' },
      { ports: PORTS },
    ),
    made: { listeners: 1 },
  },
  {
    title: 'a port without a rule',
    service: annotated({ port_9094_no_lb_rule: 'true' }, { ports: PORTS }),
    made: {
      listeners: 1,
      healthCheck: { answeredBy: 'pod', protocol: 'TCP', port: '30095', interval: 5, failures: 2 },
    },
  },
  { title: 'UDP is not probed', service: service({ ports: [UDP] }), made: { healthCheck: undefined } },
  {
    title: 'a probe by HTTP of another port of the Service',
    service: annotated(
      {
        'port_9094_health-probe_port': '9095',
        'port_9094_health-probe_protocol': 'http',
        'port_9094_health-probe_request-path': '/ready',
        'azure-load-balancer-health-probe-interval': '10',
      },
      { ports: PORTS },
    ),
    made: {
      healthCheck: { answeredBy: 'pod', protocol: 'HTTP', port: '30095', path: '/ready', interval: 10, failures: 2 },
    },
  },
  {
    title: 'a probe of a port that is nobody’s',
    service: local({ 'port_443_health-probe_port': '9100' }),
    made: { healthCheck: { answeredBy: 'other', protocol: 'TCP', port: '9100', interval: 5, failures: 2 } },
  },
  {
    title: 'a public IP by its name can have other Services too',
    service: annotated({ 'azure-pip-name': 'edge' }),
    made: { sharedBy: 'kubernetes', addressSharedBy: 'edge' },
  },
  {
    title: 'a public IP by its address',
    service: service({ loadBalancerIP: '20.0.0.1' }),
    made: { addressSharedBy: '20.0.0.1' },
  },
  {
    title: 'a private link service with the header of the PROXY protocol',
    service: annotated({
      'azure-load-balancer-internal': 'true',
      'azure-pls-create': 'true',
      'azure-pls-proxy-protocol': 'true',
    }),
    made: { clientAddress: ClientAddressMeans.PROXY_PROTOCOL },
  },
  {
    title: 'several Standard balancers: the controller chooses, and policy Local leaves nodes out',
    service: local({}),
    controller: multiple,
    made: { product: 'azure/standard', onlyNodesWithPods: true, sharedBy: undefined },
  },
  {
    title: 'several Standard balancers, of which the Service names one',
    service: annotated({ 'azure-load-balancer-configurations': 'lb-2', 'azure-load-balancer-internal': 'true' }),
    made: { onlyNodesWithPods: undefined, sharedBy: 'lb-2-internal' },
  },
  {
    title: 'a Basic balancer of a VM set',
    service: annotated({ 'azure-load-balancer-mode': VM_SET }),
    controller: basic,
    made: { product: 'azure/basic', name: 'Basic Load Balancer', sharedBy: VM_SET.toLowerCase() },
    limits: ['250 rules, 1 used', '200 frontends, 1 used', '300 backends'],
  },
  {
    title: 'a Basic balancer that the controller chooses',
    service: annotated({ 'azure-load-balancer-mode': '__auto__' }),
    controller: () => AzureCloudProvider.basic(),
    made: { sharedBy: undefined },
  },
];

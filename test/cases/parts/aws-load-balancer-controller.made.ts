import { AnnotatedController, AwsLoadBalancerController, LoadBalancerScheme } from '../../../src';
import { BalancerChoice, BalancerTarget, ClientAddressMeans } from '../../../src/contract/made-balancer';
import { type MadeRow, service } from '../../support/cases';
import { prefixed } from './aws.words';

const LOCAL = { externalTrafficPolicy: 'Local' };
const PORTS = [
  { name: 'tls', port: 443, nodePort: 30443, protocol: 'TCP' },
  { name: 'plain', port: 80, nodePort: 30080, protocol: 'TCP' },
];

export const made: MadeRow[] = [
  {
    title: 'instance targets, as without any annotation',
    service: service({ ports: PORTS }),
    made: {
      product: 'aws/nlb',
      name: 'Network Load Balancer',
      scheme: LoadBalancerScheme.INTERNAL,
      target: BalancerTarget.NODE_PORT,
      choice: BalancerChoice.EVEN,
      crossZone: false,
      zones: undefined,
      clientAddress: ClientAddressMeans.SOURCE,
      healthCheck: { answeredBy: 'pod', protocol: 'TCP', port: 'traffic port', interval: 10, failures: 3 },
      nodeLabels: undefined,
      listeners: 2,
      publicAddresses: { count: 0, perZone: true },
      sharedBy: undefined,
    },
    limits: [
      '50 listeners, 2 used',
      '1000 targets',
      '500 targets of the zone, 2 each',
      '3000 targets, 2 each',
      '60 rules, 2 used',
    ],
  },
  {
    title: 'a public balancer in two zones with cross-zone balancing',
    service: service(
      { ports: PORTS, loadBalancerSourceRanges: ['10.0.0.0/8', '192.168.0.0/16', '2001:db8::/32'] },
      prefixed({ scheme: 'internet-facing', subnets: 'a, b', attributes: 'load_balancing.cross_zone.enabled=true' }),
    ),
    made: {
      scheme: LoadBalancerScheme.INTERNET_FACING,
      crossZone: true,
      zones: 2,
      publicAddresses: { count: 1, perZone: true },
    },
    limits: ['50 listeners, 2 used', '1000 targets', '500 targets, 2 each', '60 rules, 4 used'],
  },
  {
    title: 'elastic IPs tell the zones where subnets do not',
    service: service(
      {},
      prefixed({ scheme: 'internet-facing', 'eip-allocations': 'eipalloc-1,eipalloc-2,eipalloc-3' }),
    ),
    made: { zones: 3, crossZone: false },
  },
  {
    title: 'target groups that differ about zones leave it open',
    service: service(
      { ports: PORTS },
      prefixed({ 'target-group-attributes.80': 'load_balancing.cross_zone.enabled=true' }),
    ),
    made: { crossZone: undefined },
  },
  {
    title: 'the attribute of all target groups wins over that of the balancer',
    service: service(
      {},
      prefixed({
        'cross-zone-load-balancing-enabled': 'true',
        'target-group-attributes': 'load_balancing.cross_zone.enabled=false',
      }),
    ),
    made: { crossZone: false },
  },
  {
    title: 'policy Local, asked on the health check node port',
    service: service({ ...LOCAL, healthCheckNodePort: 32000 }),
    made: {
      healthCheck: {
        answeredBy: 'kube-proxy-of-service',
        protocol: 'HTTP',
        port: '32000',
        path: '/healthz',
        interval: 10,
        failures: 2,
      },
    },
  },
  {
    title: 'policy Local before the port is given out',
    service: service(LOCAL, prefixed({ 'healthcheck-interval': '5', 'healthcheck-unhealthy-threshold': '4' })),
    made: {
      healthCheck: {
        answeredBy: 'kube-proxy-of-service',
        protocol: 'HTTP',
        port: 'health check node port',
        path: '/healthz',
        interval: 5,
        failures: 4,
      },
    },
  },
  {
    title: 'a health check of kube-proxy',
    service: service(
      {},
      prefixed({ 'healthcheck-port': '10256', 'healthcheck-protocol': 'HTTP', 'healthcheck-path': '/livez' }),
    ),
    made: {
      healthCheck: {
        answeredBy: 'kube-proxy',
        protocol: 'HTTP',
        port: '10256',
        path: '/livez',
        interval: 10,
        failures: 3,
      },
    },
  },
  {
    title: 'a health check of a server that knows nothing of the pods',
    service: service(LOCAL, prefixed({ 'healthcheck-port': '9100' })),
    made: {
      healthCheck: { answeredBy: 'other', protocol: 'HTTP', port: '9100', path: '/healthz', interval: 10, failures: 2 },
    },
  },
  {
    title: 'a health check of a port by its name',
    service: service({ ports: PORTS }, prefixed({ 'healthcheck-port': 'plain' })),
    made: { healthCheck: { answeredBy: 'pod', protocol: 'TCP', port: '30080', interval: 10, failures: 3 } },
  },
  {
    title: 'ip targets: pods, which see the balancer, whatever the policy',
    service: service(LOCAL, prefixed({ 'nlb-target-type': 'ip', 'target-node-labels': 'pool=edge' })),
    made: {
      target: BalancerTarget.POD,
      clientAddress: ClientAddressMeans.NONE,
      healthCheck: { answeredBy: 'pod', protocol: 'TCP', port: 'traffic port', interval: 10, failures: 3 },
      nodeLabels: undefined,
    },
  },
  {
    title: 'ip targets with UDP: ports differ in what pods see',
    service: service(
      {
        ports: [
          { port: 53, protocol: 'UDP' },
          { port: 443, protocol: 'TCP' },
        ],
      },
      prefixed({ 'nlb-target-type': 'ip' }),
    ),
    made: {
      clientAddress: ClientAddressMeans.NONE,
      clientAddressOfPorts: { 53: ClientAddressMeans.SOURCE, 443: ClientAddressMeans.NONE },
    },
  },
  {
    title: 'the header of the PROXY protocol for one port',
    service: service({ ports: PORTS }, prefixed({ 'proxy-protocol-per-target-group': '443' })),
    made: {
      clientAddress: ClientAddressMeans.PROXY_PROTOCOL,
      clientAddressOfPorts: { 443: ClientAddressMeans.PROXY_PROTOCOL, 80: ClientAddressMeans.SOURCE },
    },
  },
  {
    title: 'nodes by label',
    service: service({}, prefixed({ 'target-node-labels': 'pool=edge' })),
    made: { nodeLabels: { pool: 'edge' } },
  },
  {
    title: 'one listener of a TCP and a UDP port',
    service: service(
      {
        ports: [
          { port: 53, protocol: 'UDP' },
          { port: 53, protocol: 'TCP' },
        ],
      },
      prefixed({ 'enable-tcp-udp-listener': 'true', 'nlb-target-type': 'ip' }),
    ),
    made: { listeners: 1, clientAddress: ClientAddressMeans.SOURCE },
  },
  {
    title: 'own security groups, whose rules are the user’s',
    service: service({}, prefixed({ 'security-groups': 'sg-1' })),
    made: {},
    limits: ['50 listeners, 1 used', '1000 targets', '500 targets of the zone, 1 each', '3000 targets, 1 each'],
  },
  {
    title: 'the controller inside another one',
    service: service({}, prefixed({ 'nlb-target-type': 'ip' })),
    controller: () =>
      AnnotatedController.of(AwsLoadBalancerController.nlb(), { annotations: { 'example.com/note': 'a note' } }),
    made: { product: 'aws/nlb', target: BalancerTarget.POD },
  },
];

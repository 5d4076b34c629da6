import { AwsCloudProvider, LoadBalancerScheme } from '../../../src';
import { BalancerChoice, BalancerTarget, ClientAddressMeans } from '../../../src/contract/made-balancer';
import { type MadeRow, service } from '../../support/cases';
import { prefixed } from './aws.words';

const LOCAL = { externalTrafficPolicy: 'Local', healthCheckNodePort: 32000 };
const PORTS = [
  { port: 443, nodePort: 30443, protocol: 'TCP' },
  { port: 80, nodePort: 30080, protocol: 'TCP' },
];
const nlb = (annotations: Record<string, string> = {}) => prefixed({ type: 'nlb', ...annotations });

export const made: MadeRow[] = [
  {
    title: 'a Classic Load Balancer, as without any annotation',
    service: service({ ports: PORTS }),
    made: {
      product: 'aws/clb',
      name: 'Classic Load Balancer',
      scheme: LoadBalancerScheme.INTERNET_FACING,
      target: BalancerTarget.NODE_PORT,
      choice: BalancerChoice.EVEN,
      crossZone: false,
      zones: undefined,
      clientAddress: ClientAddressMeans.NONE,
      healthCheck: { answeredBy: 'pod', protocol: 'TCP', port: '30443', interval: 10, failures: 6 },
      listeners: 2,
      publicAddresses: { count: 1, perZone: true },
    },
    limits: ['100 listeners, 2 used', '1000 targets', '60 rules, 2 used'],
  },
  {
    title: 'an internal Classic one with a header, in two subnets, with a group of the user',
    service: service(
      {},
      prefixed({
        internal: 'true',
        'proxy-protocol': '*',
        subnets: 'subnet-1,subnet-2',
        'cross-zone-load-balancing-enabled': 'true',
        'security-groups': 'sg-1',
        'target-node-labels': 'pool=edge,any=',
      }),
    ),
    made: {
      scheme: LoadBalancerScheme.INTERNAL,
      clientAddress: ClientAddressMeans.PROXY_PROTOCOL,
      zones: 2,
      crossZone: true,
      nodeLabels: { pool: 'edge' },
      publicAddresses: { count: 0, perZone: true },
    },
    limits: ['100 listeners, 1 used', '1000 targets'],
  },
  {
    title: 'a Classic one with policy Local',
    service: service({ ...LOCAL, ports: PORTS }),
    made: {
      healthCheck: {
        answeredBy: 'kube-proxy-of-service',
        protocol: 'HTTP',
        port: '32000',
        path: '/healthz',
        interval: 10,
        failures: 6,
      },
    },
  },
  {
    title: 'a Classic one with policy Local that is asked on the port of the traffic',
    service: service({ ...LOCAL, ports: PORTS }, prefixed({ 'healthcheck-port': 'traffic-port' })),
    made: {
      healthCheck: { answeredBy: 'pod', protocol: 'HTTP', port: '30443', path: '/healthz', interval: 10, failures: 6 },
    },
  },
  {
    title: 'a Classic one that speaks TLS to pods asks by it',
    service: service({ ports: PORTS }, prefixed({ 'backend-protocol': 'ssl' })),
    made: { healthCheck: { answeredBy: 'pod', protocol: 'SSL', port: '30443', interval: 10, failures: 6 } },
  },
  {
    title: 'a Network Load Balancer opens ports in the group of the nodes',
    service: service({ ports: PORTS, loadBalancerSourceRanges: ['10.0.0.0/8', '192.168.0.0/16'] }, nlb()),
    made: {
      product: 'aws/nlb',
      target: BalancerTarget.NODE_PORT,
      clientAddress: ClientAddressMeans.SOURCE,
      healthCheck: { answeredBy: 'pod', protocol: 'TCP', port: 'traffic port', interval: 30, failures: 3 },
    },
    limits: [
      '50 listeners, 2 used',
      '1000 targets',
      '500 targets of the zone, 2 each',
      '3000 targets, 2 each',
      '60 rules of the cluster, 4 used',
    ],
  },
  {
    title: 'a Network Load Balancer with a group of its own',
    service: service({}, nlb()),
    controller: () => AwsCloudProvider._installedNlb({}, true),
    made: {},
    limits: [
      '50 listeners, 1 used',
      '1000 targets',
      '500 targets of the zone, 1 each',
      '3000 targets, 1 each',
      '60 rules, 1 used',
    ],
  },
  {
    title: 'a Network Load Balancer with policy Local and fixed addresses',
    service: service(LOCAL, nlb({ internal: 'true', 'private-ipv4-addresses': '10.0.0.1,10.0.1.1,10.0.2.1' })),
    made: {
      zones: 3,
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
    title: 'the header of a Network Load Balancer',
    service: service({}, nlb({ 'target-group-attributes': 'proxy_protocol_v2.enabled=true' })),
    made: { clientAddress: ClientAddressMeans.PROXY_PROTOCOL },
  },
  {
    title: 'a Network Load Balancer that replaces the client',
    service: service({}, nlb({ 'target-group-attributes': 'preserve_client_ip.enabled=false' })),
    made: { clientAddress: ClientAddressMeans.NONE },
  },
  { title: 'what is implemented elsewhere', service: service({}, prefixed({ type: 'external' })), made: undefined },
];

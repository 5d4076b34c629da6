import { LoadBalancerScheme } from '../../../src';
import { BalancerChoice, BalancerTarget, ClientAddressMeans } from '../../../src/contract/made-balancer';
import { type MadeRow, service } from '../../support/cases';
import { classed, cloud, EXTERNAL, INTERNAL, net, UDP_AND_TCP } from './gke.words';

const LOCAL = { externalTrafficPolicy: 'Local', healthCheckNodePort: 32000 };
const OF_NODE = { answeredBy: 'kube-proxy', protocol: 'HTTP', port: '10256', path: '/healthz' } as const;
const OF_SERVICE = { answeredBy: 'kube-proxy-of-service', protocol: 'HTTP', port: '32000', path: '/healthz' } as const;

export const made: MadeRow[] = [
  {
    title: 'a target pool, as without class and annotation',
    service: service(),
    made: {
      product: 'gcp/passthrough-external',
      name: 'external passthrough Network Load Balancer',
      scheme: LoadBalancerScheme.INTERNET_FACING,
      target: BalancerTarget.NODE_WITH_ADDRESS,
      choice: BalancerChoice.EVEN,
      crossZone: undefined,
      clientAddress: ClientAddressMeans.SOURCE,
      healthCheck: { ...OF_NODE, interval: 8, failures: 3 },
      onlyNodesWithPods: undefined,
      listeners: 1,
      publicAddresses: { count: 1, perZone: false },
    },
    limits: [],
  },
  {
    title: 'a target pool with policy Local has every node',
    service: service(LOCAL),
    made: { healthCheck: { ...OF_SERVICE, interval: 8, failures: 3 }, onlyNodesWithPods: undefined },
  },
  {
    title: 'instance groups of an internal balancer',
    service: service({}, { [net('load-balancer-type')]: 'Internal' }),
    made: {
      product: 'gcp/passthrough-internal',
      scheme: LoadBalancerScheme.INTERNAL,
      publicAddresses: { count: 0, perZone: false },
    },
    limits: ['250 targets, left-out'],
  },
  {
    title: 'a backend service chooses some nodes',
    service: classed(EXTERNAL),
    made: { healthCheck: { ...OF_NODE, interval: 8, failures: 3 }, onlyNodesWithPods: undefined },
    limits: ['250 targets, left-out'],
  },
  {
    title: 'a backend service with policy Local has the nodes with pods, by their number',
    service: classed(EXTERNAL, { [net('weighted-load-balancing')]: 'pods-per-node' }, {}, LOCAL),
    made: { healthCheck: { ...OF_SERVICE, interval: 3, failures: 2 }, onlyNodesWithPods: true, weighedByPods: true },
    limits: ['3000 targets, left-out'],
  },
  {
    title: 'an internal backend service',
    service: classed(INTERNAL),
    made: { name: 'internal passthrough Network Load Balancer' },
    limits: ['25 targets, left-out'],
  },
  {
    title: 'an internal backend service with policy Local',
    service: classed(INTERNAL, {}, {}, LOCAL),
    made: { onlyNodesWithPods: true, weighedByPods: undefined },
    limits: ['250 targets, left-out'],
  },
  {
    title: 'a forwarding rule for each protocol and family',
    service: classed(EXTERNAL, {}, {}, { ports: UDP_AND_TCP, ipFamilies: ['IPv4', 'IPv6'] }),
    made: { listeners: 4 },
  },
  {
    title: 'IPv6 alone has no address of IPv4',
    service: classed(EXTERNAL, {}, {}, { ipFamilies: ['IPv6'] }),
    made: { publicAddresses: { count: 0, perZone: false } },
  },
  {
    title: 'a reserved address by its name',
    service: service({}, { [cloud('l4-rbs')]: 'enabled', [net('load-balancer-ip-addresses')]: 'edge' }),
    made: { addressSharedBy: 'edge' },
    limits: ['250 targets, left-out'],
  },
  { title: 'a balancer of the user', service: classed(net('standalone-passthrough-lb-neg')), made: undefined },
];

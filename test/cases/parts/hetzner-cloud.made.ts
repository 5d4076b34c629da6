import { LoadBalancerScheme } from '../../../src';
import { BalancerChoice, BalancerTarget, ClientAddressMeans } from '../../../src/contract/made-balancer';
import { type MadeRow, service } from '../../support/cases';
import { internal, keys } from './hetzner-cloud.words';

const PORTS = [
  { port: 443, nodePort: 30443, protocol: 'TCP' },
  { port: 80, nodePort: 30080, protocol: 'TCP' },
  { port: 53, nodePort: 30053, protocol: 'UDP' },
];
const OF_TRAFFIC = { answeredBy: 'pod', protocol: 'TCP', port: '30443', interval: 15, failures: 3 } as const;

export const made: MadeRow[] = [
  {
    title: 'the smallest public balancer, as without any annotation',
    service: service({ ports: PORTS }),
    made: {
      product: 'hetzner/lb11',
      name: 'Hetzner Cloud Load Balancer LB11',
      scheme: LoadBalancerScheme.INTERNET_FACING,
      target: BalancerTarget.NODE_PORT,
      choice: BalancerChoice.EVEN,
      crossZone: undefined,
      clientAddress: ClientAddressMeans.NONE,
      healthCheck: OF_TRAFFIC,
      nodeLabels: undefined,
      listeners: 2,
      publicAddresses: { count: 1, perZone: false },
    },
    limits: ['5 listeners, 2 used', '25 targets, left-out'],
  },
  {
    title: 'a larger internal one with a header, for some nodes',
    service: service(
      {},
      keys({ ...internal, type: 'lb21', 'uses-proxyprotocol': 'true', 'node-selector': 'pool=edge' }),
    ),
    made: {
      product: 'hetzner/lb21',
      scheme: LoadBalancerScheme.INTERNAL,
      clientAddress: ClientAddressMeans.PROXY_PROTOCOL,
      nodeLabels: { pool: 'edge' },
      publicAddresses: { count: 0, perZone: false },
    },
    limits: ['15 listeners, 1 used', '75 targets, left-out'],
  },
  {
    title: 'the largest one',
    service: service({}, keys({ type: 'lb31' })),
    made: { product: 'hetzner/lb31' },
    limits: ['30 listeners, 1 used', '150 targets, left-out'],
  },
  {
    title: 'a type that is not known',
    service: service({}, keys({ type: 'constructor' })),
    made: { product: 'hetzner/constructor' },
    limits: [],
  },
  {
    title: 'an annotation of the check brings the protocol of the balancer',
    service: service(
      { ports: PORTS },
      keys({ protocol: 'http', 'health-check-interval': '5s', 'health-check-retries': '2' }),
    ),
    made: { healthCheck: { ...OF_TRAFFIC, protocol: 'HTTP', path: '/', interval: 5, failures: 2 } },
  },
  {
    title: 'without one it is asked by TCP',
    service: service({ ports: PORTS }, keys({ protocol: 'http' })),
    made: { healthCheck: OF_TRAFFIC },
  },
  {
    title: 'a check of the health check node port',
    service: service(
      { ports: PORTS, externalTrafficPolicy: 'Local', healthCheckNodePort: 32000 },
      keys({ 'health-check-port': '32000', 'health-check-protocol': 'http', 'health-check-http-path': '/healthz' }),
    ),
    made: {
      healthCheck: {
        answeredBy: 'kube-proxy-of-service',
        protocol: 'HTTP',
        port: '32000',
        path: '/healthz',
        interval: 15,
        failures: 3,
      },
    },
  },
];

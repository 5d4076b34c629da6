import { LoadBalancerScheme } from '../../../src';
import { Confidence } from '../../../src/contract/kubernetes.facts';
import { BalancerTarget, ClientAddressMeans } from '../../../src/contract/made-balancer';
import { type MadeRow, service } from '../../support/cases';
import { prefixed } from './aws.words';

export const made: MadeRow[] = [
  {
    title: 'pods are the targets, and how often they are asked is not documented',
    service: service(),
    made: {
      product: 'aws/nlb',
      scheme: LoadBalancerScheme.INTERNAL,
      target: BalancerTarget.POD,
      crossZone: false,
      clientAddress: ClientAddressMeans.NONE,
      healthCheck: { answeredBy: 'pod', protocol: 'TCP', port: 'traffic port' },
      publicAddresses: { count: 0, perZone: true },
      confidence: Confidence.DOCS,
    },
    limits: [
      '50 listeners, 1 used',
      '1000 targets',
      '500 targets of the zone, 1 each',
      '3000 targets, 1 each',
      '60 rules, 1 used',
    ],
  },
  {
    title: 'instances with policy Local, in two zones',
    service: service(
      { externalTrafficPolicy: 'Local', healthCheckNodePort: 32000 },
      prefixed({
        'nlb-target-type': 'instance',
        scheme: 'internet-facing',
        subnets: 'a,b',
        attributes: 'load_balancing.cross_zone.enabled=true',
        'healthcheck-interval': '15',
      }),
    ),
    made: {
      target: BalancerTarget.NODE_PORT,
      zones: 2,
      crossZone: true,
      clientAddress: ClientAddressMeans.SOURCE,
      healthCheck: {
        answeredBy: 'kube-proxy-of-service',
        protocol: 'HTTP',
        port: '32000',
        path: '/healthz',
        interval: 15,
      },
      publicAddresses: { count: 1, perZone: true },
    },
  },
  {
    title: 'what only the other controllers read is not read',
    service: service(
      {},
      prefixed({ 'proxy-protocol': '*', 'cross-zone-load-balancing-enabled': 'true', 'security-groups': 'sg-1' }),
    ),
    made: { clientAddress: ClientAddressMeans.NONE, crossZone: false },
  },
];

import { type ServiceRow, service } from '../../support/cases';
import { CLEANUP, classed, cloud, EXTERNAL, INTERNAL, net } from './gke.words';

export const services: ServiceRow[] = [
  { title: 'a plain Service is external', service: service() },
  {
    title: 'KEP-980 belongs to a legacy class',
    service: classed(`${INTERNAL}-legacy`, {}, { finalizers: [CLEANUP] }),
  },
  {
    title: 'an internal class may say so twice',
    service: classed(INTERNAL, { [net('load-balancer-type')]: 'Internal' }),
  },
  {
    title: 'the old type annotation is read where the new one is missing',
    service: service({}, { [cloud('load-balancer-type')]: 'Internal', [cloud('network-tier')]: 'Standard' }),
    warnings: ['gke-other-scheme'],
  },
  {
    title: 'global access is for internal balancers',
    service: service({}, { [net('internal-load-balancer-allow-global-access')]: 'true' }),
    warnings: ['gke-other-scheme'],
  },
  {
    title: 'the first type annotation decides the scheme',
    service: service({}, { [net('load-balancer-type')]: 'INTERNAL', [cloud('network-tier')]: 'Standard' }),
  },
  {
    title: 'the newer controllers share no backend',
    service: classed(INTERNAL, { 'alpha.cloud.google.com/load-balancer-backend-share': 'true' }),
    warnings: ['gke-other-controller'],
  },
  {
    title: 'a standalone NEG has a forwarding rule',
    service: classed(net('standalone-passthrough-lb-neg'), { [net('custom-forwarding-rule')]: 'mine' }),
  },
  {
    title: 'other classes take no forwarding rule',
    service: classed(EXTERNAL, { [net('custom-forwarding-rule')]: 'mine' }),
    errors: ['gke-standalone-forwarding-rule'],
  },
  {
    title: 'weights with policy Local',
    service: classed(
      EXTERNAL,
      { [net('weighted-load-balancing')]: 'pods-per-node' },
      {},
      { externalTrafficPolicy: 'Local' },
    ),
  },
  {
    title: 'strong affinity with a timeout',
    service: classed(
      EXTERNAL,
      { [net('l4-strong-session-affinity')]: 'enabled' },
      {},
      { sessionAffinity: 'ClientIP', sessionAffinityConfig: { clientIP: { timeoutSeconds: 600 } } },
    ),
  },
  {
    title: 'a collection of addresses excludes a subnet',
    service: classed(
      EXTERNAL,
      { [net('ip-collection-v6')]: 'https://x', [net('load-balancer-subnet')]: 'edge' },
      {},
      { ipFamilies: ['IPv6'] },
    ),
    errors: ['gke-ip-collection'],
  },
  {
    title: 'ranges of both families close both',
    service: classed(
      EXTERNAL,
      {},
      {},
      { ipFamilies: ['IPv4', 'IPv6'], loadBalancerSourceRanges: ['10.0.0.0/8', 'fd00::/8'] },
    ),
  },
  {
    title: 'garbage is judged in peace',
    service: service(
      { ports: 3, loadBalancerClass: {}, sessionAffinityConfig: 'x' },
      { [net('load-balancer-type')]: 7 as unknown as string },
      { finalizers: 'x' },
    ),
  },
];

import { type ServiceRow, service } from '../../support/cases';
import { CLEANUP, classed, cloud, EXTERNAL, INTERNAL, net, UDP_AND_TCP } from './gke.words';

export const services: ServiceRow[] = [
  { title: 'a plain Service is external', service: service() },
  {
    title: 'KEP-980 has no place beside a newer class',
    service: classed(INTERNAL, {}, { finalizers: [CLEANUP] }),
    warnings: ['gke-cleanup-finalizer-of-class'],
  },
  {
    title: 'KEP-980 belongs to a legacy class',
    service: classed(`${INTERNAL}-legacy`, {}, { finalizers: [CLEANUP] }),
  },
  {
    title: 'an external class is public whatever the annotation says',
    service: classed(EXTERNAL, { [net('load-balancer-type')]: 'Internal' }),
    errors: ['gke-public-by-class'],
  },
  {
    title: 'an internal class is internal whatever the annotation says',
    service: classed(INTERNAL, { [net('load-balancer-type')]: 'External' }),
    warnings: ['gke-internal-by-class'],
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
    title: 'network tiers are for external balancers',
    service: classed(INTERNAL, { [cloud('network-tier')]: 'Standard' }),
    warnings: ['gke-other-scheme'],
  },
  {
    title: 'the first type annotation decides the scheme',
    service: service({}, { [net('load-balancer-type')]: 'INTERNAL', [cloud('network-tier')]: 'Standard' }),
  },
  {
    title: 'the older controller does not read names',
    service: classed(`${EXTERNAL}-legacy`, { [net('load-balancer-ip-addresses')]: 'v4' }),
    warnings: ['gke-other-controller'],
  },
  {
    title: 'the newer controllers share no backend',
    service: classed(INTERNAL, { 'alpha.cloud.google.com/load-balancer-backend-share': 'true' }),
    warnings: ['gke-other-controller'],
  },
  {
    title: 'notes of GKE are not for manifests',
    service: service({}, { 'service.kubernetes.io/backend-service': 'x' }),
    warnings: ['gke-written-by-gke'],
  },
  {
    title: 'a class makes l4-rbs idle',
    service: classed(EXTERNAL, { [cloud('l4-rbs')]: 'enabled' }),
    warnings: ['gke-rbs-with-class'],
  },
  {
    title: 'a standalone NEG needs a forwarding rule',
    service: classed(net('standalone-passthrough-lb-neg')),
    errors: ['gke-standalone-forwarding-rule'],
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
    title: 'names win over loadBalancerIP',
    service: service({ loadBalancerIP: '10.0.0.8' }, { [net('load-balancer-ip-addresses')]: 'v4' }),
    warnings: ['gke-static-address-twice'],
  },
  {
    title: 'weights need policy Local',
    service: classed(EXTERNAL, { [net('weighted-load-balancing')]: 'pods-per-node' }),
    warnings: ['gke-weights-need-local'],
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
    title: 'strong affinity needs a timeout',
    service: classed(EXTERNAL, { [net('l4-strong-session-affinity')]: 'enabled' }, {}, { sessionAffinity: 'ClientIP' }),
    errors: ['gke-strong-affinity'],
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
    title: 'a collection of addresses is for IPv6 alone',
    service: classed(EXTERNAL, { [net('ip-collection-v6')]: 'https://x' }),
    errors: ['gke-ip-collection'],
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
    title: 'six ports of an internal balancer take all',
    service: classed(INTERNAL, {}, {}, { ports: [1, 2, 3, 4, 5, 6].map((port) => ({ port })) }),
    warnings: ['gke-all-ports'],
  },
  {
    title: 'ranges of IPv4 leave IPv6 open',
    service: classed(EXTERNAL, {}, {}, { ipFamilies: ['IPv4', 'IPv6'], loadBalancerSourceRanges: ['10.0.0.0/8'] }),
    errors: ['gke-source-ranges-of-family'],
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
    title: 'SCTP is not known',
    service: service({ ports: [{ port: 9, protocol: 'SCTP' }] }),
    errors: ['gke-protocol'],
  },
  {
    title: 'a legacy class refuses mixed protocols',
    service: classed(`${EXTERNAL}-legacy`, {}, {}, { ports: UDP_AND_TCP }),
    errors: ['gke-legacy-mixed-protocols'],
  },
  {
    title: 'mixed protocols are behind a switch',
    service: classed(EXTERNAL, {}, {}, { ports: UDP_AND_TCP }),
    warnings: ['gke-mixed-protocols'],
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

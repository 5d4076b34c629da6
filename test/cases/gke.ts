import { Gke, GkeLoadBalancerGeneration } from '../../src';
import { type ControllerCases, service } from '../support/cases';
import { requests } from './parts/gke.requests';
import { services } from './parts/gke.services';
import { classed, cloud, EXTERNAL, INTERNAL, LEGACY, net } from './parts/gke.words';

const COLLECTION = 'https://www.googleapis.com/compute/v1/x';

import { made } from './parts/gke.made';
import { rollouts } from './parts/gke.rollouts';

export const cases: ControllerCases = {
  wishesMayBreak: ['gke-source-ranges-of-family'],
  kind: Gke._kind.definition,
  make: (options) => Gke.passthrough(options),
  options: [
    { option: 'generation', valid: 'legacy', writes: { [net('load-balancer-type')]: 'Internal' }, refused: '1.33' },
    {
      option: 'allowGlobalAccess',
      valid: true,
      writes: { [net('internal-load-balancer-allow-global-access')]: 'true' },
      refused: 'True',
    },
    {
      option: 'loadBalancerSubnet',
      valid: 'edge',
      writes: { [net('load-balancer-subnet')]: 'edge' },
      refused: '10.0.0.0/8',
    },
    { option: 'loadBalancerSubnet', valid: 'edge', writes: { [net('load-balancer-subnet')]: 'edge' }, refused: 'Edge' },
    {
      option: 'internalLoadBalancerSubnet',
      with: LEGACY,
      valid: 'edge',
      writes: { [net('internal-load-balancer-subnet')]: 'edge' },
      refused: '',
    },
    {
      option: 'loadBalancerIpAddresses',
      valid: ['v4', 'v6'],
      writes: { [net('load-balancer-ip-addresses')]: 'v4,v6' },
      refused: ['a', 'b', 'c'],
    },
    {
      option: 'loadBalancerIpAddresses',
      valid: ['v4'],
      writes: { [net('load-balancer-ip-addresses')]: 'v4' },
      refused: ['203.0.113.1'],
    },
    { option: 'networkTier', valid: 'Standard', writes: { [cloud('network-tier')]: 'Standard' }, refused: 'STANDARD' },
    {
      option: 'weightedLoadBalancing',
      valid: 'pods-per-node',
      writes: { [net('weighted-load-balancing')]: 'pods-per-node' },
      refused: 'pods',
    },
    {
      option: 'strongSessionAffinity',
      valid: true,
      writes: { [net('l4-strong-session-affinity')]: 'enabled' },
      refused: false,
    },
    { option: 'l4LbConfig', valid: 'logs', writes: { [net('l4lb-config')]: 'logs' }, refused: '' },
    {
      option: 'ipCollectionV6',
      valid: COLLECTION,
      writes: { [net('ip-collection-v6')]: COLLECTION },
      refused: 'mine',
    },
    {
      option: 'loadBalancerBackendShare',
      with: LEGACY,
      valid: true,
      writes: { 'alpha.cloud.google.com/load-balancer-backend-share': 'true' },
      refused: false,
    },
  ],
  refusedOptions: [
    {
      title: 'the older controller reads no subnet but the one of internal balancers',
      make: () => Gke.passthrough({ ...LEGACY, loadBalancerSubnet: 'edge' }),
      message: "option loadBalancerSubnet is not read by the controller of generation 'legacy'",
    },
    {
      title: 'the older controller weighs no nodes, by class either',
      make: () =>
        Gke.passthrough({
          generation: GkeLoadBalancerGeneration.LEGACY_CLASS,
          weightedLoadBalancing: 'pods-per-node' as never,
        }),
      message: "option weightedLoadBalancing is not read by the controller of generation 'legacy-class'",
    },
    {
      title: 'the newer controllers share no backend service',
      make: () => Gke.passthrough({ loadBalancerBackendShare: true }),
      message: "option loadBalancerBackendShare is not read by the controller of generation 'class'",
    },
    {
      title: 'a collection of addresses excludes a subnet',
      make: () => Gke.passthrough({ ipCollectionV6: COLLECTION, loadBalancerSubnet: 'edge' }),
      message: 'options ipCollectionV6 and loadBalancerSubnet exclude each other',
    },
  ],
  claims: [
    { title: 'a Service without a class', service: service(), claimed: 'yes' },
    { title: 'the external class', service: classed(EXTERNAL), claimed: 'yes' },
    { title: 'the internal class of the older controller', service: classed(`${INTERNAL}-legacy`), claimed: 'yes' },
    { title: 'the class of standalone NEGs', service: classed(net('standalone-passthrough-lb-neg')), claimed: 'yes' },
    { title: 'no other class of the same domain', service: classed(net('l4-regional')), claimed: 'no' },
    { title: 'no class of others', service: classed('service.k8s.aws/nlb'), claimed: 'no' },
    { title: 'no class that is garbage', service: classed({} as never), claimed: 'no' },
  ],
  requests,
  services,
  made,
  rollouts,
};

import { MetalLb } from '../../../src';
import type { Json } from '../../../src/contract/json';
import { BalancerChoice, BalancerTarget, ClientAddressMeans } from '../../../src/contract/made-balancer';
import { type MadeRow, service } from '../../support/cases';

function advertisement(kind: string, spec: Json = {}): Json {
  return { apiVersion: 'metallb.io/v1beta1', kind, metadata: { name: 'all', namespace: 'metallb-system' }, spec };
}

const LOCAL = { externalTrafficPolicy: 'Local' };

export const made: MadeRow[] = [
  { title: 'how nodes announce the address is not known', service: service(), made: undefined },
  {
    title: 'one node has the address in layer 2',
    service: service(),
    controller: () => MetalLb.layer2(),
    made: {
      product: 'none',
      name: 'address of one node (layer 2)',
      scheme: undefined,
      target: BalancerTarget.NODE_WITH_ADDRESS,
      choice: BalancerChoice.ONE,
      clientAddress: ClientAddressMeans.SOURCE,
      healthCheck: undefined,
      onlyNodesWithPods: undefined,
      listeners: 1,
      publicAddresses: { count: 0, perZone: false },
      sharedBy: undefined,
    },
    limits: [],
  },
  {
    title: 'routers share connections out among nodes with pods by BGP and policy Local',
    service: service(LOCAL),
    controller: () => MetalLb.bgp(),
    made: { choice: BalancerChoice.EVEN, onlyNodesWithPods: true },
  },
  {
    title: 'an advertisement says the way, and the nodes',
    service: service(),
    beside: [advertisement('BGPAdvertisement', { nodeSelectors: [{ matchLabels: { pool: 'edge' } }] })],
    made: { choice: BalancerChoice.EVEN, nodeLabels: { pool: 'edge' } },
  },
  {
    title: 'nodes that several selectors choose have no labels in common',
    service: service(),
    beside: [
      advertisement('L2Advertisement', {
        nodeSelectors: [{ matchLabels: { pool: 'edge' } }, { matchLabels: { pool: 'core' } }],
      }),
    ],
    made: { choice: BalancerChoice.ONE, nodeLabels: undefined },
  },
  {
    title: 'advertisements of both ways leave it open',
    service: service(),
    beside: [advertisement('BGPAdvertisement'), advertisement('L2Advertisement')],
    made: undefined,
  },
  {
    title: 'an advertisement of another pool says nothing',
    service: service({}, { 'metallb.io/address-pool': 'edge' }),
    beside: [advertisement('BGPAdvertisement', { ipAddressPools: ['core'] })],
    made: undefined,
  },
  {
    title: 'Services of one key share an address',
    service: service({}, { 'metallb.io/allow-shared-ip': 'dns' }),
    controller: () => MetalLb.layer2(),
    made: { sharedBy: 'dns' },
  },
];

import { MetalLb } from '../src';
import { service } from './support/cases';

const edge = [{ matchLabels: { 'node.example.com/role': 'edge' } }];
const advertisement = (spec: unknown, kind = 'L2Advertisement', apiVersion = 'metallb.io/v1beta1') => ({
  apiVersion,
  kind,
  metadata: { name: 'x' },
  spec,
});
const serviceSelectors = [{ matchLabels: { app: 'echo' } }];
const said = (...objects: object[]) =>
  MetalLb._kind.definition.restrictsNodes?.(
    service({}, { 'metallb.io/address-pool': 'edge' }, { labels: { app: 'echo' } }),
    objects,
  );

test.each<[string, object[], string | undefined]>([
  [
    'an advertisement that selects the Service',
    [advertisement({ serviceSelectors, nodeSelectors: edge })],
    'L2Advertisement x: node.example.com/role=edge',
  ],
  ['one without nodes', [advertisement({ serviceSelectors }, 'BGPAdvertisement')], 'BGPAdvertisement x: any node'],
  [
    'one of several selectors, on one of several kinds of nodes',
    [
      advertisement({
        serviceSelectors: [{ matchLabels: { app: 'web' } }, { matchExpressions: [{ key: 'app', operator: 'Exists' }] }],
        nodeSelectors: [...edge, { matchExpressions: [{ key: 'zone', operator: 'In', values: ['a', 'b'] }] }],
      }),
    ],
    'L2Advertisement x: node.example.com/role=edge or zone In (a,b)',
  ],
  [
    'values that are no texts',
    [
      advertisement({
        serviceSelectors,
        nodeSelectors: [{ matchLabels: { zone: { a: 1 } }, matchExpressions: [{ key: {}, values: [null, ['b']] }] }],
      }),
    ],
    'L2Advertisement x: zone={"a":1},{} nothing (null,["b"])',
  ],
  [
    'every advertisement that adds nodes',
    [advertisement({ serviceSelectors, nodeSelectors: edge }), advertisement({})],
    'L2Advertisement x: node.example.com/role=edge; L2Advertisement x: any node',
  ],
  [
    'one of the address pool without service selectors',
    [advertisement({ ipAddressPools: ['edge'], nodeSelectors: edge })],
    'L2Advertisement x: node.example.com/role=edge',
  ],
  [
    'none of another address pool',
    [advertisement({ serviceSelectors, ipAddressPools: ['core'], nodeSelectors: edge })],
    undefined,
  ],
  ['none for other Services', [advertisement({ serviceSelectors: [{ matchLabels: { app: 'web' } }] })], undefined],
  [
    'no other kind',
    [
      advertisement({ serviceSelectors }, 'IPAddressPool'),
      advertisement({ serviceSelectors }, 'L2Advertisement', 'example.com/v1'),
    ],
    undefined,
  ],
  [
    'no garbage',
    [
      advertisement(7),
      advertisement({ serviceSelectors: 'x', ipAddressPools: ['y'] }),
      'x' as never,
      null as never,
      advertisement({ serviceSelectors: [7] }),
    ].slice(1),
    undefined,
  ],
])('what is said of nodes: %s', (_, objects, expected) => {
  expect(said(...objects)).toBe(expected);
});

import { ReferenceGrant, type ReferenceGrantProps } from '../../src/gateway';
import { REFERENCE_GRANT_RULES } from '../../src/gateway/gateway-rules';
import { errorsOf, newChart, written } from '../support/apps';
import { findingsOf } from '../support/sentences';

function grant(props: Partial<ReferenceGrantProps> = {}) {
  const chart = newChart('shop');
  new ReferenceGrant(chart, 'Grant', {
    name: 'from-edge',
    fromKinds: [{ kind: 'TCPRoute', namespace: 'edge' }],
    toKinds: [{ kind: 'Service' }],
    ...props,
  });
  return chart;
}

test('a grant is written as the API takes it', () => {
  const chart = grant({
    fromKinds: [
      { kind: 'TCPRoute', namespace: 'edge' },
      { group: 'acme.example', kind: 'Policy', namespace: 'edge' },
    ],
    toKinds: [{ kind: 'Service', name: 'db' }, { kind: 'Secret' }],
    annotations: { 'acme.example/owner': 'shop' },
    labels: { stage: 'live' },
  });
  expect(written(chart, 'ReferenceGrant')).toEqual({
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'ReferenceGrant',
    metadata: {
      name: 'from-edge',
      namespace: 'shop',
      annotations: { 'acme.example/owner': 'shop' },
      labels: { stage: 'live' },
    },
    spec: {
      from: [
        { group: 'gateway.networking.k8s.io', kind: 'TCPRoute', namespace: 'edge' },
        { group: 'acme.example', kind: 'Policy', namespace: 'edge' },
      ],
      to: [
        { group: '', kind: 'Service', name: 'db' },
        { group: '', kind: 'Secret' },
      ],
    },
  });
});

test.each<[string, Partial<ReferenceGrantProps>, string[]]>([
  ['nothing', {}, []],
  [
    'nobody',
    { fromKinds: [] },
    ['the ReferenceGrant has nothing in from; write at least one kind (reference-grant-sides)'],
  ],
  [
    'too much',
    { toKinds: Array.from({ length: 17 }, () => ({ kind: 'Service' })) },
    ['there are 17 kinds in to, more than 16'],
  ],
])('wrong with a grant: %s', (_, props, texts) => {
  expect(errorsOf(grant(props))).toEqual(texts.map((text) => expect.stringContaining(text)));
});

test.each<[object, string]>([
  [{ to: 'Service' }, "spec.to is 'Service'; write a list of maps (reference-grant-sides)"],
  [{ to: [{ kind: 'Service' }] }, 'spec.to[0].group is missing; set it'],
  [{ to: [{ group: '', kind: 'Service', namespace: 'shop' }] }, 'drops the field spec.to[0].namespace, which'],
  [
    { from: [{ group: '', kind: 'Service', namespace: 7 }] },
    'spec.from[0].namespace is 7; write a string (gateway-field-shape)',
  ],
])('wrong with a grant as YAML: %j', (more, text) => {
  const from = [{ group: 'gateway.networking.k8s.io', kind: 'TCPRoute', namespace: 'edge' }];
  const spec = { from, to: [{ group: '', kind: 'Service' }], ...more };
  expect(findingsOf({ metadata: { name: 'x' }, spec }, REFERENCE_GRANT_RULES)).toEqual([expect.stringContaining(text)]);
});

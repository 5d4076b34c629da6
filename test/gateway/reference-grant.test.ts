import { ReferenceGrant, type ReferenceGrantProps } from '../../src/gateway';
import { REFERENCE_GRANT_RULES } from '../../src/gateway/gateway-rules';
import { errorsOf, newChart, written } from '../support/apps';
import { findingsOf } from '../support/sentences';
import { casesIn } from '../support/yaml-cases';

const CASES = casesIn(__dirname, 'reference-grant.yaml');

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

test.each<[string, Partial<ReferenceGrantProps>, string[]]>(CASES.wrongGrant)(
  'wrong with a grant: %s',
  (_, props, texts) => {
    expect(errorsOf(grant(props))).toEqual(texts.map((text) => expect.stringContaining(text)));
  },
);

test.each<[object, string]>(CASES.wrongGrantAs)('wrong with a grant as YAML: %j', (more, text) => {
  const from = [{ group: 'gateway.networking.k8s.io', kind: 'TCPRoute', namespace: 'edge' }];
  const spec = { from, to: [{ group: '', kind: 'Service' }], ...more };
  expect(findingsOf({ metadata: { name: 'x' }, spec }, REFERENCE_GRANT_RULES)).toEqual([expect.stringContaining(text)]);
});

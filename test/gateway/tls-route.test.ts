import { Gateway, TlsRoute, type TlsRouteProps } from '../../src/gateway';
import { TLS_ROUTE_RULES } from '../../src/gateway/route-rules';
import { errorsOf, newChart, written } from '../support/apps';
import { faultsIn, findingsOf } from '../support/sentences';
import { casesIn, revived } from '../support/yaml-cases';

const CASES = casesIn(__dirname, 'tls-route.yaml');

const edge = Gateway.fromName('edge', { namespace: 'infra' });

function route(props: Partial<TlsRouteProps> = {}) {
  const chart = newChart('shop');
  new TlsRoute(chart, 'Route', {
    name: 'shop',
    parentRefs: [{ gateway: edge, sectionName: 'tls' }],
    hostnames: ['shop.example.com'],
    backendRefs: [{ name: 'shop', port: 8443 }],
    ...props,
  });
  return chart;
}

test('a route is written as the API takes it', () => {
  const chart = route({
    parentRefs: [{ gateway: edge, sectionName: 'tls' }, { gateway: Gateway.fromName('own') }],
    backendRefs: [
      { name: 'shop', port: 8443, weight: 9 },
      { name: 'new', port: 8443, namespace: 'beta', weight: 1 },
    ],
    annotations: { 'acme.example/owner': 'shop' },
    labels: { stage: 'live' },
  });
  const parent = { group: 'gateway.networking.k8s.io', kind: 'Gateway' };
  expect(written(chart, 'TLSRoute')).toEqual({
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'TLSRoute',
    metadata: {
      name: 'shop',
      namespace: 'shop',
      annotations: { 'acme.example/owner': 'shop' },
      labels: { stage: 'live' },
    },
    spec: {
      parentRefs: [
        { ...parent, name: 'edge', namespace: 'infra', sectionName: 'tls' },
        { ...parent, name: 'own' },
      ],
      hostnames: ['shop.example.com'],
      rules: [
        {
          backendRefs: [
            { group: '', kind: 'Service', name: 'shop', port: 8443, weight: 9 },
            { group: '', kind: 'Service', name: 'new', namespace: 'beta', port: 8443, weight: 1 },
          ],
        },
      ],
    },
  });
});

const many = (length: number) => Array.from({ length }, (_, i) => `h${i}.example.com`);

test.each<[string, Partial<TlsRouteProps>, string[]]>([
  ...revived(CASES.wrongRoute, { many }),
  ['several parents', { parentRefs: ['a', 'b'].map((name) => ({ gateway: Gateway.fromName(name) })) }, []],
  ['several sections', { parentRefs: ['a', 'b'].map((sectionName) => ({ gateway: edge, sectionName })) }, []],
  [
    'many backends',
    { backendRefs: many(17).map((name) => ({ name, port: 1 })) },
    ['there are 17 backends, more than 16'],
  ],
  [
    'one section twice',
    { parentRefs: [1, 2].map(() => ({ gateway: edge, sectionName: 'tls' })) },
    ['the route attaches twice to gateway.networking.k8s.io/Gateway/infra/edge by sectionName tls'],
  ],
  [
    'many parents',
    { parentRefs: many(33).map((name) => ({ gateway: Gateway.fromName(name) })) },
    ['there are 33 parents, more than 32'],
  ],
])('wrong with a route: %s', (_, props, texts) => {
  expect(errorsOf(route(props))).toEqual(texts.map((text) => expect.stringContaining(text)));
});

test('two rules, and a route of nonsense', () => {
  const rules = [{ backendRefs: [{ name: 'a', port: 1 }] }, { backendRefs: [{ name: 'b', port: 1 }] }];
  const spec = { hostnames: ['a.b'], rules };
  expect(faultsIn({ metadata: { name: 'x' }, spec }, TLS_ROUTE_RULES)).toEqual([
    'kubernetes: the route has 2 rules; write one rule with at least one Service (tls-route-backend)',
  ]);
  expect(faultsIn({ spec: null }, TLS_ROUTE_RULES)).toHaveLength(3);
});

test.each<[object, string]>([
  [{ hostnames: 'a.b' }, "spec.hostnames is 'a.b'; write a list of strings (tls-route-hostname)"],
  [{ hostnames: [7] }, 'hostname 7 is not a valid DNS name'],
  [{ hostnames: ['2001:db8::1'] }, "hostname '2001:db8::1' is an address, which"],
  [{ hostname: 'a.b' }, 'drops the field spec.hostname, which'],
])('wrong with a route as YAML: %j', (more, text) => {
  const spec = { hostnames: ['a.b'], rules: [{ backendRefs: [{ name: 'a', port: 1 }] }], ...more };
  expect(findingsOf({ metadata: { name: 'x' }, spec }, TLS_ROUTE_RULES)).toEqual([expect.stringContaining(text)]);
});

import { Gateway, TcpRoute, type TcpRouteProps } from '../../src/gateway';
import { TCP_ROUTE_RULES } from '../../src/gateway/route-rules';
import { errorsOf, newChart, written } from '../support/apps';
import { faultsIn, findingsOf } from '../support/sentences';
import { casesIn } from '../support/yaml-cases';

const CASES = casesIn(__dirname, 'tcp-route.yaml');

const edge = Gateway.fromName('edge', { namespace: 'infra' });

function route(props: Partial<TcpRouteProps> = {}) {
  const chart = newChart('shop');
  new TcpRoute(chart, 'Route', {
    name: 'shop',
    parentRefs: [{ gateway: edge, sectionName: 'db' }],
    backendRefs: [{ name: 'db', port: 5432 }],
    ...props,
  });
  return chart;
}

test('a route is written as the API takes it', () => {
  const chart = route({
    backendRefs: [
      { name: 'db', port: 5432, weight: 9 },
      { name: 'new', port: 5432, namespace: 'beta', weight: 0 },
    ],
    annotations: { 'acme.example/owner': 'shop' },
    labels: { stage: 'live' },
  });
  expect(written(chart, 'TCPRoute')).toEqual({
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'TCPRoute',
    metadata: {
      name: 'shop',
      namespace: 'shop',
      annotations: { 'acme.example/owner': 'shop' },
      labels: { stage: 'live' },
    },
    spec: {
      parentRefs: [
        { group: 'gateway.networking.k8s.io', kind: 'Gateway', name: 'edge', namespace: 'infra', sectionName: 'db' },
      ],
      rules: [
        {
          backendRefs: [
            { group: '', kind: 'Service', name: 'db', port: 5432, weight: 9 },
            { group: '', kind: 'Service', name: 'new', namespace: 'beta', port: 5432, weight: 0 },
          ],
        },
      ],
    },
  });
});

test.each<[string, Partial<TcpRouteProps>, string[]]>([
  ...CASES.wrongRoute,
  [
    'one parent twice',
    { parentRefs: [{ gateway: edge }, { gateway: edge, sectionName: 'db' }] },
    ['more than once, and not each time by the name of a listener; set sectionName each time (tcp-route-parent)'],
  ],
])('wrong with a route: %s', (_, props, texts) => {
  const errors = errorsOf(route(props));
  expect(errors).toHaveLength(Math.min(texts.length, 1));
  for (const text of texts) {
    expect(errors[0]).toContain(text);
  }
});

test('a route of nonsense is refused, and nothing is thrown', () => {
  expect(faultsIn({ spec: null }, TCP_ROUTE_RULES)).toHaveLength(2);
});

const BACKEND = { name: 'db', port: 5432 };
const ofBackends = (backendRefs: unknown) => ({ rules: [{ backendRefs }] });

test.each<[object, string]>(CASES.wrongRouteAs)('wrong with a route as YAML: %j', (more, text) => {
  const spec = { ...ofBackends([BACKEND]), ...more };
  expect(findingsOf({ metadata: { name: 'shop' }, spec }, TCP_ROUTE_RULES)).toEqual([expect.stringContaining(text)]);
});

import { JsonPatch } from 'cdk8s';
import {
  Gateway,
  GatewayAllowedRoutes,
  type GatewayListener,
  GatewayProtocol,
  GatewayTlsMode,
  ListenerSet,
  type ListenerSetProps,
  TlsRoute,
} from '../../src/gateway';
import { LISTENER_SET_RULES } from '../../src/gateway/gateway-rules';
import { errorsOf, newChart, written } from '../support/apps';
import { faultsIn, findingsOf } from '../support/sentences';
import { casesIn } from '../support/yaml-cases';

const CASES = casesIn(__dirname, 'listener-set.yaml');

const edge = Gateway.fromName('edge', { namespace: 'infra', controllerName: 'acme.example/gateways' });
const db: GatewayListener = { name: 'db', port: 5432, protocol: GatewayProtocol.TCP };

function set(props: Partial<ListenerSetProps> = {}) {
  const chart = newChart('team-a');
  const made = new ListenerSet(chart, 'Ports', { name: 'ports', gateway: edge, listeners: [db], ...props });
  return { chart, made };
}

test('a ListenerSet is written as the API takes it', () => {
  const { chart } = set({
    listeners: [{ ...db, allowedRoutes: GatewayAllowedRoutes.sameNamespace(['TCPRoute']) }],
    annotations: { 'acme.example/owner': 'team-a' },
    labels: { stage: 'live' },
  });
  const group = 'gateway.networking.k8s.io';
  expect(written(chart, 'ListenerSet')).toEqual({
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'ListenerSet',
    metadata: {
      name: 'ports',
      namespace: 'team-a',
      annotations: { 'acme.example/owner': 'team-a' },
      labels: { stage: 'live' },
    },
    spec: {
      parentRef: { group, kind: 'Gateway', name: 'edge', namespace: 'infra' },
      listeners: [
        {
          name: 'db',
          port: 5432,
          protocol: 'TCP',
          allowedRoutes: { kinds: [{ group, kind: 'TCPRoute' }], namespaces: { from: 'Same' } },
        },
      ],
    },
  });
});

test('it tells routes what it is, who serves it, and its listeners as they are written', () => {
  const { made } = set();
  made.addJsonPatch(JsonPatch.replace('/spec/listeners/0/port', 5433));
  expect(made).toMatchObject({
    gatewayName: 'ports',
    namespace: 'team-a',
    parentKind: 'ListenerSet',
    controllerName: 'acme.example/gateways',
  });
  expect(made.listenerNamed('db')?.port).toBe(5433);
  expect(made.listenerNamed('web')).toBeUndefined();
});

test('a route attaches to a ListenerSet of elsewhere by its kind', () => {
  const chart = newChart('team-a');
  const gateway = ListenerSet.fromName('ports', { namespace: 'team-a', listeners: [db] });
  new TlsRoute(chart, 'Route', {
    parentRefs: [{ gateway, sectionName: 'tls' }],
    hostnames: ['a.example.com'],
    backendRefs: [{ name: 'a', port: 1 }],
  });
  expect(written(chart, 'TLSRoute').spec.parentRefs).toEqual([
    {
      group: 'gateway.networking.k8s.io',
      kind: 'ListenerSet',
      name: 'ports',
      namespace: 'team-a',
      sectionName: 'tls',
    },
  ]);
  expect(gateway.listenerNamed('db')).toBe(db);
});

const LISTENER = { name: 'db', port: 5432, protocol: 'TCP' };
const many = Array.from({ length: 65 }, (_, i) => ({ ...db, name: `l${i}`, port: 1000 + i }));

test.each<[string, Partial<ListenerSetProps>, string[]]>([
  ['nothing', {}, []],
  ['64 listeners', { listeners: many.slice(1) }, []],
  ['no listener', { listeners: [] }, ['the ListenerSet has no listener; write at least one (gateway-listeners)']],
  ['many listeners', { listeners: many }, ['there are 65 listeners, more than 64']],
  ['a set of a set', { gateway: ListenerSet.fromName('other') }, ["the ListenerSet joins ListenerSet 'other'; name"]],
])('wrong with a ListenerSet: %s', (_, props, texts) => {
  const errors = errorsOf(set(props).chart);
  expect(errors).toHaveLength(Math.min(texts.length, 1));
  for (const text of texts) {
    expect(errors[0]).toContain(text);
  }
});

test('TLS that is terminated carries TCP, and TLS that is passed through does not', () => {
  const allowedRoutes = GatewayAllowedRoutes.sameNamespace(['TCPRoute']);
  const tls = { ...db, protocol: GatewayProtocol.TLS, allowedRoutes };
  const certificateRefs = [{ name: 'db' }];
  expect(errorsOf(set({ listeners: [{ ...tls, certificateRefs }] }).chart)).toEqual([]);
  expect(errorsOf(set({ listeners: [{ ...tls, tlsMode: GatewayTlsMode.PASSTHROUGH }] }).chart)).toHaveLength(1);
});

test('a ListenerSet of nonsense is refused, and nothing is thrown', () => {
  for (const spec of [undefined, null, 7, { listeners: 'x', parentRef: [] }, { listeners: [null, {}] }]) {
    expect(faultsIn({ metadata: null, spec }, LISTENER_SET_RULES).length).toBeGreaterThan(1);
  }
});

test.each<[object, string]>(CASES.wrongListenersetAs)('wrong with a ListenerSet as YAML: %j', (more, text) => {
  const spec = { parentRef: { name: 'edge' }, listeners: [LISTENER], ...more };
  expect(findingsOf({ metadata: { name: 'ports' }, spec }, LISTENER_SET_RULES)).toEqual([
    expect.stringContaining(text),
  ]);
});

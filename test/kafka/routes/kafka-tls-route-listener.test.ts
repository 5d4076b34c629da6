import { JsonPatch } from 'cdk8s';
import { LoadBalancers, StrimziVersion } from '../../../src';
import type { Json } from '../../../src/contract/json';
import { Gateway, GatewayAllowedRoutes, GatewayClass, GatewayTlsMode } from '../../../src/gateway';
import { KafkaTlsRouteListener } from '../../../src/kafka/routes/kafka-tls-route-listener';
import { errorsOf, newChart, stderrOf } from '../../support/apps';
import { revived, table } from '../../support/yaml-cases';
import { writtenListener } from '../clusters';
import { edge, HOSTS, type Props, passed, routed } from './listeners';

const { V1_1, V1_2 } = StrimziVersion;
const { TERMINATE } = GatewayTlsMode;
const PARENT = { group: 'gateway.networking.k8s.io', kind: 'Gateway', name: 'edge', namespace: 'infra' };

const BASE = {
  name: 'routed',
  port: 9095,
  type: 'tlsroute',
  tls: true,
  configuration: {
    bootstrap: { host: 'bootstrap.kafka.example.com' },
    hostTemplate: 'broker-{nodeId}.kafka.example.com',
    parentRefs: [PARENT],
  },
};

/** The listener that comes of some props, nothing of which is an error. */
function listenerOf(props: Props, present: Json[] = []): Json {
  let listener: Json = {};
  stderrOf(() => {
    listener = writtenListener(routed(props, V1_2, present).chart, 'routed');
  });
  return listener;
}

const withConfiguration = (more: Json) => ({ ...BASE, configuration: { ...BASE.configuration, ...more } });

test.each<[string, Props, Json]>([
  ...revived(table('kafka/routes/kafka-tls-route-listener.yaml', 'advertised addresses', { BASE, PARENT }), {
    withConfiguration,
    edge,
  }),
  [
    'a port for each broker',
    {
      advertisedPortTemplate: '9000 + {nodeId}',
      gateway: edge(...[0, 1, 2].map((id) => ({ name: `b${id}`, port: 9000 + id }))),
    },
    withConfiguration({ advertisedPortTemplate: '9000 + {nodeId}' }),
  ],
])('a listener with %s', (_, props, expected) => expect(listenerOf(props)).toEqual(expected));

test.each<[string, Props, string[], string[]]>([
  [
    'any listener',
    {},
    ['events-kafka-routed-bootstrap', ...[0, 1, 2].map((id) => `events-brokers-routed-${id}`)],
    ['events-kafka-routed-bootstrap', ...[0, 1, 2].map((id) => `events-brokers-routed-${id}`)],
  ],
  [
    'external on 9094',
    { name: 'external', port: 9094 },
    ['events-kafka-bootstrap', ...[0, 1, 2].map((id) => `events-brokers-${id}`)],
    ['events-kafka-external-bootstrap', ...[0, 1, 2].map((id) => `events-brokers-${id}`)],
  ],
])('names for %s', (_, props, routes, services) => {
  const { listener, cluster } = routed(props);
  expect([listener.routeNames, listener.serviceNames]).toEqual([routes, services]);
  expect(listener.loadBalancers).toEqual({
    listener: props.name ?? 'routed',
    type: 'tlsroute',
    count: 1,
    gateways: ['infra/edge'],
    serviceNames: services,
  });
  expect(cluster.loadBalancers.count).toBe(1);
});

test.each<[string, Props, number | undefined]>([
  ['different ones', { advertisedPortTemplate: '9000 + {nodeId}' }, undefined],
])('advertised is %s', (_, props, port) => expect(routed(props).listener.advertisedPort).toBe(port));

test('a Gateway of the app is asked when it is finished', () => {
  const { chart, cluster } = routed();
  const gateway = new Gateway(newChart('infra'), 'Edge', {
    name: 'edge',
    gatewayClassName: 'acme',
    listeners: [passed],
  });
  const listener = new KafkaTlsRouteListener(chart, 'Other', {
    kafka: cluster,
    gateway,
    name: 'other',
    port: 9096,
    bootstrapHost: 'other.kafka.example.com',
    hostTemplate: 'other-{nodeId}.kafka.example.com',
  });
  gateway.addJsonPatch(JsonPatch.replace('/spec/listeners/0/port', 8443));
  expect(listener.advertisedPort).toBe(8443);
  let json: Json = {};
  stderrOf(() => {
    json = writtenListener(chart, 'other');
  });
  expect(json.configuration.advertisedPortTemplate).toBe('8443');
});

const present = (configuration: Json = {}, more: Json = {}): Json => ({
  ...BASE,
  authentication: { type: 'scram-sha-512' },
  ...more,
  configuration: { ...BASE.configuration, ...configuration },
});
const NOTHING: Props = { port: undefined, bootstrapHost: undefined, hostTemplate: undefined };

test.each<[string, Json, Props, Json?]>([
  ['as it is', present(), NOTHING],
  ['that says the same', present(), {}],
  ['with another parent beside', present({ parentRefs: [PARENT, { name: 'inner' }] }), NOTHING],
  [
    'with ports of its brokers',
    present({ brokers: [0, 1, 2].map((broker) => ({ broker, advertisedPort: 9443 })) }),
    { ...NOTHING, gateway: edge({ port: 9443 }) },
  ],
  ['with hosts that it advertises besides', present({ advertisedHostTemplate: HOSTS.hostTemplate }), NOTHING],
  [
    'without hosts',
    present({ bootstrap: { annotations: { a: 'b' } }, hostTemplate: undefined }),
    {},
    present({ bootstrap: { annotations: { a: 'b' }, host: HOSTS.bootstrapHost } }),
  ],
])('a listener is adopted %s', (_, before, props, after = before) => {
  expect(listenerOf(props, [before])).toEqual(JSON.parse(JSON.stringify(after)));
});

const NLB = 'gateway.k8s.aws/nlb';
const adopted = (configuration: Json): [Props, StrimziVersion, Json[]] => [{}, V1_2, [present(configuration)]];

test.each<[string, readonly [Props, StrimziVersion?, Json[]?, Json?], ...string[]]>([
  ...revived(table('kafka/routes/kafka-tls-route-listener.yaml', 'refused listeners', { passed }), { edge, adopted }),
  [
    'a host that another listener has',
    [{}, V1_2, [{ ...present(), name: 'older', port: 9096 }]],
    "the host of bootstrap is 'bootstrap.kafka.example.com', which is also the host of the earlier listener 'older'; give each listener hosts",
    'broker 0',
    'broker 1',
    'broker 2',
  ],
])('%s is refused', (_, [props, strimzi, before, more], ...texts) => {
  const errors = errorsOf(routed(props, strimzi, before, more).chart);
  expect(errors.map((error) => error.replace('[kafka/Routed] ', ''))).toEqual(
    texts.map((text) => expect.stringContaining(text)),
  );
});

test('other hosts that brokers advertise are warned of', () => {
  const { chart } = routed(...adopted({ advertisedHostTemplate: 'b{nodeId}.example.org' }));
  const known = LoadBalancers.of(chart).warnings.map(({ finding }) => finding);
  expect(known.filter(({ ruleId }) => ruleId === 'route-advertised-host-mismatch').map(({ what }) => what)).toEqual([
    expect.stringContaining(
      "clients do not reach broker 0: it advertises 'b0.example.org', and the operator only makes a route for 'broker-0.kafka.example.com'",
    ),
    expect.stringContaining('broker 1'),
    expect.stringContaining('broker 2'),
  ]);
});

test('the class of a Gateway of the app is looked at', () => {
  const { chart, cluster } = routed();
  const gatewayClass = new GatewayClass(chart, 'Class', { name: 'nlb', controllerName: NLB });
  const gateway = new Gateway(chart, 'Edge', { gatewayClass, listeners: [passed] });
  new KafkaTlsRouteListener(chart, 'Other', { kafka: cluster, gateway, ...HOSTS, name: 'other', port: 9096 });
  expect(errorsOf(chart)).toContainEqual(expect.stringContaining('(gateway-without-sni)'));
});

test.each<[string, Props, string[]]>([
  ['nothing', {}, []],
  ['nothing of an unknown Gateway', { gateway: Gateway.fromName('edge') }, []],
  [
    'nothing of labels that nobody knows',
    { gateway: edge({ allowedRoutes: GatewayAllowedRoutes.namespacesLabeled({ a: 'b' }) }) },
    [],
  ],
  ['nothing of all namespaces', { gateway: edge({ allowedRoutes: GatewayAllowedRoutes.allNamespaces() }) }, []],
  ['nothing of all hosts', { gateway: edge({ hostname: undefined }) }, []],
  ['a way in plain text', { tls: false, gateway: edge({ tlsMode: TERMINATE }) }, ['route-brokers-without-tls']],
  ['the same of an unknown Gateway', { tls: false, gateway: Gateway.fromName('edge') }, ['route-brokers-without-tls']],
  ['another port than the Gateway has', { advertisedPort: 9443 }, ['route-advertised-port-mismatch']],
])('%s is warned of', (_, props, ids) => {
  const { chart } = routed({ authentication: { type: 'scram-sha-512' }, ...props }, V1_1);
  const known = LoadBalancers.of(chart).warnings.map(({ finding }) => finding);
  expect(known.map(({ ruleId }) => ruleId).filter((id) => id.startsWith('route-'))).toEqual(ids);
  stderrOf(() => expect(errorsOf(chart)).toEqual([]));
});

test.each<[string, Props, string]>(table('kafka/routes/kafka-tls-route-listener.yaml', 'refused properties'))(
  '%s is refused at once',
  (_, props, message) => expect(() => routed(props)).toThrow(message),
);

test('hosts of an ingress are not those of routes', () => {
  const configuration = { bootstrap: { host: HOSTS.bootstrapHost }, hostTemplate: HOSTS.hostTemplate };
  const ingress = { name: 'web', port: 9096, type: 'ingress', tls: true, configuration };
  stderrOf(() => expect(errorsOf(routed({}, V1_2, [ingress]).chart)).toEqual([]));
});

test('a listener that is removed after it was adopted is missed', () => {
  const { chart, cluster } = routed({}, V1_2, [present()]);
  cluster.kafka.addJsonPatch(JsonPatch.remove('/spec/kafka/listeners/1'));
  expect(errorsOf(chart)).toEqual([expect.stringContaining('(listener-missing)')]);
});

test('two constructs for one listener are told apart', () => {
  const { chart, cluster } = routed();
  new KafkaTlsRouteListener(chart, 'Again', {
    kafka: cluster,
    gateway: edge({}),
    ...HOSTS,
    name: 'routed',
    port: 9095,
  });
  expect(errorsOf(chart).join('\n')).toContain('(object-duplicate)');
});

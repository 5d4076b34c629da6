import { JsonPatch } from 'cdk8s';
import { LoadBalancers, StrimziVersion } from '../../../src';
import type { Json } from '../../../src/contract/json';
import { Gateway, GatewayAllowedRoutes, GatewayClass, GatewayProtocol, GatewayTlsMode } from '../../../src/gateway';
import { KafkaTlsRouteListener } from '../../../src/kafka/routes/kafka-tls-route-listener';
import { errorsOf, newChart, stderrOf } from '../../support/apps';
import { writtenListener } from '../clusters';
import { edge, HOSTS, type Props, passed, routed } from './listeners';

const { V0_45, V1_0, V1_1, V1_2 } = StrimziVersion;
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
  ['nothing but what it must have', {}, BASE],
  ['a Gateway that is not known', { gateway: Gateway.fromName('edge', { namespace: 'infra' }) }, BASE],
  [
    'a Gateway in its own namespace',
    { gateway: Gateway.fromName('edge') },
    withConfiguration({ parentRefs: [{ group: PARENT.group, kind: 'Gateway', name: 'edge' }] }),
  ],
  [
    'another port of the Gateway',
    { gateway: edge({ port: 9443 }) },
    withConfiguration({ advertisedPortTemplate: '9443' }),
  ],
  [
    'one port of two',
    { gateway: edge({ port: 9443, hostname: '*.example.org', name: 'other' }, { port: 8443 }) },
    withConfiguration({ advertisedPortTemplate: '8443' }),
  ],
  ['443 among other ports', { gateway: edge({ port: 9443, name: 'other' }, {}) }, BASE],
  [
    'the port of one of two listeners',
    { gateway: edge({ port: 9443, name: 'other' }, { port: 8443 }), sectionName: 'other' },
    withConfiguration({ parentRefs: [{ ...PARENT, sectionName: 'other' }], advertisedPortTemplate: '9443' }),
  ],
  ['a port that is said', { advertisedPort: 443 }, withConfiguration({ advertisedPortTemplate: '443' })],
  [
    'a port for each broker',
    {
      advertisedPortTemplate: '9000 + {nodeId}',
      gateway: edge(...[0, 1, 2].map((id) => ({ name: `b${id}`, port: 9000 + id }))),
    },
    withConfiguration({ advertisedPortTemplate: '9000 + {nodeId}' }),
  ],
  [
    'all that may be said',
    {
      authentication: { type: 'tls' },
      bootstrapAlternativeNames: ['kafka.example.com'],
      brokerCertificate: { secretName: 'kafka-tls', certificate: 'tls.crt', key: 'tls.key' },
      networkPolicyPeers: [{ ipBlock: { cidr: '10.0.0.0/8' } }],
      maxConnections: 1000,
      routeLabels: { team: 'events' },
      routeAnnotations: { 'acme.example/owner': 'events' },
    },
    {
      ...BASE,
      authentication: { type: 'tls' },
      networkPolicyPeers: [{ ipBlock: { cidr: '10.0.0.0/8' } }],
      configuration: {
        ...BASE.configuration,
        bootstrap: {
          alternativeNames: ['kafka.example.com'],
          annotations: { 'acme.example/owner': 'events' },
          host: 'bootstrap.kafka.example.com',
          labels: { team: 'events' },
        },
        brokerCertChainAndKey: { secretName: 'kafka-tls', certificate: 'tls.crt', key: 'tls.key' },
        maxConnections: 1000,
        perBrokerAnnotationsTemplate: { 'acme.example/owner': 'events' },
        perBrokerLabelsTemplate: { team: 'events' },
      },
    },
  ],
  ['TLS that the Gateway terminates', { tls: false, gateway: edge({ tlsMode: TERMINATE }) }, { ...BASE, tls: false }],
])('a listener with %s', (_, props, expected) => {
  expect(listenerOf(props)).toEqual(expected);
});

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
])('advertised is %s', (_, props, port) => {
  expect(routed(props).listener.advertisedPort).toBe(port);
});

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
  [
    'an operator without such listeners',
    [{}, V1_0],
    'Strimzi 1.0.1 has no listeners of type tlsroute; run Strimzi 1.1.0 or newer; or make a listener of type cluster-ip, with TlsRoutes of your own to its Services; or KafkaLoadBalancedListener',
  ],
  ['an old operator', [{}, V0_45], 'Strimzi 0.45.2 has no listeners of type tlsroute'],
  [
    'a class that routes no SNI',
    [{ gateway: Gateway.fromName('edge', { controllerName: NLB, listeners: [passed] }) }],
    'gateway-api: Gateway edge is served by gateway.k8s.aws/nlb, whose balancers do not route by SNI: the second host on a port is silently ignored; use a Gateway of an implementation that routes TLS by SNI; or KafkaLoadBalancedListener',
  ],
  [
    'a section that is not there',
    [{ sectionName: 'tls' }],
    "Gateway infra/edge has no listener 'tls', but kafka; write the name of one of its listeners as sectionName (route-section-unknown)",
  ],
  [
    'a Gateway without listeners',
    [{ gateway: edge() }],
    "no listener of Gateway infra/edge takes the TLSRoutes of listener 'routed': it has none; give",
  ],
  [
    'another protocol',
    [{ gateway: edge({ protocol: GatewayProtocol.HTTPS, tlsMode: TERMINATE }) }],
    "'kafka' has protocol HTTPS; give the Gateway a listener of protocol TLS, with tlsMode PASSTHROUGH and allowedRoutes that admit TLSRoutes from namespace 'kafka' (route-without-listener)",
  ],
  [
    'routes of the same namespace alone',
    [{ gateway: edge({ allowedRoutes: undefined }) }],
    "'kafka' admits routes of its own namespace 'infra' alone",
  ],
  [
    'routes of other namespaces',
    [{ gateway: edge({ allowedRoutes: GatewayAllowedRoutes.namespaces(['web', 'shop']) }) }],
    "'kafka' admits routes of other namespaces than 'kafka'",
  ],
  [
    'routes of another namespace by its label',
    [
      {
        gateway: edge({
          allowedRoutes: GatewayAllowedRoutes.namespacesLabeled({ 'kubernetes.io/metadata.name': 'x' }),
        }),
      },
    ],
    "'kafka' admits routes of other namespaces than 'kafka'",
  ],
  [
    'routes of other kinds, in two listeners',
    [
      {
        gateway: edge(
          { allowedRoutes: GatewayAllowedRoutes.allNamespaces(['TCPRoute']) },
          { name: 'web', protocol: GatewayProtocol.HTTP, tlsMode: undefined },
        ),
      },
    ],
    "'kafka' admits TCPRoute alone, 'web' has protocol HTTP; give",
  ],
  [
    'TLS that nobody understands',
    [{ tls: false }],
    "listener 'kafka' of Gateway infra/edge passes TLS through to brokers that do not speak it, since tls is false; set tls: true",
  ],
  [
    'TLS that is terminated',
    [{ gateway: edge({ tlsMode: TERMINATE }) }],
    "listener 'kafka' of Gateway infra/edge terminates TLS, and sends plain text to brokers that speak TLS; use tlsMode PASSTHROUGH",
  ],
  [
    'hosts of another domain',
    [{ bootstrapHost: 'kafka.example.com', hostTemplate: 'broker-{nodeId}.example.org' }],
    "Gateway infra/edge takes no route for kafka.example.com, broker-0.example.org, broker-1.example.org, broker-2.example.org: listener 'kafka' serves *.kafka.example.com; choose",
  ],
  [
    'a Gateway listener for one host',
    [{ gateway: edge({ hostname: HOSTS.bootstrapHost }) }],
    'takes no route for broker-0.kafka.example.com, broker-1.kafka.example.com, broker-2.kafka.example.com: listener',
  ],
  [
    'ports of which nobody says one',
    [{ gateway: edge({ port: 9443 }, { name: 'other', port: 8443 }) }],
    'brokers 0, 1, 2 advertise port 443 by default, and Gateway infra/edge listens on 9443, 8443; set advertisedPort, or sectionName',
  ],
  [
    'one host for all brokers',
    [{ hostTemplate: 'broker.kafka.example.com' }],
    'the routes of brokers 0, 1, 2 all have host broker.kafka.example.com; put {nodeId} into hostTemplate, or write a host of its own for each broker (listener-host-duplicate)',
  ],
  [
    'a host of bootstrap that a broker has',
    [{ bootstrapHost: 'broker-1.kafka.example.com' }],
    "the Gateway sends clients of one to the other: bootstrap and broker 1 both have host 'broker-1.kafka.example.com'; give bootstrap a host of its own (route-host-shared-with-bootstrap)",
  ],
  [
    'no hosts',
    [{ bootstrapHost: undefined, hostTemplate: undefined }],
    'bootstrap.host is missing on type tlsroute',
    'no broker has a host, on type tlsroute; write hostTemplate',
  ],
  [
    'a wildcard for bootstrap',
    [{ bootstrapHost: '*.kafka.example.com' }],
    "the host of bootstrap is '*.kafka.example.com', which is not a lower-case name of one host",
  ],
  [
    'an address for bootstrap',
    [{ bootstrapHost: '192.0.2.1', gateway: Gateway.fromName('edge') }],
    "the host of bootstrap is '192.0.2.1', which is not a lower-case name of one host",
  ],
  [
    'a host that one broker has for itself',
    adopted({ brokers: [{ broker: 1, host: 'one.example.org' }] }),
    "Gateway infra/edge takes no route for one.example.org: listener 'kafka' serves *.kafka.example.com",
  ],
  [
    'a host that another listener has',
    [{}, V1_2, [{ ...present(), name: 'older', port: 9096 }]],
    "the host of bootstrap is 'bootstrap.kafka.example.com', which is also the host of the earlier listener 'older'; give each listener hosts",
    'broker 0',
    'broker 1',
    'broker 2',
  ],
  [
    'another host in the manifest',
    adopted({ bootstrap: { host: 'b.kafka.example.com' } }),
    "the manifest sets configuration.bootstrap.host 'b.kafka.example.com', but the props set 'bootstrap.kafka.example.com'; remove it",
  ],
  [
    'another Gateway in the manifest',
    adopted({ parentRefs: [{ name: 'inner' }] }),
    'the manifest sets configuration.parentRefs [{"name":"inner"}], but the props set {"group":',
  ],
  [
    'another type in the manifest',
    [{}, V1_2, [{ name: 'routed', port: 9095, type: 'cluster-ip', tls: true }]],
    "listener 'routed': the manifest sets type 'cluster-ip', and this construct makes a listener of type 'tlsroute'",
  ],
  ['another rule of listeners', [{ port: 9404 }], '(listener-port-reserved)'],
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

test.each<[string, Props, string]>([
  [
    'no port',
    { port: undefined },
    "kafka/Routed: Kafka events has no listener 'routed' yet, and a new one needs a port",
  ],
  ['no peers', { networkPolicyPeers: [] }, "listener 'routed' cannot have an empty list of networkPolicyPeers"],
  [
    'two ports',
    { advertisedPort: 443, advertisedPortTemplate: '443' },
    'kafka/Routed: advertisedPort and advertisedPortTemplate are both given; keep one',
  ],
])('%s is refused at once', (_, props, message) => {
  expect(() => routed(props)).toThrow(message);
});

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

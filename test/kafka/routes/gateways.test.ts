import { join } from 'node:path';
import { ApiObject, App, Chart, JsonPatch, Testing } from 'cdk8s';
import {
  Gateway,
  KafkaCluster,
  KafkaNodeIds,
  KafkaNodePool,
  KafkaNodeRole,
  KafkaTlsRouteListener,
  LoadBalancers,
  StrimziVersion,
} from '../../../src';
import type { Json } from '../../../src/contract/json';
import {
  GatewayAllowedRoutes,
  GatewayClass,
  GatewayProtocol,
  GatewayTlsMode,
  type IGateway,
} from '../../../src/gateway';
import { errorsOf, newChart, stderrOf } from '../../support/apps';
import { expectGolden, writtenBy } from '../../support/goldens';
import { casesIn, table } from '../../support/yaml-cases';
import { clusterWith, writtenListener } from '../clusters';
import { edge, HOSTS, type Props, passed, routed } from './listeners';

const { V1_2 } = StrimziVersion;
const GROUP = { group: 'gateway.networking.k8s.io', kind: 'Gateway' };
const EDGE = { ...GROUP, name: 'edge', namespace: 'infra' };

function inner(change: Partial<typeof passed> = {}): IGateway {
  return Gateway.fromName('inner', { namespace: 'infra', listeners: [{ ...passed, ...change }] });
}

const present = (name: string, port: number, parentRefs: unknown): Json => ({
  name,
  port,
  type: 'tlsroute',
  tls: true,
  authentication: { type: 'scram-sha-512' },
  configuration: { bootstrap: { host: HOSTS.bootstrapHost }, hostTemplate: HOSTS.hostTemplate, parentRefs },
});

function written(props: Props, listeners: Json[] = []): Json {
  let listener: Json = {};
  stderrOf(() => {
    listener = writtenListener(routed(props, V1_2, listeners).chart, 'routed');
  });
  return listener.configuration;
}

test('two listeners have the same hosts behind different Gateways, as split-horizon DNS needs', () => {
  const { chart, cluster } = routed();
  const other = { kafka: cluster, ...HOSTS, name: 'inner', port: 9096 };
  new KafkaTlsRouteListener(chart, 'Inner', { ...other, gateway: inner() });
  stderrOf(() => expect(errorsOf(chart)).toEqual([]));
  expect(cluster.loadBalancers.count).toBe(2);
});

test.each<[string, unknown, number]>(casesIn(__dirname, 'gateways.yaml')['hosts that another listener has behind'])(
  'hosts that another listener has behind %s',
  (_, parentRefs, told) => {
    const { chart } = routed({}, V1_2, [present('older', 9096, parentRefs)]);
    expect(errorsOf(chart).filter((error) => error.includes('(route-host-duplicate)'))).toHaveLength(told);
  },
);

test.each<[string, Props, string | undefined]>([
  [
    'the port that both have',
    { gateway: edge({ port: 9443 }), additionalGateways: [{ gateway: inner({ port: 9443 }) }] },
    '9443',
  ],
  [
    'the port of the one that is known',
    { gateway: edge({ port: 9443 }), additionalGateways: [{ gateway: Gateway.fromName('inner') }] },
    '9443',
  ],
  ['443 of both', { additionalGateways: [{ gateway: inner() }] }, undefined],
])('brokers behind two Gateways advertise %s', (_, props, port) => {
  expect(written(props).advertisedPortTemplate).toBe(port);
});

test.each<[string, Props, string[]]>([
  [
    'that passes no TLS on',
    { additionalGateways: [{ gateway: inner({ tlsMode: GatewayTlsMode.TERMINATE }) }] },
    ["listener 'kafka' of Gateway infra/inner terminates TLS"],
  ],
  [
    'without the section',
    { additionalGateways: [{ gateway: inner(), sectionName: 'other' }] },
    ["Gateway infra/inner has no listener 'other', but kafka"],
  ],
])('a second Gateway %s is refused', (_, props, expected) => {
  expect(errorsOf(routed(props).chart)).toEqual(expected.map((text) => expect.stringContaining(text)));
});

test('one Gateway twice is once too often', () => {
  expect(() => routed({ additionalGateways: [{ gateway: edge({}) }] })).toThrow(
    'kafka/Routed: gateway and additionalGateways name Gateway infra/edge twice; name it once, or set different values of sectionName',
  );
  expect(() =>
    routed({ sectionName: 'a', additionalGateways: [{ gateway: edge({}), sectionName: 'b' }] }),
  ).not.toThrow();
});

const AS_IT_IS: Props = { port: undefined, bootstrapHost: undefined, hostTemplate: undefined };

test('a section that the manifest names, and the props do not, stays and counts', () => {
  const parentRefs = [{ ...EDGE, sectionName: 'other' }];
  const gateway = edge({}, { name: 'other', port: 8443 });
  const configuration = written({ ...AS_IT_IS, gateway }, [present('routed', 9095, parentRefs)]);
  expect(configuration.parentRefs).toEqual(parentRefs);
  expect(configuration.advertisedPortTemplate).toBe('8443');
  const { chart } = routed({ ...AS_IT_IS, gateway: edge({}) }, V1_2, [present('routed', 9095, parentRefs)]);
  expect(errorsOf(chart)).toEqual([expect.stringContaining("Gateway infra/edge has no listener 'other', but kafka")]);
});

test('several sections of one Gateway are all looked at', () => {
  const parentRefs = ['kafka', 'other'].map((sectionName) => ({ ...EDGE, sectionName }));
  const gateway = edge({ hostname: 'bootstrap.kafka.example.com' }, { name: 'other' });
  expect(written({ ...AS_IT_IS, gateway }, [present('routed', 9095, parentRefs)]).parentRefs).toEqual(parentRefs);
});

test('a section that the props name is not another one in the manifest', () => {
  const listeners = [present('routed', 9095, [{ ...EDGE, sectionName: 'other' }])];
  const { chart } = routed({ ...AS_IT_IS, sectionName: 'kafka' }, V1_2, listeners);
  expect(errorsOf(chart)).toEqual([expect.stringContaining('(manifest-plan-conflict)')]);
});

test('a Gateway that the manifest does not name is missing', () => {
  const listeners = [present('routed', 9095, [EDGE])];
  const { chart } = routed({ ...AS_IT_IS, additionalGateways: [{ gateway: inner() }] }, V1_2, listeners);
  expect(errorsOf(chart)).toEqual([expect.stringContaining('but the props set {"group":"gateway.networking.k8s.io"')]);
});

test.each<[string, number, string]>(
  table('kafka/routes/gateways.yaml', 'Gateways on different ports are told what is wrong whoever'),
)('Gateways on different ports are told what is wrong, whoever has the port that is said: %s', (_, port, expected) => {
  const { chart } = routed({ advertisedPort: port, additionalGateways: [{ gateway: inner({ port: 9443 }) }] });
  stderrOf(() => expect(errorsOf(chart)).toEqual([]));
  const known = LoadBalancers.of(chart).warnings.map(({ finding }) => finding);
  const [told, ...others] = known.filter(({ ruleId }) => ruleId === 'route-advertised-port-mismatch');
  expect(others).toEqual([]);
  expect(told.what).toContain(`brokers 0, 1, 2 advertise port ${port}, and ${expected} cannot connect`);
  expect(told.remedy).toMatch(
    /^give the Gateways the same port, or make a listener for each, unless something in front/,
  );
});

test('Gateways that share a port are told to say it', () => {
  const gateway = edge({}, { name: 'other', port: 8443 });
  const { chart } = routed({ gateway, additionalGateways: [{ gateway: inner({ port: 8443 }) }] });
  expect(errorsOf(chart)).toEqual([expect.stringContaining('listens on 8443; set advertisedPort')]);
});

function cluster(hostTemplate = HOSTS.hostTemplate) {
  const chart = newChart('kafka');
  const kafka = new KafkaCluster(chart, 'Events', { name: 'events', strimzi: StrimziVersion.V1_2 });
  const gateway = new Gateway(chart, 'Edge', {
    name: 'edge',
    gatewayClassName: 'acme',
    listeners: [{ ...passed, port: 8443 }],
  });
  const listener = new KafkaTlsRouteListener(chart, 'External', {
    kafka,
    gateway,
    name: 'external',
    port: 9094,
    authentication: { type: 'tls' },
    bootstrapHost: HOSTS.bootstrapHost,
    hostTemplate,
  });
  for (const [name, from] of Object.entries({ east: 0, west: 10 })) {
    new KafkaNodePool(chart, name, {
      kafka,
      name,
      replicas: 1,
      roles: [KafkaNodeRole.BROKER, KafkaNodeRole.CONTROLLER],
      storage: { type: 'persistent-claim', size: '100Gi' },
      nodeIds: KafkaNodeIds.between(from, from + 9),
    });
  }
  return { chart, kafka, listener };
}

test('brokers that are made later count', () => {
  const { chart, kafka, listener } = cluster();
  const [east, west] = kafka.brokerIds;
  const brokers = [`events-east-${east}`, `events-west-${west}`];
  expect(listener.routeNames).toEqual(['events-kafka-bootstrap', ...brokers]);
  expect(listener.serviceNames).toEqual(['events-kafka-external-bootstrap', ...brokers]);
  expect([listener.advertisedPort, kafka.loadBalancers.count]).toEqual([8443, 1]);
  expect(kafka.loadBalancers.listeners).toEqual([listener.loadBalancers]);
  stderrOf(() => {
    expect(writtenListener(chart).configuration).toMatchObject({
      advertisedPortTemplate: '8443',
      parentRefs: [{ name: 'edge', namespace: 'kafka' }],
    });
  });
});

test('the names of pods stand in hosts', () => {
  const { chart, kafka } = cluster('{nodePodName}.example.org');
  const [east, west] = kafka.brokerIds;
  stderrOf(() => {
    expect(errorsOf(chart)).toEqual([
      `[kafka/External] gateway-api: Gateway kafka/edge takes no route for events-east-${east}.example.org, events-west-${west}.example.org: listener 'kafka' serves *.kafka.example.com; choose hosts below the hostname of the Gateway listener, or widen that (route-host-not-in-gateway)`,
    ]);
  });
});

/** A cluster behind a Gateway in another namespace, on a port that is not the operator's. */
function behindGateway(): Chart {
  const { chart, cluster } = clusterWith([], StrimziVersion.V1_2);
  const gatewayClass = new GatewayClass(chart, 'Class', {
    name: 'acme',
    controllerName: 'acme.example/gateway-controller',
  });
  const gateway = new Gateway(chart, 'Edge', {
    name: 'edge',
    namespace: 'infra',
    gatewayClass,
    listeners: [
      {
        name: 'kafka',
        port: 9443,
        protocol: GatewayProtocol.TLS,
        tlsMode: GatewayTlsMode.PASSTHROUGH,
        hostname: '*.kafka.example.com',
        allowedRoutes: GatewayAllowedRoutes.namespaces(['kafka'], ['TLSRoute']),
      },
    ],
  });
  new KafkaTlsRouteListener(chart, 'External', {
    kafka: cluster,
    gateway,
    sectionName: 'kafka',
    name: 'external',
    port: 9094,
    authentication: { type: 'tls' },
    ...HOSTS,
  });
  return chart;
}

test('golden: tls-route-on-1.2', () => {
  expectGolden(join(__dirname, '..', 'goldens'), 'tls-route-on-1.2', writtenBy(behindGateway).yaml);
});

/** A Kafka of a user who keeps what it rendered once. */
class KeptKafka extends ApiObject {
  private kept?: unknown;

  public override toJson(): unknown {
    this.kept ??= super.toJson();
    return this.kept;
  }
}

test('a Gateway that changes is followed where the Kafka is rendered to the same object again', () => {
  const chart = new Chart(new App(), 'kafka', { namespace: 'kafka' });
  new ApiObject(chart, 'Pool', {
    apiVersion: 'kafka.strimzi.io/v1',
    kind: 'KafkaNodePool',
    metadata: {
      name: 'a',
      labels: { 'strimzi.io/cluster': 'k' },
      annotations: { 'strimzi.io/next-node-ids': '[0-9]' },
    },
    spec: { replicas: 1, roles: ['broker', 'controller'], storage: { type: 'ephemeral' } },
  } as never);
  new KeptKafka(chart, 'Kafka', {
    apiVersion: 'kafka.strimzi.io/v1',
    kind: 'Kafka',
    metadata: { name: 'k' },
    spec: { kafka: { listeners: [] } },
  } as never);
  const gateway = new ApiObject(chart, 'Gateway', {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'Gateway',
    metadata: { name: 'edge' },
    spec: {
      gatewayClassName: 'acme',
      listeners: [{ name: 'tls', port: 443, protocol: 'TLS', hostname: '*.example.com', tls: { mode: 'Passthrough' } }],
    },
  } as never);
  const listener = new KafkaTlsRouteListener(chart, 'External', {
    kafka: KafkaCluster.fromManifest(chart, { strimzi: StrimziVersion.V1_2, name: 'k' }),
    name: 'external',
    port: 9094,
    authentication: { type: 'scram-sha-512' },
    gateway: Gateway.fromManifest(gateway),
    sectionName: 'tls',
    hostTemplate: 'b-{nodeId}.example.com',
    bootstrapHost: 'boot.example.com',
  });
  expect(listener.advertisedPort).toBe(443);
  gateway.addJsonPatch(JsonPatch.replace('/spec/listeners/0/port', 8443));
  expect(listener.advertisedPort).toBe(8443);
  const kafka = Testing.synth(chart).find(({ kind }) => kind === 'Kafka');
  expect(kafka.spec.kafka.listeners[0].configuration.advertisedPortTemplate).toBe('8443');
});

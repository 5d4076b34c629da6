import { Include, JsonPatch } from 'cdk8s';
import {
  CustomController,
  KafkaCluster,
  KafkaLoadBalancedListener,
  LoadBalancerScheme,
  LoadBalancers,
  NodePool,
  StrimziVersion,
} from '../../src';
import type { Json } from '../../src/contract/json';
import { errorsOf, newChart, stderrOf, synth, written } from '../support/apps';
import { table } from '../support/yaml-cases';
import {
  clusterWith,
  fileObjects,
  kafkaWith,
  listen,
  manifests,
  metalLb,
  nlb,
  type Props,
  present,
  RESOURCES,
  writtenListener,
} from './clusters';

const { V0_49, V1_2 } = StrimziVersion;
const { INTERNAL } = LoadBalancerScheme;
const ofEdge = NodePool.labeled({ pool: 'edge' });

test.each<[string, StrimziVersion, Props, Json]>(
  table('kafka/kafka-load-balanced-listener.yaml', 'a new listener carries the plan'),
)('a new listener carries the plan: %s', (_, strimzi, props, expected) => {
  const { chart } = listen(props, strimzi);
  let configuration: Json = {};
  stderrOf(() => {
    configuration = writtenListener(chart).configuration ?? {};
  });
  const at = (path: string) => {
    const [dotted, key] = [path.split('/')[0], path.includes('/') ? path.slice(path.indexOf('/') + 1) : undefined];
    const found = dotted.split('.').reduce((json, field) => json?.[field], configuration);
    return key === undefined ? found : found?.[key];
  };
  expect(Object.fromEntries(Object.keys(expected).map((path) => [path, at(path)]))).toEqual(expected);
});

test.each<[string, StrimziVersion, Props, string[]]>(
  table('kafka/kafka-load-balanced-listener.yaml', 'the Services of a listener have names'),
)('the Services of a listener have names: %s', (_, strimzi, props, expected) => {
  const { chart, listener } = listen(props, strimzi);
  expect(listener.serviceNames).toEqual(expected);
  expect(listener.loadBalancers.count).toBe(expected.length);
  expect(LoadBalancers.of(chart).count).toBe(expected.length);
});

test('a listener is planned under its own name, and says nothing on standard error', () => {
  const { chart, listener } = listen({ authentication: { type: 'scram-sha-512' } }, V1_2);
  expect(listener.loadBalancers).toMatchObject({ kind: 'Kafka', name: 'events listener external', namespace: 'kafka' });
  expect(listener.plan.owner).toBe('aws-load-balancer-controller');
  expect(stderrOf(() => synth(chart))).toBe('');
});

test('a shared balancer makes none', () => {
  const controller = CustomController.of({ owner: 'acme', loadBalancers: 0 });
  expect(listen({ controller }).listener.loadBalancers.count).toBe(0);
});

test.each<[string, StrimziVersion, Json, Props, Json]>(
  table('kafka/kafka-load-balanced-listener.yaml', 'a listener that is there already is'),
)('a listener that is there already is adopted: %s', (_, strimzi, listener, props, expected) => {
  const { chart } = listen({ scheme: INTERNAL, port: undefined, ...props }, strimzi, [listener]);
  const said = stderrOf(() => expect(writtenListener(chart)).toMatchObject(expected));
  expect(said.includes('class-added-to-live-service')).toBe(true);
});

test('the rest of a document comes out equal', () => {
  const strimzi = V1_2;
  const more = {
    metadata: { labels: { team: 'a' } },
    kafka: { config: { 'min.insync.replicas': 2 }, rack: { topologyKey: 'zone' } },
  };
  const internal = { name: 'a', port: 9095, type: 'internal', tls: true };
  const before = clusterWith([internal, present()], strimzi, more);
  const { chart } = listen({ scheme: INTERNAL }, strimzi, [internal, present()], more);
  const strip = (objects: Json[]) =>
    objects.map((object) =>
      object.kind === 'Kafka'
        ? { ...object, spec: { kafka: { ...object.spec.kafka, listeners: object.spec.kafka.listeners.slice(0, 2) } } }
        : object,
    );
  stderrOf(() => expect(JSON.stringify(strip(synth(chart)))).toBe(JSON.stringify(strip(synth(before.chart)))));
});

test('two listeners go into one document, in the order of their construction', () => {
  const { chart, cluster } = listen({ port: 9094 }, V1_2);
  new KafkaLoadBalancedListener(chart, 'Vpn', { kafka: cluster, name: 'vpn', port: 9095, controller: metalLb() });
  const { listeners } = written(chart, 'Kafka').spec.kafka;
  expect(listeners.map(({ name }: Json) => name)).toEqual(['plain', 'external', 'vpn']);
  expect(synth(chart).filter(({ kind }) => kind === 'Kafka')).toHaveLength(1);
  expect(LoadBalancers.of(chart).count).toBe(8);
});

test('a patch of the resource is written, with the listener', () => {
  const { chart, cluster } = listen({}, V1_2);
  cluster.kafka.addJsonPatch(JsonPatch.add('/spec/kafka/rack', { topologyKey: 'zone' }));
  expect(written(chart, 'Kafka').spec.kafka).toMatchObject({
    rack: { topologyKey: 'zone' },
    listeners: [{}, { name: 'external' }],
  });
});

test.each<[string, Json, Json, string]>(
  table('kafka/kafka-load-balanced-listener.yaml', 'a template that beats the listener is'),
)('a template %s that beats the listener is refused', (_, more, pool, expected) => {
  expect(errorsOf(listen({}, V1_2, [], more, pool).chart).join('\n')).toContain(expected);
});

test('names of Services that are too long are told', () => {
  const long = { ...kafkaWith([], V1_2), metadata: { name: 'e'.repeat(45) } };
  const { chart, construct } = manifests(long);
  const kafka = KafkaCluster.fromManifest(construct, {
    strimzi: V1_2,
    nodePools: [{ name: 'b', brokerIds: [0, 1, 2] }],
  });
  new KafkaLoadBalancedListener(chart, 'External', { kafka, name: 'external', port: 9094, controller: nlb() });
  expect(errorsOf(chart)).toEqual([
    expect.stringContaining("eeee-kafka-external-bootstrap' is not a valid name for a Service"),
  ]);
  expect(errorsOf(chart)[0]).toContain("kubernetes: the Services of listener 'external': ");
});

test('what not all Services have is told with the name of the Service', () => {
  const wrong = { annotations: { 'service.beta.kubernetes.io/aws-load-balancer-ip-address-type': 'ipv5' } };
  const listener = present({ class: 'service.k8s.aws/nlb', brokers: [{ broker: 1, ...wrong }] });
  const errors = errorsOf(listen({ scheme: INTERNAL }, V1_2, [listener]).chart);
  expect(errors).toEqual([
    expect.stringContaining('Service events-brokers-1: no load balancer is made: annotation service.beta'),
  ]);
});

test('nodes that a side object chooses are reached by labels', () => {
  const { chart } = listen({ controller: metalLb(), backendNodes: ofEdge }, V1_2);
  stderrOf(() => {
    const { bootstrap, perBrokerLabelsTemplate } = writtenListener(chart).configuration;
    const [{ matchLabels }] = written(chart, 'L2Advertisement').spec.serviceSelectors;
    expect([bootstrap.labels, perBrokerLabelsTemplate]).toEqual([matchLabels, matchLabels]);
  });
});

test('the first listener of a document tells what is wrong with the others', () => {
  const { chart, cluster } = listen({}, V1_2, [{ name: 'Wrong', port: 9404, type: 'internal', tls: false }]);
  new KafkaLoadBalancedListener(chart, 'Vpn', { kafka: cluster, name: 'vpn', port: 9095, controller: metalLb() });
  const errors = errorsOf(chart).filter((error) => error.includes('9404'));
  expect(errors).toHaveLength(1);
  expect(errors[0]).toContain('kafka/External]');
});

test.each<[string, string, unknown]>([
  ['a map of listeners', '/spec/kafka/listeners', { external: { type: 'loadbalancer' } }],
  ['a text for listeners', '/spec/kafka/listeners', 'none'],
  ['a text for the brokers', '/spec/kafka', 'none'],
  ['a list for the whole', '/spec', []],
])('a document without a place for listeners is told once and left as it is: %s', (_, path, value) => {
  const { chart, cluster } = listen({}, V1_2);
  new KafkaLoadBalancedListener(chart, 'Vpn', { kafka: cluster, name: 'vpn', port: 9095, controller: metalLb() });
  cluster.kafka.addJsonPatch(JsonPatch.replace(path, value));
  expect(errorsOf(chart).filter((error) => error.includes('listeners'))).toEqual([
    expect.stringMatching(/External\] strimzi: spec\.kafka\.listeners is .*\(kafka-listeners-missing\)$/),
  ]);
});

test('texts where lists must be are told once each where nothing is added to them', () => {
  const bootstrap = { alternativeNames: 'a.example.com' };
  const listener = present({ bootstrap, brokers: 'all', finalizers: RESOURCES }, { authentication: { type: 'tls' } });
  const errors = errorsOf(listen({ scheme: INTERNAL, controller: metalLb() }, V1_2, [listener]).chart);
  expect(errors).toEqual([
    expect.stringContaining(
      "configuration.bootstrap.alternativeNames is 'a.example.com', but must be a list of strings; write a list of strings",
    ),
    expect.stringContaining("configuration.brokers is 'all', but must be a list of maps; write a list of maps"),
    expect.stringContaining(
      `configuration.finalizers is '${RESOURCES}', but must be a list of strings; write a list of strings`,
    ),
  ]);
});

test('a listener that is gone since it was adopted is not created again', () => {
  const { chart, cluster } = listen({ scheme: INTERNAL }, V1_2, [present({}, { authentication: { type: 'tls' } })]);
  cluster.kafka.addJsonPatch(JsonPatch.remove('/spec/kafka/listeners/1'));
  expect(errorsOf(chart).join('\n')).toContain(
    "Kafka events no longer has the adopted listener 'external': the new listener would lack its authentication and configuration; keep the listener in the resource, or create this construct after it is removed (listener-missing)",
  );
});

test('two listeners of one name are one too many', () => {
  const { chart, cluster } = listen({}, V1_2);
  new KafkaLoadBalancedListener(chart, 'Again', { kafka: cluster, name: 'external', port: 9094, controller: nlb() });
  expect(errorsOf(chart).join('\n')).toContain('is made by kafka/External as well');
});

test('a new listener needs a port', () => {
  expect(() => listen({ port: undefined })).toThrow(
    "Kafka events has no listener 'external' yet, and a new one needs a port",
  );
});

test('the wrong finalizer of the first story is harmless beside the right one, which the plan adds, and is told', () => {
  const chart = newChart('kafka');
  const include = new Include(chart, 'Existing', { url: `${__dirname}/manifests/first-story.yaml` });
  const kafka = KafkaCluster.fromManifest(include, { strimzi: V0_49 });
  const listener = { kafka, name: 'external', controller: nlb(), scheme: LoadBalancerScheme.INTERNET_FACING };
  new KafkaLoadBalancedListener(chart, 'External', listener);
  stderrOf(() => expect(errorsOf(chart)).toEqual([]));
  expect(LoadBalancers.of(chart).warnings.map(({ finding }) => finding.ruleId)).toContain(
    'finalizer-of-service-controller',
  );

  kafka.kafka.addJsonPatch(JsonPatch.remove('/spec/kafka/listeners/1/configuration/finalizers/0'));
  const before = fileObjects('first-story.yaml');
  const after = written(chart, 'Kafka');
  expect(after.spec.kafka.listeners[1].configuration.finalizers).toEqual([RESOURCES]);
  expect({ ...after.spec, kafka: { ...after.spec.kafka, listeners: [after.spec.kafka.listeners[0]] } }).toEqual({
    ...before[0].spec,
    kafka: { ...before[0].spec.kafka, listeners: [before[0].spec.kafka.listeners[0]] },
  });
});

import { ApiObject, type Chart } from 'cdk8s';
import { KafkaCluster, KafkaLoadBalancedListener, LoadBalancerScheme, LoadBalancers, StrimziVersion } from '../../src';
import type { Json } from '../../src/contract/json';
import { servicesOf } from '../../src/kafka/operator/operator-services';
import { errorsOf } from '../support/apps';
import { clusterWith, kafkaWith, manifests, nodePool } from './clusters';
import { listen, nlb, present } from './listeners';

const { V1_0, V1_2 } = StrimziVersion;

function services(configuration: Json, more: Json = {}, pool: Json = {}, strimzi = V1_2): Record<string, Json> {
  const { cluster } = clusterWith([present(configuration)], strimzi, more, pool);
  const kafka = cluster.kafka.toJson() as Json;
  const made = servicesOf(cluster, kafka, kafka.spec.kafka.listeners[1]).services;
  return Object.fromEntries(made.map((service) => [service.metadata.name, service]));
}

const BOOTSTRAP = 'events-kafka-external-bootstrap';
const template = (annotations: Json) => ({ template: { perPodService: { metadata: { annotations } } } });

test.each<[string, Json, Json, Json]>([
  ['that of the Kafka resource', { kafka: template({ a: 'kafka' }) }, {}, { a: 'kafka' }],
  ['that of its node pool', {}, { spec: template({ a: 'pool' }) }, { a: 'pool' }],
  [
    'that of its node pool in the place of the other as a whole',
    { kafka: template({ a: 'kafka', b: 'kafka' }) },
    { spec: template({ a: 'pool' }) },
    { a: 'pool' },
  ],
  [
    'an empty one of its node pool in the place of the other',
    { kafka: template({ a: 'kafka' }) },
    { spec: { template: { perPodService: {} } } },
    {},
  ],
  [
    'that of the Kafka resource where its node pool has others',
    { kafka: template({ a: 'kafka' }) },
    { spec: { template: { pod: { metadata: { annotations: { a: 'pod' } } } } } },
    { a: 'kafka' },
  ],
])("a broker's Service has a template: %s", (_, more, pool, expected) => {
  const made = services({}, more, pool);
  expect(made['events-brokers-1'].metadata.annotations ?? {}).toEqual(expected);
  expect(made[BOOTSTRAP].metadata.annotations ?? {}).toEqual({});
});

test('a Service inherits the labels of its owner, but for those of other tools', () => {
  const labels = (whose: string) => ({
    whose,
    'app.kubernetes.io/name': whose,
    'app.kubernetes.io/part-of': whose,
    'kustomize.toolkit.fluxcd.io/name': whose,
  });
  const made = services(
    {},
    { metadata: { labels: labels('kafka') } },
    { metadata: { labels: { 'strimzi.io/cluster': 'events', ...labels('pool') } } },
  );
  const inherited = (whose: string) => ({ whose, 'app.kubernetes.io/part-of': whose, 'strimzi.io/cluster': 'events' });
  expect(made[BOOTSTRAP].metadata.labels).toEqual(inherited('kafka'));
  expect(made['events-brokers-0'].metadata.labels).toEqual(inherited('pool'));
});

test('templates have no labels and no annotations of applications', () => {
  const metadata = {
    labels: { 'app.kubernetes.io/part-of': 'a', team: 'a' },
    annotations: { 'app.kubernetes.io/part-of': 'a', 'example.com/a': 'a' },
  };
  const made = services({}, { kafka: { template: { externalBootstrapService: { metadata } } } });
  expect(made[BOOTSTRAP].metadata.labels).toEqual({ team: 'a', 'strimzi.io/cluster': 'events' });
  expect(made[BOOTSTRAP].metadata.annotations).toEqual({ 'example.com/a': 'a' });
});

const A = 'example.com/a';
const AWS_SCHEME = 'service.beta.kubernetes.io/aws-load-balancer-scheme';
const OF_EVENTS = { 'strimzi.io/cluster': 'events' };
const IP_ADDRESS_TYPE = 'service.beta.kubernetes.io/aws-load-balancer-ip-address-type';

/** The listener says `listener`, the Kafka resource and the pool say what they are. */
const beaten = (pool: Json, configuration: Json) =>
  beatenIn(
    listen(
      {},
      V1_2,
      [present({ class: 'service.k8s.aws/nlb', ...configuration })],
      { kafka: template({ [A]: 'kafka' }) },
      { spec: pool },
    ).chart,
  );

function beatenIn(chart: Chart): string[] {
  const findings = LoadBalancers.of(chart).warnings.map(({ finding }) => finding);
  return findings.filter(({ ruleId }) => ruleId === 'listener-template-wins').map(({ what }) => what);
}

const ALL = { perBrokerAnnotationsTemplate: { [A]: 'listener' } };
const ONE = { brokers: [{ broker: 1, annotations: { [A]: 'listener' } }] };

test.each<[string, Json, Json, string[]]>([
  ['the Kafka resource wins', {}, ALL, ["annotations of all brokers set example.com/a: 'listener', and spec.kafka"]],
  ['the Kafka resource wins, for one broker', {}, ONE, ['annotations of broker 1 set example.com/a']],
  ['a pool that says the same is in its place', template({ [A]: 'listener' }), ALL, []],
  ['a pool that says nothing is in its place', template({}), ALL, []],
  ['a pool that says nothing is in its place, for one broker', template({}), ONE, []],
  ['a pool wins', template({ [A]: 'pool' }), ONE, ["perPodService of KafkaNodePool brokers has 'pool' for all"]],
])('whose template beats a listener: %s', (_, pool, configuration, expected) => {
  expect(beaten(pool, configuration)).toEqual(expected.map((text) => expect.stringContaining(text)));
});

test.each([
  ['brokers', { perPodService: { metadata: { annotations: { [AWS_SCHEME]: 'internet-facing' } } } }],
  ['bootstrap', { externalBootstrapService: { metadata: { annotations: { [AWS_SCHEME]: 'internet-facing' } } } }],
])('a template that says otherwise than the plan is an error: for %s', (_, all) => {
  const { chart } = listen({ scheme: LoadBalancerScheme.INTERNAL }, V1_2, [], { kafka: { template: all } });
  expect(errorsOf(chart)).toEqual([
    expect.stringMatching(
      /the plan sets annotation .*-scheme 'internal', .* overrides it with 'internet-facing' for all listeners.*-contradicts/,
    ),
  ]);
});

/** What is said of a listener on pool `one` with a template of its own, and pool `two` without. */
function beatenInOneOfTwo(configuration: Json): string[] {
  const ids = (text: string) => ({
    metadata: { annotations: { 'strimzi.io/next-node-ids': text }, labels: OF_EVENTS },
  });
  const { chart, construct } = manifests(
    kafkaWith([present({ class: 'service.k8s.aws/nlb', ...configuration })], V1_2, {
      kafka: template({ [A]: 'kafka' }),
    }),
    nodePool('one', V1_2, { metadata: { name: 'one', ...ids('[0-2]').metadata }, spec: template({}) }),
    nodePool('two', V1_2, { metadata: { name: 'two', ...ids('[10-12]').metadata } }),
  );
  const kafka = KafkaCluster.fromManifest(construct, { strimzi: V1_2 });
  const scheme = LoadBalancerScheme.INTERNAL;
  new KafkaLoadBalancedListener(chart, 'External', { kafka, name: 'external', controller: nlb(), scheme });
  return beatenIn(chart);
}

test.each<[string, Json, string[]]>([
  ['all brokers', ALL, ['annotations of all brokers set example.com/a']],
  ['a broker of the first', ONE, []],
  [
    'a broker of the second',
    { brokers: [{ broker: 11, annotations: { [A]: 'listener' } }] },
    ['annotations of broker 11 set example.com/a'],
  ],
])('the template of the Kafka resource is read for the pools that have none: %s', (_, configuration, expected) => {
  expect(beatenInOneOfTwo(configuration)).toEqual(expected.map((text) => expect.stringContaining(text)));
});

test('node pools of the same name in another namespace are of another cluster', () => {
  const { construct } = manifests(kafkaWith([present()], V1_0));
  const other = nodePool('others', V1_0, { spec: { replicas: 5 } });
  new ApiObject(construct, 'Other', { ...other, metadata: { ...other.metadata, namespace: 'elsewhere' } } as never);
  new ApiObject(construct, 'Own', nodePool('brokers', V1_0) as never);
  const kafka = KafkaCluster.fromManifest(construct, { strimzi: V1_0 });
  expect(kafka.brokerIds.map((id) => kafka.nodePoolOf(id))).toEqual(['brokers', 'brokers', 'brokers']);
});

test('of Services that differ in their names alone one is judged', () => {
  const wrong = { annotations: { [IP_ADDRESS_TYPE]: 'ipv5' } };
  const brokers = [2, 1, 0].map((broker) => ({ broker, ...wrong }));
  const listener = present({ class: 'service.k8s.aws/nlb', brokers });
  const { INTERNAL: scheme } = LoadBalancerScheme;
  const errors = errorsOf(listen({ scheme }, V1_2, [listener]).chart);
  expect(errors.filter((error) => error.includes('ipv5'))).toEqual([
    expect.stringContaining('Service events-brokers-0: no load balancer is made: annotation service.beta'),
  ]);
});

test.each<[string, Json]>([
  ['labels', { labels: { team: 'a' } }],
  ['a node port', { nodePort: 32001 }],
  ['an address of its own', { loadBalancerIP: '10.0.0.9' }],
])('a Service is judged by itself where it has %s', (_, own) => {
  const wrong = { annotations: { [IP_ADDRESS_TYPE]: 'ipv5' } };
  const brokers = [0, 1, 2].map((broker) => ({ broker, ...wrong, ...(broker === 1 ? own : {}) }));
  const { INTERNAL: scheme } = LoadBalancerScheme;
  const errors = errorsOf(listen({ scheme }, V1_2, [present({ class: 'service.k8s.aws/nlb', brokers })]).chart);
  expect(errors.filter((error) => error.includes('ipv5'))).toEqual([
    expect.stringContaining('Service events-brokers-0: no load balancer is made: annotation'),
    expect.stringContaining('Service events-brokers-1: no load balancer is made: annotation'),
  ]);
});

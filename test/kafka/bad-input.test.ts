import {
  KafkaCluster,
  KafkaLoadBalancedListener,
  type KafkaManifestProps,
  LoadBalancerScheme,
  LoadBalancers,
  StrimziVersion,
} from '../../src';
import type { Json } from '../../src/contract/json';
import { nodeIdsIn } from '../../src/kafka/operator/node-pools';
import { errorsOf, newChart, stderrOf } from '../support/apps';
import { fileWith } from '../support/files';
import { casesIn, table } from '../support/yaml-cases';
import { kafkaWith, manifests, nodePool, spoilt } from './clusters';
import { CONTROLLERS, fromFile, fromObjects, rulesIn, writtenAdopted, writtenAlone } from './strangers';

const { V1_2 } = StrimziVersion;
const controller = () => CONTROLLERS.MetalLB();
const SCRAM = { type: 'scram-sha-512' };
const LISTENER: Json = { name: 'external', port: 9094, type: 'loadbalancer', tls: true, authentication: SCRAM };
const kafka = kafkaWith([LISTENER], V1_2);
const pool = nodePool('brokers', V1_2);
const withSpec = (spec: unknown): Json => ({ ...kafka, spec });
const withListeners = (listeners: unknown): Json => withSpec({ kafka: { listeners } });
const inNamespace = (object: Json, namespace?: string): Json => ({
  ...object,
  metadata: { ...object.metadata, namespace },
});

function adopt(objects: readonly Json[], props: Partial<KafkaManifestProps> = {}, name = 'external', port = 9094) {
  return writtenAdopted(fromObjects(objects), { strimzi: V1_2, ...props }, { name, port, controller: controller() });
}

/** What is thrown, which is never anything but an error of our own. */
function thrown(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    expect((error as Error).constructor).toBe(Error);
    return (error as Error).message;
  }
  return 'nothing';
}

test.each<[string, Json[], Partial<KafkaManifestProps>, string]>([
  [
    'a list of resources',
    [{ apiVersion: 'v1', kind: 'List', items: [kafka, pool] }],
    {},
    'kafka/Existing: there is no Kafka, but only List',
  ],
  [
    'pools in a namespace, and a Kafka in none',
    [kafka, inNamespace(pool, 'streams')],
    {},
    "kafka/Existing/0: Kafka events: it is not known whether these node pools are its own: 'brokers', which has namespace 'streams', where Kafka has no namespace; write the same namespace in all of them or in none, or set nodePools",
  ],
  [
    'the same, with brokerIds',
    [inNamespace(kafka, 'streams'), inNamespace(pool, 'streams'), nodePool('more', V1_2)],
    { brokerIds: [0, 1, 2] },
    'it is not known whether these node pools are its own',
  ],
  [
    'pools of others alone',
    [
      inNamespace(kafka, 'streams'),
      inNamespace(pool, 'other'),
      nodePool('b', V1_2, { metadata: { labels: { 'strimzi.io/cluster': 'orders' } } }),
      nodePool('c', V1_2, { metadata: { labels: {} } }),
      nodePool('d', V1_2, { metadata: { labels: { 'strimzi.io/cluster': 7 } } }),
    ],
    {},
    "the ids of its brokers are unknown: there is no KafkaNodePool of it in the same construct, but there is 'brokers', which has namespace 'other', where Kafka has namespace 'streams'; 'b', whose label strimzi.io/cluster is 'orders'; 'c', without label strimzi.io/cluster; 'd', whose label strimzi.io/cluster is 7; pass the construct that holds them as well, or set nodePools",
  ],
  [
    'many pools of others',
    [kafka, ...[...'abcdefg'].map((name) => nodePool(name, V1_2, { metadata: { labels: {} } }))],
    {},
    "'e', without label strimzi.io/cluster; and 2 more; pass",
  ],
])('fromManifest refuses %s', (_, objects, props, message) => {
  expect(thrown(() => adopt(objects, props))).toContain(message);
});

test('pools of a cluster of the same name in another namespace are left alone', () => {
  const other = [inNamespace(kafka, 'streams'), inNamespace(nodePool('other', V1_2), 'streams')];
  const { construct } = manifests();
  const made = fromObjects(
    [kafka, pool, ...other].map((object) => inNamespace(object, object.metadata.namespace ?? 'a')),
  );
  const cluster = KafkaCluster.fromManifest(made(construct), { strimzi: V1_2, namespace: 'a' });
  expect(cluster.brokerIds.map((id) => cluster.nodePoolOf(id))).toEqual(['brokers', 'brokers', 'brokers']);
});

test('pools without a namespace are those of the Kafka without one, where another has one', () => {
  const objects = [kafka, pool, inNamespace(kafka, 'streams'), inNamespace(nodePool('other', V1_2), 'streams')];
  const adopted = writtenAdopted(
    fromObjects(objects),
    { strimzi: V1_2, namespace: 'streams' },
    { name: 'external', controller: controller() },
  );
  expect(adopted).toHaveLength(objects.length);
});

test.each<[string, Json, string[]]>([
  ['a map of listeners', withListeners({ external: { type: 'loadbalancer' } }), ['kafka-listeners-missing']],
])('the synth refuses %s', (_, document, rules) => {
  let found: string[] = [];
  try {
    adopt([document, pool]);
  } catch (error) {
    found = rulesIn(error);
  }
  expect(found).toEqual(expect.arrayContaining(rules));
});

test.each<[string, Json, string[]]>(table('kafka/bad-input.yaml', 'the operator takes and the synth warns'))(
  'the operator takes %s, and the synth warns of it',
  (_, document, rules) => {
    const reading = fromObjects([document, pool]);
    const chart = newChart('kafka');
    const kafka = KafkaCluster.fromManifest(reading(chart), { strimzi: V1_2 });
    const scheme = LoadBalancerScheme.INTERNAL;
    new KafkaLoadBalancedListener(chart, 'External', { kafka, name: 'external', controller: controller(), scheme });
    const told = LoadBalancers.of(chart).warnings.map(({ finding }) => finding.ruleId);
    expect(told).toEqual(expect.arrayContaining(rules));
    stderrOf(() => expect(errorsOf(chart)).toEqual([]));
  },
);

const FILE = `
apiVersion: kafka.strimzi.io/v1
kind: Kafka
metadata: {name: one}
spec: {kafka: {listeners: [&it {name: external, port: 9094, type: loadbalancer, tls: true, authentication: &by {type: tls}}]}}
---
# comment alone
---
apiVersion: kafka.strimzi.io/v1
kind: Kafka
metadata: {name: two}
spec: {kafka: {listeners: [{name: inside, port: 9093, type: internal, tls: true}]}}
---
apiVersion: kafka.strimzi.io/v1
kind: KafkaNodePool
metadata: {name: a, labels: {strimzi.io/cluster: one}, annotations: {strimzi.io/next-node-ids: "[0]"}}
spec: {replicas: 1, roles: [broker], storage: {type: ephemeral}}
---
apiVersion: kafka.strimzi.io/v1
kind: KafkaNodePool
metadata: {name: a, labels: {strimzi.io/cluster: two}, annotations: {strimzi.io/next-node-ids: "[0]"}}
spec: {replicas: 1, roles: [controller, broker], storage: {type: ephemeral}}
`;

test('a file with two Kafkas needs a name, where each pool has one of its own', () => {
  const read = (text: string, name?: string) => () =>
    writtenAdopted(
      fromFile(fileWith(text)),
      { strimzi: V1_2, name },
      { name: 'external', port: 9094, controller: controller() },
    );
  const several = FILE.replace(
    '{name: a, labels: {strimzi.io/cluster: two}',
    '{name: b, labels: {strimzi.io/cluster: two}',
  );
  expect(thrown(read(several))).toContain('kafka/Existing: there are several Kafka resources: one, two; set name');
  expect(thrown(read(several, 'three'))).toContain("kafka/Existing: there is no Kafka 'three', but one, two");
  const [one, two] = read(several, 'two')();
  expect(one).toEqual(writtenAlone(fromFile(fileWith(several)))[0]);
  expect(two.spec.kafka.listeners.map(({ name }: Json) => name)).toEqual(['inside', 'external']);
});

test('what stands in one object twice, as anchors make it, is changed in one place', () => {
  const configuration = { bootstrap: { labels: { a: 'b' } }, brokers: [{ broker: 0, labels: { a: 'b' } }] };
  const listeners = [
    { ...LISTENER, configuration },
    { ...LISTENER, name: 'other', port: 9095, configuration },
  ];
  const before = JSON.stringify(listeners);
  const reading = fromObjects([withListeners(listeners), pool]);
  const props = { strimzi: V1_2 };
  const aws = { name: 'external', controller: CONTROLLERS['AWS Load Balancer Controller']() };
  const [written] = writtenAdopted(reading, props, aws);
  const [adopted, other] = written.spec.kafka.listeners;
  expect(adopted.configuration).not.toEqual(other.configuration);
  expect(other).toEqual(listeners[1]);
  expect(JSON.stringify(listeners)).toBe(before);
});

const RICH = [
  kafkaWith(
    [
      {
        ...LISTENER,
        configuration: {
          bootstrap: { annotations: { a: 'b' }, alternativeNames: ['a.example.com'] },
          brokers: [{ broker: 0, advertisedHost: 'b.example.com', labels: { a: 'b' } }],
          loadBalancerSourceRanges: ['10.0.0.0/8'],
          finalizers: ['example.com/a'],
        },
      },
    ],
    V1_2,
    {
      metadata: { labels: { a: 'b' } },
      kafka: { template: { perPodService: { metadata: { annotations: { a: 'b' } } } } },
    },
  ),
  nodePool('brokers', V1_2, {
    spec: { template: { perPodService: { metadata: { labels: { a: 'b' } } } } },
    status: { nodeIds: [0] },
  }),
];

test.each<[string, readonly unknown[]]>(
  casesIn(__dirname, 'bad-input.yaml')['in any place of the manifests is refused in our own words'],
)('%s in any place of the manifests is refused in our own words, or does no harm', (_, garbage) => {
  let told = 0;
  for (const [i, object] of RICH.entries()) {
    for (const other of spoilt(object, garbage)) {
      const reading = fromObjects(RICH.map((present, place) => (place === i ? (other as Json) : present)));
      const alone = written(() => writtenAlone(reading));
      if (alone === undefined) {
        continue; // cdk8s itself refuses it
      }
      const message = thrown(() =>
        writtenAdopted(reading, { strimzi: V1_2 }, { name: 'external', port: 9094, controller: controller() }),
      );
      told += message === 'nothing' ? 0 : 1;
      expect(message === 'nothing' || /kafka\/(External|Existing)/.test(message) ? '' : message).toBe('');
    }
  }
  expect(told).toBeGreaterThan(5);
});

function written(action: () => Json[]): Json[] | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}

test.each(['[2147483648]', '[99999999999999999999-3]', '[0--1]', '[-1]', '[1.5]', '[0 1]'])(
  'node ids %s are none',
  (text) => expect(nodeIdsIn(text)).toBeUndefined(),
);

import { type KafkaBrokerPool, KafkaCluster, type KafkaManifestProps, StrimziVersion } from '../../src';
import type { Json } from '../../src/contract/json';
import { nodeIdsIn } from '../../src/kafka/operator/node-pools';
import { table } from '../support/yaml-cases';
import { kafkaWith, manifests, nodePool } from './clusters';

const { V0_49, V1_2 } = StrimziVersion;
const kafka = kafkaWith([], V0_49);
const ids = (annotation: string) => ({ metadata: { annotations: { 'strimzi.io/next-node-ids': annotation } } });
const pool = (name: string, more: Json = {}) => {
  const { metadata } = nodePool(name, V0_49);
  return nodePool(name, V0_49, { ...more, metadata: { ...metadata, ...more.metadata } });
};

function from(objects: Json[], props: Partial<KafkaManifestProps> = {}) {
  return KafkaCluster.fromManifest(manifests(...objects).construct, { strimzi: V0_49, ...props });
}

const elsewhere: KafkaBrokerPool[] = [
  { name: 'b', brokerIds: [10, 11] },
  { name: 'a', brokerIds: [1] },
];

test.each<[string, Json[], Partial<KafkaManifestProps>, [number, string][]]>(
  table('kafka/kafka-cluster.yaml', 'the brokers of a cluster are'),
)('the brokers of a cluster are %s', (_, objects, props, expected) => {
  const cluster = from(objects, props);
  expect(cluster.brokerIds.map((id) => [id, cluster.nodePoolOf(id)])).toEqual(expected);
});

test('a cluster tells its name, its namespace and its resource', () => {
  const { construct } = manifests(kafka, pool('a'));
  const cluster = KafkaCluster.fromManifest(construct, { name: 'events', strimzi: V1_2 });
  expect([cluster.clusterName, cluster.namespace, cluster.strimzi]).toEqual(['events', 'kafka', V1_2]);
  expect(cluster.kafka.node.scope).toBe(construct);
  expect(() => cluster.nodePoolOf(7)).toThrow('there is no broker 7; the brokers are 0, 1, 2');
});

test('a cluster is found by its namespace where two have one name', () => {
  const [one, other] = ['a', 'b'].map((namespace) => ({ ...kafka, metadata: { ...kafka.metadata, namespace } }));
  expect(from([one, other], { namespace: 'b', nodePools: elsewhere }).namespace).toBe('b');
});

test.each<[string, Json[], Partial<KafkaManifestProps>, string]>(
  table('kafka/kafka-cluster.yaml', 'a construct with is refused'),
)('a construct with %s is refused', (_, objects, props, message) => {
  expect(() => from(objects, props)).toThrow(message);
});

test('a pool that loses nodes may have as many brokers as somebody says', () => {
  const shrinking = pool('a', { ...ids('[]'), spec: { replicas: 1 }, status: { nodeIds: [3, 4] } });
  expect(from([kafka, shrinking], { brokerIds: [3, 4] }).brokerIds).toEqual([3, 4]);
});

describe('a Kafka that is read twice', () => {
  const objects = [kafka, pool('a', { ...ids('[]'), spec: { replicas: 3 } })];
  const read = (first: Partial<KafkaManifestProps>, second: Partial<KafkaManifestProps>) => {
    const { construct } = manifests(...objects);
    KafkaCluster.fromManifest(construct, { strimzi: V0_49, ...first });
    return KafkaCluster.fromManifest(construct, { strimzi: V0_49, ...second }).brokerIds;
  };

  test('has the same brokers', () => {
    const nodePools = [{ name: 'a', brokerIds: [2, 0, 1] }];
    expect(read({ brokerIds: [0, 1, 2] }, { brokerIds: [2, 1, 0] })).toEqual([0, 1, 2]);
    expect(read({ brokerIds: [0, 1, 2] }, { nodePools })).toEqual([0, 1, 2]);
  });

  test.each<[string, KafkaManifestProps['brokerIds'], KafkaBrokerPool[] | undefined, string]>([
    ['ids', [5, 6, 7], undefined, '5 (a), 6 (a), 7 (a)'],
    ['pools', undefined, [{ name: 'b', brokerIds: [0, 1, 2] }], '0 (b), 1 (b), 2 (b)'],
  ])('and no other %s', (_, brokerIds, nodePools, shown) => {
    expect(() => read({ brokerIds: [0, 1, 2] }, { brokerIds, nodePools })).toThrow(
      `kafka/Existing/Kafka-0: Kafka events is read with the brokers 0 (a), 1 (a), 2 (a) already, and now with ${shown}; pass the same ids and pools, best the cluster that fromManifest gave at first`,
    );
  });
});

test('a Kafka whose pools tell its brokers has no others that somebody says later', () => {
  const { construct } = manifests(kafka, pool('a'));
  KafkaCluster.fromManifest(construct, { strimzi: V0_49 });
  expect(() => KafkaCluster.fromManifest(construct, { strimzi: V0_49, nodePools: elsewhere })).toThrow(
    'is read with the brokers 0 (a), 1 (a), 2 (a) already, and now with 1 (a), 10 (b), 11 (b)',
  );
});

test.each<[unknown, number[] | undefined]>([
  ['[0, 1, 2, 10-12, 30]', [0, 1, 2, 10, 11, 12, 30]],
  [' [ 3-1 ] ', [3, 2, 1]],
  ['[]', []],
  ['[1,]', undefined],
  ['1, 2', undefined],
  ['[a]', undefined],
  [undefined, undefined],
  [[0, 1], undefined],
])('node ids %j are %j', (text, expected) => {
  expect(nodeIdsIn(text)).toEqual(expected);
});

test('a range without end is cut', () => {
  expect(nodeIdsIn('[0-4000000000]')).toHaveLength(10_000);
});

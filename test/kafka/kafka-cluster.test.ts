import { type KafkaBrokerPool, KafkaCluster, type KafkaManifestProps, StrimziVersion } from '../../src';
import type { Json } from '../../src/contract/json';
import { nodeIdsIn } from '../../src/kafka/operator/node-pools';
import { kafkaWith, manifests, nodePool } from './clusters';

const { V0_45, V0_49, V1_2 } = StrimziVersion;
const kafka = kafkaWith([], V0_49);
const ids = (annotation: string) => ({ metadata: { annotations: { 'strimzi.io/next-node-ids': annotation } } });
const pool = (name: string, more: Json = {}) => {
  const { metadata } = nodePool(name, V0_49);
  return nodePool(name, V0_49, { ...more, metadata: { ...metadata, ...more.metadata } });
};

function from(objects: Json[], props: Partial<KafkaManifestProps> = {}) {
  return KafkaCluster.fromManifest(manifests(...objects).construct, { strimzi: V0_49, ...props });
}

/** A Kafka resource that does not tell an operator below 0.46 to read its node pools. */
const POOLS_OFF = { metadata: { annotations: {} } };

const elsewhere: KafkaBrokerPool[] = [
  { name: 'b', brokerIds: [10, 11] },
  { name: 'a', brokerIds: [1] },
];

test.each<[string, Json[], Partial<KafkaManifestProps>, [number, string][]]>([
  [
    'the first ids of its pool, as many as replicas',
    [kafka, pool('a', ids('[3, 10-20]'))],
    {},
    [
      [3, 'a'],
      [10, 'a'],
      [11, 'a'],
    ],
  ],
  [
    'what lives already, then the next ids',
    [kafka, pool('a', { ...ids('[5-9]'), status: { nodeIds: [0, 5] } })],
    {},
    [
      [0, 'a'],
      [5, 'a'],
      [6, 'a'],
    ],
  ],
  [
    'what is left of its nodes without the highest, where some have to go',
    [kafka, pool('a', { ...ids('[5-9]'), spec: { replicas: 2 }, status: { nodeIds: [7, 8, 9] } })],
    {},
    [
      [7, 'a'],
      [8, 'a'],
    ],
  ],
  [
    'what is left of its nodes without those that an annotation names, where some have to go',
    [
      kafka,
      pool('a', {
        metadata: { annotations: { 'strimzi.io/remove-node-ids': '[1, 8, 7]' } },
        spec: { replicas: 2 },
        status: { nodeIds: [7, 8, 9] },
      }),
    ],
    {},
    [
      [7, 'a'],
      [9, 'a'],
    ],
  ],
  [
    'the next ids that no node of another pool has',
    [
      kafka,
      pool('a', { ...ids('[0-9]') }),
      pool('c', { ...ids('[0-2]'), spec: { roles: ['controller'] }, status: { nodeIds: [0, 1, 2] } }),
    ],
    {},
    [
      [3, 'a'],
      [4, 'a'],
      [5, 'a'],
    ],
  ],
  [
    'those of all pools with brokers, and of no controllers',
    [
      kafka,
      pool('a', { ...ids('[0-9]'), spec: { replicas: 1 } }),
      pool('b', { ...ids('[19-10]'), spec: { replicas: 2, roles: ['broker', 'controller'] } }),
      pool('c', { ...ids('[20-29]'), spec: { roles: ['controller'] } }),
    ],
    {},
    [
      [0, 'a'],
      [18, 'b'],
      [19, 'b'],
    ],
  ],
  [
    'those that somebody says, in the one pool',
    [kafka, pool('a', { ...ids('[]'), spec: { replicas: 2 } })],
    { brokerIds: [4, 2] },
    [
      [2, 'a'],
      [4, 'a'],
    ],
  ],
  [
    'those that somebody says, each in the pool that may have it',
    [
      kafka,
      pool('a', { ...ids('[2, 3]'), spec: { replicas: 1 } }),
      pool('b', { ...ids('[10, 11]'), spec: { replicas: 1 } }),
    ],
    { brokerIds: [10, 2] },
    [
      [2, 'a'],
      [10, 'b'],
    ],
  ],
  [
    'those that somebody says and that the pools have as well',
    [kafka, pool('a', ids('[0-9]')), pool('b', { ...ids('[10-19]'), spec: { replicas: 1 } })],
    { brokerIds: [10, 2, 1, 0] },
    [
      [0, 'a'],
      [1, 'a'],
      [2, 'a'],
      [10, 'b'],
    ],
  ],
  [
    'those of pools that stand elsewhere',
    [kafka],
    { nodePools: elsewhere },
    [
      [1, 'a'],
      [10, 'b'],
      [11, 'b'],
    ],
  ],
  [
    'those of a cluster without pools, by its replicas',
    [kafkaWith([], V0_45, { ...POOLS_OFF, kafka: { replicas: 2 } })],
    { strimzi: V0_45 },
    [
      [0, 'kafka'],
      [1, 'kafka'],
    ],
  ],
  [
    'those of its replicas, where Strimzi 0.45 is not told to read its pools',
    [kafkaWith([], V0_45, { ...POOLS_OFF, kafka: { replicas: 2 } }), pool('a', ids('[5-9]'))],
    { strimzi: V0_45 },
    [
      [0, 'kafka'],
      [1, 'kafka'],
    ],
  ],
  [
    'those that somebody says, where Strimzi 0.45 is not told to read its pools',
    [kafkaWith([], V0_45, { ...POOLS_OFF, kafka: { replicas: 2 } }), pool('a', ids('[5-9]'))],
    { strimzi: V0_45, brokerIds: [0, 1] },
    [
      [0, 'kafka'],
      [1, 'kafka'],
    ],
  ],
  [
    'those of its pools, where Strimzi 0.45 is told to read them',
    [
      kafkaWith([], V0_45, {
        metadata: { annotations: { 'strimzi.io/node-pools': 'Enabled' } },
        kafka: { replicas: 1 },
      }),
      pool('a', ids('[5-9]')),
    ],
    { strimzi: V0_45 },
    [
      [5, 'a'],
      [6, 'a'],
      [7, 'a'],
    ],
  ],
])('the brokers of a cluster are %s', (_, objects, props, expected) => {
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

const named = (name: string) => ({ ...kafka, metadata: { name } });
const deployment = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'a' } };

test.each<[string, Json[], Partial<KafkaManifestProps>, string]>([
  ['nothing', [], {}, 'there is no Kafka, but no object at all'],
  ['no Kafka', [deployment, pool('a')], {}, 'there is no Kafka, but only Deployment, KafkaNodePool'],
  ['several', [named('a'), named('b')], {}, 'there are several Kafka resources: kafka/a, kafka/b; set name'],
  [
    'two of one name',
    [kafka, kafka],
    { name: 'events' },
    'there are several Kafka resources: kafka/events, kafka/events',
  ],
  ['another name', [kafka], { name: 'orders' }, "there is no Kafka 'orders', but kafka/events"],
  [
    'a Kafka of somebody else',
    [{ ...kafka, apiVersion: 'platform.confluent.io/v1beta1' }],
    {},
    "the API version of Kafka events is 'platform.confluent.io/v1beta1', which is not an API version of Strimzi; pass a Kafka of kafka.strimzi.io",
  ],
  [
    'no pools',
    [kafka],
    {},
    'the ids of its brokers are unknown: there is no KafkaNodePool of it in the same construct',
  ],
  [
    'replicas that mean nothing to this operator',
    [kafkaWith([], V0_49, { kafka: { replicas: 3 } })],
    {},
    'the ids of its brokers are unknown',
  ],
  [
    'pools that Strimzi 0.45 is not told to read, and no replicas',
    [kafkaWith([], V0_45, POOLS_OFF), pool('a')],
    { strimzi: V0_45 },
    "annotation strimzi.io/node-pools is not 'enabled', without which Strimzi 0.45.2 ignores node pools, and spec.kafka.replicas is no number; write strimzi.io/node-pools: enabled, or replicas",
  ],
  [
    'replicas, where Strimzi 0.45 is told to read pools and there are none',
    [kafkaWith([], V0_45, { kafka: { replicas: 3 } })],
    { strimzi: V0_45 },
    'the ids of its brokers are unknown: there is no KafkaNodePool of it in the same construct',
  ],
  [
    'a pool with a broker that brokerIds leaves out',
    [kafka, pool('a', ids('[0-9]'))],
    { brokerIds: [0, 1] },
    "Kafka events: brokerIds has 0, 1, and node pool 'a' has the brokers 0, 1, 2; correct the one that is wrong, or set nodePools where its brokers live already and have other ids",
  ],
  [
    'a pool without a broker that brokerIds has',
    [kafka, pool('a', ids('[0-9]')), pool('b', ids('[10, 11]'))],
    { brokerIds: [10, 5, 2, 1, 0] },
    "brokerIds has 0, 1, 2, 5, 10, and node pool 'a' has the brokers 0, 1, 2",
  ],
  [
    'more replicas than brokerIds',
    [kafka, pool('a', { ...ids('[]'), spec: { replicas: 5 } })],
    { brokerIds: [2, 0, 1] },
    "Kafka events: brokerIds has the brokers 0, 1, 2 of node pool 'a', and its spec.replicas is 5; list the ids of all 5, or correct replicas",
  ],
  [
    'fewer replicas than brokerIds',
    [kafka, pool('a', { ...ids('[]'), spec: { replicas: 1 } })],
    { brokerIds: [0, 1] },
    "brokerIds has the brokers 0, 1 of node pool 'a', and its spec.replicas is 1; list the ids of all 1, or",
  ],
  [
    'a pool of which brokerIds has nothing',
    [kafka, pool('a', ids('[0, 1]')), pool('b', ids('[10, 11]'))],
    { brokerIds: [0, 1, 1.5] },
    "'1.5' is not a broker id",
  ],
  [
    'two pools, and the ids of one',
    [
      kafka,
      pool('a', { ...ids('[0, 1]'), spec: { replicas: 3 }, status: { nodeIds: [2] } }),
      pool('b', ids('[10, 11]')),
    ],
    { brokerIds: [0, 1, 2] },
    "brokerIds has no broker of node pool 'b', and its spec.replicas is 3",
  ],
  ['no pool for the ids', [kafka], { brokerIds: [0] }, 'the node pool of broker 0 is not known'],
  [
    'two pools, and an id in neither',
    [kafka, pool('a', ids('[0-9]')), pool('b', ids('[10-19]'))],
    { brokerIds: [20] },
    'the node pool of broker 20 is not known',
  ],
  [
    'ids that controllers may get as well',
    [kafka, pool('a', ids('[0-9]')), pool('c', { ...ids('[0-2]'), spec: { roles: ['controller'] } })],
    {},
    "the ids of node pool 'a' are unknown: node pool 'c' may get the same ids",
  ],
  ['fewer ids than replicas', [kafka, pool('a', ids('[0, 1]'))], {}, "the ids of node pool 'a' are unknown"],
  ['ids that no operator reads', [kafka, pool('a', ids('0-9'))], {}, "the ids of node pool 'a' are unknown"],
  [
    'ids of two pools that meet',
    [kafka, pool('a', ids('[0-9]')), pool('b', ids('[2-9]'))],
    {},
    "the ids of node pool 'a' are unknown: node pool 'b' may get the same ids, and which of the two does depends on the order in which the operator reads them; give it the annotation strimzi.io/next-node-ids: '[0-99]', with an id for every replica that no other pool gets, or set brokerIds: [0, 1, 2]; the ids of a live pool are in its status.nodeIds",
  ],
  ['an id twice', [kafka, pool('a')], { brokerIds: [1, 1] }, 'broker 1 is listed twice'],
  ['half an id', [kafka, pool('a')], { brokerIds: [0.5] }, "'0.5' is not a broker id; write whole numbers from 0"],
  ['no ids', [kafka, pool('a')], { brokerIds: [] }, 'it has no brokers'],
  ['ids in two ways', [kafka], { brokerIds: [0], nodePools: elsewhere }, 'brokerIds and nodePools are both given'],
  ['a pool of another cluster', [named('orders'), pool('a')], {}, 'there is no KafkaNodePool of it'],
])('a construct with %s is refused', (_, objects, props, message) => {
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

import { JsonPatch } from 'cdk8s';
import {
  AwsCloudProvider,
  AwsLoadBalancerController,
  CustomController,
  EksAutoMode,
  type ILoadBalancerController,
  type KafkaBrokerPool,
  KafkaCluster,
  KafkaLoadBalancedListener,
  type KafkaManifestProps,
  KafkaNodeIds,
  KafkaNodePool,
  KafkaNodeRole,
  LoadBalancers,
  NlbTargetType,
  type NodePool,
  NodePools,
  StrimziVersion,
} from '../../src';
import type { Json } from '../../src/contract/json';
import { nodeIdsIn } from '../../src/kafka/operator/node-pools';
import { errorsOf, newChart, stderrOf } from '../support/apps';
import { casesIn, table } from '../support/yaml-cases';
import { kafkaWith, listen, manifests, nodePool, type Props } from './clusters';

const { V0_49 } = StrimziVersion;
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

test.each<[unknown, number[] | undefined]>(casesIn(__dirname, 'kafka-cluster.yaml')['node ids are'])(
  'node ids %j are %j',
  (text, expected) => expect(nodeIdsIn(text)).toEqual(expected),
);

test('a range without end is cut', () => expect(nodeIdsIn('[0-4000000000]')).toHaveLength(10_000));

describe('listener nodes', () => {
  const { V1_2 } = StrimziVersion;
  const EDGE = NodePools.karpenter('edge');
  const instance = () => AwsLoadBalancerController.nlb({ targetType: NlbTargetType.INSTANCE });

  /** A cluster with a pool of brokers for each entry, on nodes of its own or on any, behind a listener. */
  function cluster(pools: (NodePool | undefined)[], controller: ILoadBalancerController, props: Props = {}) {
    const chart = newChart('kafka');
    const kafka = new KafkaCluster(chart, 'Events', { name: 'events', strimzi: V1_2 });
    const made = pools.map(
      (nodePool, i) =>
        new KafkaNodePool(chart, `Pool${i}`, {
          kafka,
          name: `p${i}`,
          replicas: 1,
          roles: [KafkaNodeRole.BROKER, KafkaNodeRole.CONTROLLER],
          storage: { type: 'persistent-claim', size: '100Gi' },
          nodeIds: KafkaNodeIds.between(10 * i, 10 * i + 9),
          nodePool,
        }),
    );
    const authentication = { type: 'scram-sha-512' };
    const base = { kafka, name: 'external', port: 9094, controller, authentication, backendNodes: EDGE };
    new KafkaLoadBalancedListener(chart, 'External', { ...base, ...props });
    return { chart, kafka, pools: made };
  }

  function warned(chart: ReturnType<typeof newChart>): string[] {
    const known = LoadBalancers.of(chart).warnings.map(({ finding }) => finding);
    return known.filter(({ ruleId }) => ruleId === 'brokers-not-pinned').map(({ what }) => what);
  }

  test.each<[string, (NodePool | undefined)[], ILoadBalancerController, Props, string | undefined]>([
    ['instance targets', [undefined, EDGE], instance(), {}, 'KafkaNodePool p0'],
    ['the cloud provider', [undefined], AwsCloudProvider.nlb(), {}, 'KafkaNodePool p0'],
  ])('brokers that nothing keeps on the nodes of the backend: %s', (_, pools, controller, props, expected) => {
    const { chart } = cluster(pools, controller, props);
    const common = "the backend is kept on node pool 'edge' with policy Local, and the pods of ";
    expect(warned(chart)).toEqual(
      expected === undefined ? [] : [`${common}${expected} may run elsewhere, where they cannot be reached`],
    );
    stderrOf(() => expect(errorsOf(chart)).toEqual([]));
  });

  const AFFINITY: Json = {
    affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [] } } },
  };

  test('nodes that a template chooses are not looked at', () => {
    const { chart, pools } = cluster([undefined, undefined], instance());
    pools[0].pool.addJsonPatch(JsonPatch.add('/spec/template', { pod: AFFINITY }));
    expect(warned(chart)).toEqual([expect.stringContaining('KafkaNodePool p1 may run elsewhere')]);
  });

  test('pools of a manifest are looked at as they are written', () => {
    const props = { controller: instance(), backendNodes: EDGE };
    expect(warned(listen(props, V1_2).chart)).toEqual([
      expect.stringContaining('KafkaNodePool brokers may run elsewhere'),
    ]);
    const pool = { spec: { template: { pod: AFFINITY } } };
    expect(warned(listen(props, V1_2, [], {}, pool).chart)).toEqual([]);
    const ofAll = { kafka: { template: { pod: AFFINITY } } };
    expect(warned(listen(props, V1_2, [], ofAll).chart)).toEqual([]);
    const own = { spec: { template: { pod: { priorityClassName: 'kafka' } } } };
    expect(warned(listen(props, V1_2, [], ofAll, own).chart)).toHaveLength(1);
  });

  test.each<[string, (NodePool | undefined)[], string[]]>([
    ['no pool', [undefined, undefined], ['(listener-plan-unsupported)']],
    ['one pool of two', [EDGE, undefined], ['(listener-plan-unsupported)']],
    ['all pools', [EDGE, EDGE], []],
  ])('where pods alone decide, %s is pinned', (_, pools, expected) => {
    const { chart } = cluster(pools, EksAutoMode.nlb({ targetType: NlbTargetType.INSTANCE }));
    stderrOf(() => expect(errorsOf(chart)).toEqual(expected.map((text) => expect.stringContaining(text))));
  });

  test('a listener that nobody makes here has one for each Service', () => {
    const other = { name: 'vpc', port: 9097, type: 'loadbalancer', tls: true, authentication: { type: 'tls' } };
    const { cluster: kafka } = listen({ controller: CustomController.of({ owner: 'acme', loadBalancers: 2 }) }, V1_2, [
      other,
    ]);
    expect(kafka.loadBalancers.listeners.map(({ count }) => count)).toEqual([0, 4, 8]);
  });
});

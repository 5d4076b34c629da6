import { JsonPatch } from 'cdk8s';
import {
  AwsCloudProvider,
  AwsLoadBalancerController,
  CustomController,
  EksAutoMode,
  type ILoadBalancerController,
  KafkaCluster,
  KafkaLoadBalancedListener,
  KafkaNodeIds,
  KafkaNodePool,
  KafkaNodeRole,
  LoadBalancers,
  NlbTargetType,
  type NodePool,
  NodePools,
  StrimziVersion,
  TrafficPolicy,
} from '../../src';
import type { Json } from '../../src/contract/json';
import { errorsOf, newChart, stderrOf } from '../support/apps';
import { listen, metalLb, type Props } from './listeners';

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
  return known.filter(({ ruleId }) => ruleId === 'listener-nodes-unpinned').map(({ what }) => what);
}

test.each<[string, (NodePool | undefined)[], ILoadBalancerController, Props, string | undefined]>([
  ['instance targets', [undefined, EDGE], instance(), {}, 'KafkaNodePool p0'],
  ['two pools', [undefined, undefined], instance(), {}, 'KafkaNodePool p0, p1'],
  ['the cloud provider', [undefined], AwsCloudProvider.nlb(), {}, 'KafkaNodePool p0'],
  ['pods that are pinned', [EDGE, EDGE], instance(), {}, undefined],
  ['policy Cluster', [undefined], instance(), { trafficPolicy: TrafficPolicy.CLUSTER }, undefined],
  [
    'no wish for nodes',
    [undefined],
    instance(),
    { backendNodes: undefined, trafficPolicy: TrafficPolicy.LOCAL },
    undefined,
  ],
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
  ['no pool', [undefined, undefined], ['(listener-cannot-carry)']],
  ['one pool of two', [EDGE, undefined], ['(listener-cannot-carry)']],
  ['all pools', [EDGE, EDGE], []],
])('where pods alone decide, %s is pinned', (_, pools, expected) => {
  const { chart } = cluster(pools, EksAutoMode.nlb({ targetType: NlbTargetType.INSTANCE }));
  stderrOf(() => expect(errorsOf(chart)).toEqual(expected.map((text) => expect.stringContaining(text))));
});

test.each<[string, ILoadBalancerController, number]>([
  ['two for each Service', CustomController.of({ owner: 'acme', loadBalancers: 2 }), 8],
  ['none', CustomController.of({ owner: 'acme', loadBalancers: 0 }), 0],
  ['one for each Service', metalLb(), 4],
])('the cluster counts what the plan of the listener says: %s', (_, controller, count) => {
  const { cluster: kafka, listener } = listen({ controller }, V1_2);
  const [, external] = kafka.loadBalancers.listeners;
  expect([listener.loadBalancers.count, external.count, kafka.loadBalancers.count]).toEqual([count, count, count]);
});

test('a listener that nobody makes here has one for each Service', () => {
  const other = { name: 'vpc', port: 9097, type: 'loadbalancer', tls: true, authentication: { type: 'tls' } };
  const { cluster: kafka } = listen({ controller: CustomController.of({ owner: 'acme', loadBalancers: 2 }) }, V1_2, [
    other,
  ]);
  expect(kafka.loadBalancers.listeners.map(({ count }) => count)).toEqual([0, 4, 8]);
});

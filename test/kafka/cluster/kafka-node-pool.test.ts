import { JsonPatch } from 'cdk8s';
import {
  type AwsLoadBalancerController,
  KafkaLoadBalancedListener,
  KafkaNodeIds,
  KafkaNodeRole,
  LoadBalancers,
  NodePool,
  NodePools,
  NodeTaint,
  PodSpread,
} from '../../../src';
import type { Json } from '../../../src/contract/json';
import { errorsOf, stderrOf, synth, written } from '../../support/apps';
import { casesIn, revived, table } from '../../support/yaml-cases';
import { brokersOf, events } from './events';

const { BROKER, CONTROLLER } = KafkaNodeRole;
const tainted = NodePool.labeled({ pool: 'kafka' }, { taints: [NodeTaint.noSchedule('dedicated', 'kafka')] });

function poolOf(props: Parameters<typeof brokersOf>[1], cluster: Parameters<typeof events>[0] = {}): Json {
  const { chart, kafka } = events(cluster);
  brokersOf(kafka, props);
  return written(chart, 'KafkaNodePool');
}

/** A spread over nodes or zones, as it is written for the pool `brokers`. */
const spread = (topologyKey: string, whenUnsatisfiable: string, minDomains?: number) => ({
  labelSelector: { matchLabels: { 'strimzi.io/cluster': 'events', 'strimzi.io/pool-name': 'brokers' } },
  maxSkew: 1,
  ...(minDomains && { minDomains }),
  nodeAffinityPolicy: 'Honor',
  nodeTaintsPolicy: 'Honor',
  topologyKey,
  whenUnsatisfiable,
});

test('it belongs to its cluster, and has ids of its own', () => {
  expect(poolOf({ labels: { team: 'streams' }, annotations: { team: 'streams' } }).metadata).toEqual({
    name: 'brokers',
    namespace: 'kafka',
    labels: { team: 'streams', 'strimzi.io/cluster': 'events' },
    annotations: { team: 'streams', 'strimzi.io/next-node-ids': '[0-99]' },
  });
});

test.each<[string, KafkaNodeRole[], KafkaNodeIds | undefined, number[]]>([
  ['brokers', [BROKER], undefined, [0, 1, 2]],
  ['nodes with both roles', [CONTROLLER, BROKER], undefined, [0, 1, 2]],
  ['controllers', [CONTROLLER], undefined, [900, 901, 902]],
  ['a range', [BROKER], KafkaNodeIds.between(10, 19), [10, 11, 12]],
  ['a list', [BROKER], KafkaNodeIds.of([7, 3, 5, 4]), [7, 3, 5]],
])('the ids of %s', (_, roles, nodeIds, ids) => {
  const { kafka } = events();
  const pool = brokersOf(kafka, { roles, nodeIds });
  expect(pool.nodeIdsInUse).toEqual(ids);
  expect(pool.brokerIds).toEqual(roles.includes(BROKER) ? ids : []);
  expect(kafka.brokerIds).toEqual([...pool.brokerIds].sort((one, other) => one - other));
});

test('two pools of one sort cannot both leave their ids out', () => {
  const { kafka } = events();
  brokersOf(kafka);
  expect(() => brokersOf(kafka, { name: 'more' })).toThrow(
    "kafka/more: node pool 'more' and 'brokers' are both pools of brokers and leave nodeIds out, so both would have [0-99]; set nodeIds of the one that is new, such as KafkaNodeIds.between(100, 199)",
  );
  expect(brokersOf(kafka, { name: 'rest', nodeIds: KafkaNodeIds.between(100, 199) }).brokerIds).toEqual([
    100, 101, 102,
  ]);
});

test('a pool of brokers and one of controllers need not say anything', () => {
  const { chart, kafka } = events();
  brokersOf(kafka, { roles: [BROKER] });
  brokersOf(kafka, { name: 'controllers', roles: [CONTROLLER] });
  const annotations = synth(chart)
    .filter(({ kind }) => kind === 'KafkaNodePool')
    .map(({ metadata }) => metadata.annotations['strimzi.io/next-node-ids']);
  expect(annotations).toEqual(['[0-99]', '[900-999]']);
});

test('ids that two pools have are told', () => {
  const { chart, kafka } = events();
  brokersOf(kafka);
  brokersOf(kafka, { name: 'more', nodeIds: KafkaNodeIds.between(99, 110) });
  const told = LoadBalancers.of(chart).warnings.filter(({ finding }) => finding.ruleId === 'node-pool-ids-duplicate');
  expect(told.map(({ finding }) => finding.what)).toEqual([expect.stringMatching(/both have id 99 /)]);
  stderrOf(() => expect(errorsOf(chart)).toEqual([]));
});

test('pinned to nodes, its pods tolerate their taints and are spread over them', () => {
  expect(poolOf({ nodePool: tainted }).spec.template.pod).toEqual({
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchExpressions: [{ key: 'pool', operator: 'In', values: ['kafka'] }] }],
        },
      },
    },
    tolerations: [{ effect: 'NoSchedule', key: 'dedicated', operator: 'Equal', value: 'kafka' }],
    topologySpreadConstraints: [
      spread('kubernetes.io/hostname', 'DoNotSchedule', 3),
      spread('topology.kubernetes.io/zone', 'ScheduleAnyway'),
    ],
  });
});

test.each<[string, Parameters<typeof brokersOf>[1], unknown]>([
  ...revived(table('kafka/cluster/kafka-node-pool.yaml', 'spread', { tainted }), { spread }),
  ['not at all', { nodePool: tainted, spread: PodSpread.NONE }, undefined],
])('spread %s', (_, props, constraints) => {
  expect(poolOf(props).spec.template?.pod?.topologySpreadConstraints).toEqual(constraints);
});

test('its template has that of the cluster, which it replaces', () => {
  const tolerations = [{ key: 'spot', operator: 'Exists' }];
  const all = { metadata: { labels: { team: 'all', cost: 'a' } }, priorityClassName: 'low', tolerations };
  const own = { metadata: { labels: { team: 'own' } }, priorityClassName: 'high' };
  const { chart, kafka } = events({ spec: { kafka: { template: { pod: all } } } });
  brokersOf(kafka, { nodePool: tainted, spec: { template: { pod: own, podSet: {} } } });
  const [cluster, pool] = synth(chart);
  expect(pool.spec.template.pod).toMatchObject({
    metadata: { labels: { team: 'own', cost: 'a' } },
    priorityClassName: 'high',
    tolerations: [...tolerations, expect.objectContaining({ key: 'dedicated' })],
  });
  expect(pool.spec.template.podSet).toEqual({});
  expect(cluster.spec.kafka.template.pod.tolerations).toEqual(tolerations);
  expect(tolerations).toHaveLength(1);
});

test('an affinity that shuts the pool out is an error', () => {
  const nodeSelectorTerms = [{ matchExpressions: [{ key: 'pool', operator: 'NotIn', values: ['kafka'] }] }];
  const affinity = { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } };
  const { chart, kafka } = events();
  brokersOf(kafka, { nodePool: tainted, spec: { template: { pod: { affinity } } } });
  expect(errorsOf(chart)).toEqual([
    "[kafka/brokers] kubernetes: the pods are pinned to node pool 'pool=kafka', but node affinity on pool of their template shuts that pool out, so no pod can ever run; drop one of the two (pinned-pods-selector-conflict)",
  ]);
});

test('it is checked, its patches with it', () => {
  const { chart, kafka } = events();
  brokersOf(kafka).pool.addJsonPatch(JsonPatch.replace('/spec/roles', ['boss']));
  expect(errorsOf(chart).join('\n')).toMatch(/\[kafka\/brokers\] strimzi: .*boss/);
});

test('a patch of anything else is none', () => {
  const { chart, kafka } = events();
  const { pool } = brokersOf(kafka);
  pool.addJsonPatch(JsonPatch.replace('/spec/roles', ['controller', 'broker']));
  pool.addJsonPatch(JsonPatch.add('/metadata/annotations/strimzi.io~1remove-node-ids', '[2]'));
  expect(errorsOf(chart)).toEqual([]);
});

test.each<[Json, string]>(casesIn(__dirname, 'kafka-node-pool.yaml')['is set by a prop'])(
  '%j is set by a prop',
  (props, message) => {
    const { chart, kafka } = events();
    brokersOf(kafka, props);
    expect(errorsOf(chart).filter((error) => error.endsWith(message))).toHaveLength(1);
  },
);

describe('plain data in spec', () => {
  test('is merged with what props decide', () => {
    const { spec } = poolOf({
      storage: { type: 'ephemeral' },
      spec: {
        storage: { sizeLimit: '1Gi' },
        resources: { requests: { cpu: '2', memory: '4Gi' } },
        jvmOptions: { '-Xmx': '2G' },
      },
    });
    expect(spec).toMatchObject({
      replicas: 3,
      roles: ['broker', 'controller'],
      storage: { type: 'ephemeral', sizeLimit: '1Gi' },
      resources: { requests: { cpu: '2', memory: '4Gi' } },
      jvmOptions: { '-Xmx': '2G' },
    });
  });

  test('may have the storage alone', () => {
    const storage = { type: 'jbod', volumes: [{ id: 0, type: 'persistent-claim', size: '1Ti', class: 'fast' }] };
    expect(poolOf({ storage: undefined, spec: { storage } }).spec.storage).toEqual(storage);
  });

  test.each<[string, Parameters<typeof brokersOf>[1], string]>(
    table('kafka/cluster/kafka-node-pool.yaml', 'refused properties'),
  )('cannot have %s', (_, props, message) => {
    const { kafka } = events();
    expect(() => brokersOf(kafka, props)).toThrow(new Error(message));
  });

  test('is checked, and so is storage that is nowhere', () => {
    const { chart, kafka } = events();
    brokersOf(kafka, { storage: undefined });
    expect(errorsOf(chart)).toEqual([
      '[kafka/brokers] strimzi: spec.storage is missing; set it: the API server requires it (node-pool-field-missing)',
    ]);
  });
});

describe('the backend of a listener', () => {
  const nodes = NodePools.eksManagedNodeGroup('kafka');

  test.each<[string, AwsLoadBalancerController, NodePool | undefined, string[]]>(
    table('kafka/cluster/kafka-node-pool.yaml', 'the backend of a listener', { tainted }),
  )('%s', (_, controller, nodePool, errors) => {
    const { chart, kafka } = events();
    new KafkaLoadBalancedListener(chart, 'External', {
      kafka,
      name: 'external',
      port: 9094,
      controller,
      backendNodes: nodes,
    });
    brokersOf(kafka, { nodePool });
    expect(errorsOf(chart)).toEqual(errors);
  });
});

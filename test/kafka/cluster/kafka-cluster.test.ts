import { JsonPatch } from 'cdk8s';
import {
  AwsLoadBalancerController,
  KafkaLoadBalancedListener,
  KafkaNodeIds,
  KafkaNodeRole,
  KubernetesVersion,
  LoadBalancers,
  MetalLb,
  NlbTargetType,
  StrimziVersion,
} from '../../../src';
import { DEFAULT_KUBERNETES } from '../../../src/contract/default-kubernetes';
import { STRIMZI_RELEASES } from '../../../src/kafka/strimzi/strimzi.facts';
import { errorsOf, newChart, stderrOf, synth, written } from '../../support/apps';
import { brokersOf, events } from './events';

const controller = AwsLoadBalancerController.nlb({ targetType: NlbTargetType.IP });
const { BROKER, CONTROLLER } = KafkaNodeRole;
const { V0_45, V0_47, V0_48, V0_49, V1_2 } = StrimziVersion;

function listenerOf(kafka: ReturnType<typeof events>['kafka'], name = 'external', port = 9094) {
  return new KafkaLoadBalancedListener(kafka.kafka.chart, `Listener ${name}`, { kafka, name, port, controller });
}

test.each([
  [V0_45, 'kafka.strimzi.io/v1beta2', { 'strimzi.io/kraft': 'enabled', 'strimzi.io/node-pools': 'enabled' }],
  [V0_47, 'kafka.strimzi.io/v1beta2', { 'strimzi.io/kraft': 'enabled', 'strimzi.io/node-pools': 'enabled' }],
  [V0_48, 'kafka.strimzi.io/v1beta2', undefined],
  [V0_49, 'kafka.strimzi.io/v1', undefined],
  [V1_2, 'kafka.strimzi.io/v1', undefined],
])('on %# it is written as its operator reads it', (strimzi, apiVersion, annotations) => {
  const { chart, kafka } = events({ strimzi });
  brokersOf(kafka);
  let objects: ReturnType<typeof synth> = [];
  stderrOf(() => {
    objects = synth(chart);
  });
  expect(objects.map((object) => object.apiVersion)).toEqual([apiVersion, apiVersion]);
  expect(objects[0].metadata).toEqual({ name: 'events', namespace: 'kafka', ...(annotations && { annotations }) });
});

test('both entity operators are there unless spec has others', () => {
  const both = events();
  brokersOf(both.kafka);
  expect(written(both.chart, 'Kafka').spec.entityOperator).toEqual({ topicOperator: {}, userOperator: {} });
  const one = events({ spec: { entityOperator: { topicOperator: { watchedNamespace: 'topics' } } } });
  brokersOf(one.kafka);
  expect(written(one.chart, 'Kafka').spec.entityOperator).toEqual({ topicOperator: { watchedNamespace: 'topics' } });
  for (const entityOperator of [undefined, null]) {
    const none = events({ spec: { entityOperator } });
    brokersOf(none.kafka);
    expect(written(none.chart, 'Kafka').spec).not.toHaveProperty('entityOperator');
  }
});

const topics = (replicas: number, inSync: number) => ({
  'default.replication.factor': replicas,
  'min.insync.replicas': inSync,
});
const transactions = (replicas: number, inSync: number) => ({
  'transaction.state.log.replication.factor': replicas,
  'transaction.state.log.min.isr': inSync,
});
const offsets = (replicas: number) => ({ 'offsets.topic.replication.factor': replicas });

test.each<[number, Record<string, unknown> | undefined, unknown]>([
  [3, undefined, { ...topics(3, 2), ...transactions(3, 2), ...offsets(3) }],
  [
    5,
    { 'log.retention.hours': 24 },
    { ...topics(3, 2), ...transactions(3, 2), ...offsets(3), 'log.retention.hours': 24 },
  ],
  [2, undefined, { ...topics(2, 1), ...transactions(2, 1), ...offsets(2) }],
  [1, undefined, { ...topics(1, 1), ...transactions(1, 1), ...offsets(1) }],
  [3, { 'default.replication.factor': 2 }, { 'default.replication.factor': 2, ...transactions(3, 2), ...offsets(3) }],
  [3, { 'min.insync.replicas': 1 }, { 'min.insync.replicas': 1, ...transactions(3, 2), ...offsets(3) }],
  [3, { ...transactions(2, 2), ...offsets(1) }, { ...topics(3, 2), ...transactions(2, 2), ...offsets(1) }],
])('%i brokers with config %j are configured as %j', (replicas, config, expected) => {
  const { chart, kafka } = events({ spec: { kafka: { config } } });
  brokersOf(kafka, { replicas });
  let spec: unknown;
  stderrOf(() => {
    spec = written(chart, 'Kafka').spec.kafka.config;
  });
  expect(spec).toEqual(expected);
});

test('the order in which listeners and pools are made means nothing', () => {
  const first = events();
  brokersOf(first.kafka);
  const after = listenerOf(first.kafka);
  const second = events();
  const before = listenerOf(second.kafka);
  brokersOf(second.kafka);
  expect(before.serviceNames).toEqual(after.serviceNames);
  expect(before.plan.loadBalancers).toBe(4);
  expect(LoadBalancers.of(second.chart).count).toBe(4);
  expect(synth(second.chart)).toEqual(expect.arrayContaining(synth(first.chart)));
});

test('pools added later are counted, without controllers', () => {
  const { kafka } = events();
  const listener = listenerOf(kafka);
  brokersOf(kafka, { name: 'brokers', roles: [BROKER] });
  expect(listener.serviceNames).toHaveLength(4);
  brokersOf(kafka, { name: 'controllers', roles: [CONTROLLER] });
  brokersOf(kafka, { name: 'more', roles: [BROKER], replicas: 1, nodeIds: KafkaNodeIds.between(100, 109) });
  expect(listener.serviceNames).toEqual([
    'events-kafka-external-bootstrap',
    'events-brokers-0',
    'events-brokers-1',
    'events-brokers-2',
    'events-more-100',
  ]);
  expect(kafka.nodePoolOf(100)).toBe('more');
  expect(() => kafka.nodePoolOf(900)).toThrow('kafka/Events: there is no broker 900; the brokers are 0, 1, 2, 100');
});

test('it counts the balancers of all listeners', () => {
  const { kafka } = events();
  brokersOf(kafka);
  listenerOf(kafka);
  const vpn = new KafkaLoadBalancedListener(kafka.kafka.chart, 'Vpn', {
    kafka,
    name: 'vpn',
    port: 9095,
    controller,
    createBootstrapService: false,
  });
  expect(kafka.loadBalancers.count).toBe(7);
  expect(kafka.loadBalancers.listeners).toEqual([
    { listener: 'plain', type: 'internal', count: 0, serviceNames: [] },
    expect.objectContaining({ listener: 'external', type: 'loadbalancer', count: 4 }),
    { listener: 'vpn', type: 'loadbalancer', count: 3, serviceNames: vpn.serviceNames },
  ]);
});

test('a patch that removes the bootstrap Service is counted', () => {
  const { kafka } = events();
  brokersOf(kafka);
  const listener = listenerOf(kafka);
  kafka.kafka.addJsonPatch(
    JsonPatch.add('/spec/kafka/listeners/1', {
      name: 'external',
      port: 9094,
      tls: true,
      type: 'loadbalancer',
      configuration: { createBootstrapService: false },
    }),
  );
  expect(listener.serviceNames).toEqual(['events-brokers-0', 'events-brokers-1', 'events-brokers-2']);
  expect(listener.loadBalancers.count).toBe(3);
});

test('it is judged, its patches with it', () => {
  const { chart, kafka } = events();
  brokersOf(kafka);
  kafka.kafka.addJsonPatch(JsonPatch.add('/spec/kafka/version', '3.1.0'));
  expect(errorsOf(chart)).toEqual([
    expect.stringMatching(/^\[kafka\/Events\] strimzi: spec\.kafka\.version is '3\.1\.0'/),
  ]);
});

describe('plain data in spec', () => {
  test.each<[string, Parameters<typeof events>[0], string]>([
    [
      'listeners',
      { spec: { kafka: { listeners: [{ name: 'other', port: 9093, type: 'internal', tls: true }] } } },
      'kafka/Events: spec.kafka.listeners is [{"name":"other","port":9093,"type":"internal","tls":true}], and the prop listeners makes it [{"name":"plain","port":9092,"type":"internal","tls":false}]; leave it out of spec, and use listeners alone',
    ],
    [
      'what is not a map',
      { spec: { kafka: 'events' } },
      'kafka/Events: spec.kafka is \'events\', and the construct makes it {"listeners":[{"name":"plain","port":9092,"type":"internal","tls":false}]}; leave it out of spec',
    ],
  ])('cannot have %s', (_, props, message) => {
    expect(() => events(props)).toThrow(new Error(message));
  });

  test('is merged with what props decide', () => {
    const spec = { kafka: { authorization: { type: 'simple' }, rack: { topologyKey: 'zone' } }, kafkaExporter: {} };
    const before = structuredClone(spec);
    const { chart, kafka } = events({ spec });
    brokersOf(kafka);
    expect(written(chart, 'Kafka').spec).toMatchObject({
      kafka: { authorization: { type: 'simple' }, rack: { topologyKey: 'zone' } },
      kafkaExporter: {},
      entityOperator: { topicOperator: {}, userOperator: {} },
    });
    expect(spec).toEqual(before);
  });
});

test('plain listeners are judged once, and listeners with balancers by themselves', () => {
  const { chart, kafka } = events({
    listeners: ['plain', 'other'].map((name) => ({ name, port: 9092, type: 'internal', tls: true })),
  });
  brokersOf(kafka);
  listenerOf(kafka, 'external', 9404);
  const errors = errorsOf(chart);
  expect(errors.filter((error) => error.startsWith('[kafka/Events]'))).toEqual([
    expect.stringContaining('(listener-port-duplicate)'),
  ]);
  expect(errors.filter((error) => error.startsWith('[kafka/Listener external]'))).toEqual([
    expect.stringContaining('9404'),
  ]);
});

test('two clusters of one name are one object in the cluster', () => {
  const { chart, kafka } = events();
  brokersOf(kafka);
  const other = events({}, chart, 'Again');
  brokersOf(other.kafka, { name: 'others' });
  expect(errorsOf(chart)).toEqual([
    '[kafka/Again] kubernetes: Kafka kafka/events is made by kafka/Events as well; give one of the two another name (object-duplicate)',
  ]);
});

test('everything else that it has', () => {
  const { chart, kafka } = events({
    spec: {
      kafka: { version: '4.3.0', metadataVersion: '4.3-IV0', template: { pod: { priorityClassName: 'high' } } },
      maintenanceTimeWindows: ['* * 0-1 ? * SUN,MON *'],
    },
    pauseReconciliation: true,
    annotations: { team: 'streams' },
    labels: { team: 'streams' },
  });
  brokersOf(kafka);
  const document = written(chart, 'Kafka');
  expect(document.metadata).toEqual({
    name: 'events',
    namespace: 'kafka',
    annotations: { team: 'streams', 'strimzi.io/pause-reconciliation': 'true' },
    labels: { team: 'streams' },
  });
  expect(document.spec.maintenanceTimeWindows).toEqual(['* * 0-1 ? * SUN,MON *']);
  expect(document.spec.kafka).toMatchObject({
    version: '4.3.0',
    metadataVersion: '4.3-IV0',
    template: { pod: { priorityClassName: 'high' } },
  });
});

test('annotations of the user win over those that props make', () => {
  const { chart, kafka } = events({
    strimzi: V0_45,
    annotations: { 'strimzi.io/kraft': 'migration', 'strimzi.io/pause-reconciliation': 'false' },
    pauseReconciliation: true,
  });
  brokersOf(kafka);
  let annotations: unknown;
  stderrOf(() => {
    annotations = written(chart, 'Kafka').metadata.annotations;
  });
  expect(annotations).toEqual({
    'strimzi.io/kraft': 'migration',
    'strimzi.io/node-pools': 'enabled',
    'strimzi.io/pause-reconciliation': 'false',
  });
});

test.each<[StrimziVersion, KubernetesVersion | undefined, string[]]>([
  [
    V1_2,
    KubernetesVersion.of('1.29'),
    [
      '[kafka/External] strimzi: kubernetes is 1.29, and Strimzi 1.2.0 needs 1.30 or newer; upgrade Kubernetes, name the version that runs, or use an older Strimzi (strimzi-kubernetes-unsupported)',
    ],
  ],
  [V1_2, KubernetesVersion.V1_30, []],
  [V1_2, undefined, []],
  [V0_48, KubernetesVersion.V1_27, []],
])('the operator runs on the Kubernetes that is named: %#', (strimzi, kubernetes, errors) => {
  const { chart, kafka } = events({ strimzi });
  brokersOf(kafka);
  const authentication = { type: 'scram-sha-512' };
  const props = { kafka, kubernetes, name: 'external', port: 9094, controller: MetalLb.layer2(), authentication };
  new KafkaLoadBalancedListener(chart, 'External', props);
  let told: string[] = [];
  stderrOf(() => {
    told = errorsOf(chart);
  });
  expect(told.filter((error) => !error.includes('finalizer'))).toEqual(errors);
});

test.each(Object.keys(STRIMZI_RELEASES))(
  'the Kubernetes that is meant unless somebody names one runs Strimzi %s',
  (version) => {
    expect(DEFAULT_KUBERNETES.isAtLeast(StrimziVersion.of(version).minimumKubernetes)).toBe(true);
  },
);

test('a synth of a broken cluster writes nothing, and one of the mended cluster everything', () => {
  const chart = newChart('kafka');
  const { kafka } = events({}, chart);
  brokersOf(kafka);
  kafka.kafka.addJsonPatch(JsonPatch.add('/spec/kafka/version', '3.1.0'));
  expect(errorsOf(chart)).toHaveLength(1);
  kafka.kafka.addJsonPatch(JsonPatch.remove('/spec/kafka/version'));
  expect(synth(chart).map(({ kind }) => kind)).toEqual(['Kafka', 'KafkaNodePool']);
});

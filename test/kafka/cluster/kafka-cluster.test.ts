import { ApiObject, Include, JsonPatch, Yaml } from 'cdk8s';
import type { IConstruct } from 'constructs';
import {
  AwsLoadBalancerController,
  type IKafkaCluster,
  KafkaCluster,
  KafkaLoadBalancedListener,
  KafkaNodeIds,
  KafkaNodeRole,
  type KubernetesVersion,
  LoadBalancerScheme,
  LoadBalancers,
  MetalLb,
  NlbTargetType,
  StrimziVersion,
} from '../../../src';
import { DEFAULT_KUBERNETES } from '../../../src/contract/default-kubernetes';
import type { Json } from '../../../src/contract/json';
import { STRIMZI_RELEASES } from '../../../src/kafka/strimzi/strimzi.facts';
import { errorsOf, newChart, stderrOf, synth, written } from '../../support/apps';
import { table } from '../../support/yaml-cases';
import { kafkaWith, nlb, nodePool } from '../clusters';
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

test.each<[number, Record<string, unknown> | undefined, unknown]>(
  table('kafka/cluster/kafka-cluster.yaml', 'brokers with config are configured as'),
)('%i brokers with config %j are configured as %j', (replicas, config, expected) => {
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

test('it is checked, its patches with it', () => {
  const { chart, kafka } = events();
  brokersOf(kafka);
  kafka.kafka.addJsonPatch(JsonPatch.add('/spec/kafka/version', '3.1.0'));
  expect(errorsOf(chart)).toEqual([
    expect.stringMatching(/^\[kafka\/Events\] strimzi: spec\.kafka\.version is '3\.1\.0'/),
  ]);
});

describe('plain data in spec', () => {
  test.each<[string, Parameters<typeof events>[0], string]>(
    table('kafka/cluster/kafka-cluster.yaml', 'refused properties'),
  )('cannot have %s', (_, props, message) => expect(() => events(props)).toThrow(new Error(message)));

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

test('plain listeners are checked once, and listeners with balancers by themselves', () => {
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

test.each<[StrimziVersion, KubernetesVersion | undefined, string[]]>(
  table('kafka/cluster/kafka-cluster.yaml', 'versions of Kubernetes'),
)('the operator runs on the Kubernetes that is named: %#', (strimzi, kubernetes, errors) => {
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
  (version) => expect(DEFAULT_KUBERNETES.isAtLeast(StrimziVersion.of(version).minimumKubernetes)).toBe(true),
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

describe('objects of manifests', () => {
  const strimzi = StrimziVersion.V1_2;

  /** A Kafka with its pool of three brokers, whose ids begin at some number. */
  function cluster(name: string, from = 0): Json[] {
    const metadata = { name, namespace: 'kafka' };
    return [kafkaWith([], strimzi, { metadata }), pool(name, `${name}-brokers`, from)];
  }

  function pool(of: string, name: string, from: number, more: Json = {}): Json {
    return nodePool(name, strimzi, {
      metadata: {
        name,
        namespace: 'kafka',
        labels: { 'strimzi.io/cluster': of },
        annotations: { 'strimzi.io/next-node-ids': `[${from}-${from + 9}]` },
      },
      ...more,
    });
  }

  function included(...objects: Json[]): Include {
    return new Include(newChart('kafka'), 'Existing', { url: Yaml.tmp(objects) });
  }

  const add = (to: IConstruct, object: Json): ApiObject =>
    new ApiObject(to as never, `added-${object.metadata.name}`, object as never);
  const clusterOf = (construct: IConstruct, name: string): IKafkaCluster =>
    KafkaCluster.fromManifest(construct, { name, strimzi });

  function listen(kafka: IKafkaCluster): KafkaLoadBalancedListener {
    const more = { controller: nlb(), scheme: LoadBalancerScheme.INTERNAL, name: 'external', port: 9094 };
    return new KafkaLoadBalancedListener(kafka.kafka.chart, `Of-${kafka.clusterName}`, { kafka, ...more });
  }

  describe('an Include is looked through once', () => {
    test('for all its clusters', () => {
      const include = included(...cluster('one'), ...cluster('two', 20));
      const findAll = jest.spyOn(include.node, 'findAll');
      expect(clusterOf(include, 'one').brokerIds).toEqual([0, 1, 2]);
      expect(clusterOf(include, 'two').brokerIds).toEqual([20, 21, 22]);
      expect(findAll).toHaveBeenCalledTimes(1);
    });

    test('and again for a Kafka that was added to it', () => {
      const include = included(...cluster('one'));
      clusterOf(include, 'one');
      for (const object of cluster('late', 20)) {
        add(include, object);
      }
      expect(clusterOf(include, 'late').brokerIds).toEqual([20, 21, 22]);
      expect(errorsOf(include.node.scope as never)).toEqual([]);
    });

    test('and again for a pool without which a cluster has none', () => {
      const include = included(
        ...cluster('one'),
        kafkaWith([], strimzi, { metadata: { name: 'two', namespace: 'kafka' } }),
      );
      clusterOf(include, 'one');
      expect(() => clusterOf(include, 'two')).toThrow('the ids of its brokers are unknown');
      add(include, pool('two', 'two-brokers', 20));
      expect(clusterOf(include, 'two').brokerIds).toEqual([20, 21, 22]);
    });

    test('and again for a pool that comes to a cluster', () => {
      const include = included(...cluster('one'));
      clusterOf(include, 'one');
      add(include, pool('one', 'more-brokers', 20));
      expect(clusterOf(include, 'one').brokerIds).toEqual([0, 1, 2, 20, 21, 22]);
    });

    test('and labels that change later count', () => {
      const include = included(...cluster('one'), ...cluster('two', 20), pool('one', 'moved', 40));
      expect(clusterOf(include, 'one').brokerIds).toEqual([0, 1, 2, 40, 41, 42]);
      const moved = include.apiObjects.find(({ name }) => name === 'moved');
      moved?.metadata.addLabel('strimzi.io/cluster', 'two');
      expect(clusterOf(include, 'two').brokerIds).toEqual([20, 21, 22, 40, 41, 42]);
      expect(clusterOf(include, 'one').brokerIds).toEqual([0, 1, 2]);
    });
  });

  test('whatever was added to a chart between two clusters is found', () => {
    const chart = newChart('kafka');
    const objects = [...cluster('one'), ...cluster('two', 20)];
    for (const object of objects) {
      add(chart, object);
    }
    expect(clusterOf(chart, 'one').brokerIds).toEqual([0, 1, 2]);
    add(chart, pool('two', 'more-brokers', 40));
    expect(clusterOf(chart, 'two').brokerIds).toEqual([20, 21, 22, 40, 41, 42]);
    add(chart, pool('one', 'other-brokers', 60));
    expect(clusterOf(chart, 'one').brokerIds).toEqual([0, 1, 2, 60, 61, 62]);
  });

  describe('a pool is checked as it is when it is written', () => {
    const template = { pod: { priorityClassName: 'high' } };
    const kafka = kafkaWith([], strimzi, { metadata: { name: 'one', namespace: 'kafka' }, kafka: { template } });
    const warningsOf = (include: Include) => stderrOf(() => synth(include.node.scope as never));
    const patch = JsonPatch.add('/spec/template', { pod: {} });

    test('after a patch between fromManifest and the synth', () => {
      const include = included(kafka, pool('one', 'one-brokers', 0));
      listen(clusterOf(include, 'one'));
      include.apiObjects[1].addJsonPatch(patch);
      expect(warningsOf(include)).toContain("node pool 'one-brokers' has templates of its own");
    });

    test('after a patch between two synths', () => {
      const include = included(kafka, pool('one', 'one-brokers', 0));
      listen(clusterOf(include, 'one'));
      expect(warningsOf(include)).not.toContain('templates');
      include.apiObjects[1].addJsonPatch(patch);
      expect(warningsOf(include)).toContain("node pool 'one-brokers' has templates of its own");
      include.apiObjects[1].addJsonPatch(JsonPatch.remove('/spec/template'));
      expect(synth(include.node.scope as never).find(({ kind }) => kind === 'KafkaNodePool')?.spec.template).toBe(
        undefined,
      );
    });
  });

  describe('a pool is counted as it is when the cluster is read', () => {
    const [kafka] = cluster('one');
    const ofBrokers = pool('one', 'one-brokers', 0);
    const controllers = pool('one', 'controllers', 20, {
      spec: { replicas: 3, roles: ['controller'], storage: { type: 'ephemeral' } },
    });
    const changed = (where: string, now: string, before: string) =>
      `[kafka/Existing/one-kafka-kafka] strimzi: ${where} of KafkaNodePool one-brokers is ${now}, and was ${before} when KafkaCluster.fromManifest counted its brokers and their balancers; change it before fromManifest (node-pool-changed-after-import)`;

    test.each<[JsonPatch, string]>([
      [JsonPatch.replace('/spec/replicas', 5), changed('spec.replicas', '5', '3')],
      [
        JsonPatch.replace('/metadata/annotations/strimzi.io~1next-node-ids', '[7-9]'),
        changed('annotation strimzi.io/next-node-ids', "'[7-9]'", "'[0-9]'"),
      ],
      [JsonPatch.replace('/metadata/name', 'other'), changed('metadata.name', "'other'", "'one-brokers'")],
      [
        JsonPatch.replace('/metadata/labels/strimzi.io~1cluster', 'two'),
        changed('label strimzi.io/cluster', "'two'", "'one'"),
      ],
      [JsonPatch.replace('/spec/roles', ['controller']), changed('spec.roles', '["controller"]', '["broker"]')],
    ])('and not changed later: %#', (patch, error) => {
      const include = included(kafka, ofBrokers);
      const found = clusterOf(include, 'one');
      include.apiObjects[1].addJsonPatch(patch);
      listen(found);
      expect(errorsOf(include.node.scope as never)).toEqual([error]);
    });

    test('while pools of controllers may be', () => {
      const include = included(kafka, ofBrokers, controllers);
      listen(clusterOf(include, 'one'));
      include.apiObjects[2].addJsonPatch(JsonPatch.replace('/spec/replicas', 5));
      expect(errorsOf(include.node.scope as never)).toEqual([]);
    });

    test('and a patch before it counts', () => {
      const include = included(kafka, ofBrokers);
      include.apiObjects[1].addJsonPatch(JsonPatch.replace('/spec/replicas', 5));
      listen(clusterOf(include, 'one'));
      expect(errorsOf(include.node.scope as never)).toEqual([]);
    });

    test('unless somebody says the pools', () => {
      const include = included(kafka, ofBrokers);
      const nodePools = [{ name: 'one-brokers', brokerIds: [7, 8, 9] }];
      listen(KafkaCluster.fromManifest(include, { name: 'one', strimzi, nodePools }));
      include.apiObjects[1].addJsonPatch(JsonPatch.replace('/spec/replicas', 2));
      expect(errorsOf(include.node.scope as never)).toEqual([]);
    });
  });

  test('a Kafka is checked as it is when it is written, after a patch between two synths', () => {
    const include = included(...cluster('one'));
    listen(clusterOf(include, 'one'));
    const chart = include.node.scope as never;
    expect(errorsOf(chart)).toEqual([]);
    include.apiObjects[0].addJsonPatch(JsonPatch.add('/spec/kafka/version', '0.1.0'));
    expect(errorsOf(chart)).toEqual([expect.stringContaining("spec.kafka.version is '0.1.0'")]);
    include.apiObjects[0].addJsonPatch(JsonPatch.remove('/spec/kafka/version'));
    expect(errorsOf(chart)).toEqual([]);
  });

  test('a cluster is taken from a manifest again after it was given a listener that fails', () => {
    const include = included(...cluster('one'));
    listen(clusterOf(include, 'one'));
    include.apiObjects[0].addJsonPatch(JsonPatch.add('/spec/kafka/version', '0.1.0'));
    expect(clusterOf(include, 'one').brokerIds).toEqual([0, 1, 2]);
  });

  test('outside a synth a cluster is looked at anew each time', () => {
    const include = included(...cluster('one'));
    const kafka = clusterOf(include, 'one');
    listen(kafka);
    expect(kafka.loadBalancers.count).toBe(4);
    synth(include.node.scope as never);
    const listener = { name: 'other', port: 9095, type: 'loadbalancer', tls: true };
    include.apiObjects[0].addJsonPatch(JsonPatch.add('/spec/kafka/listeners/-', listener));
    expect(kafka.loadBalancers.count).toBe(8);
  });
});

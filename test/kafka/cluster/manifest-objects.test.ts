import { ApiObject, Include, JsonPatch, Yaml } from 'cdk8s';
import type { IConstruct } from 'constructs';
import {
  type IKafkaCluster,
  KafkaCluster,
  KafkaLoadBalancedListener,
  LoadBalancerScheme,
  StrimziVersion,
} from '../../../src';
import type { Json } from '../../../src/contract/json';
import { errorsOf, newChart, stderrOf, synth } from '../../support/apps';
import { kafkaWith, nlb, nodePool } from '../clusters';

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

describe('a pool is judged as it is when it is written', () => {
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
    `[kafka/Of-one] strimzi: ${where} of KafkaNodePool one-brokers is ${now}, and was ${before} when KafkaCluster.fromManifest counted its brokers and their balancers; change it before fromManifest (node-pool-changed-after-import)`;

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

test('a Kafka is judged as it is when it is written, after a patch between two synths', () => {
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

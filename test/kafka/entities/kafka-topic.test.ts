import { ApiObject, JsonPatch } from 'cdk8s';
import { KafkaLoadBalancedListener, StrimziVersion } from '../../../src';
import { KafkaTopic, type KafkaTopicProps } from '../../../src/kafka/entities/kafka-topic';
import { errorsOf, stderrOf, synth, written } from '../../support/apps';
import { metalLb } from '../listeners';
import { existing } from './fixtures';

const { V0_48, V0_49, V1_2 } = StrimziVersion;

function topicWith(props: Partial<KafkaTopicProps> = {}, strimzi = V1_2) {
  const { chart, cluster } = existing(strimzi);
  const topic = new KafkaTopic(chart, 'Orders', { kafka: cluster, name: 'orders', ...props });
  return { chart, cluster, topic };
}

test('a topic says its cluster, and nothing that nobody said', () => {
  const { chart, topic } = topicWith();
  expect(topic.topicName).toBe('orders');
  expect(written(chart, 'KafkaTopic')).toEqual({
    apiVersion: 'kafka.strimzi.io/v1',
    kind: 'KafkaTopic',
    metadata: { name: 'orders', namespace: 'kafka', labels: { 'strimzi.io/cluster': 'events' } },
    spec: {},
  });
});

test('a topic says all that somebody said', () => {
  const { chart, topic } = topicWith({
    topicName: 'Orders_v1',
    partitions: 12,
    replicas: 3,
    config: { 'retention.ms': 3_600_000, 'cleanup.policy': 'delete' },
    labels: { team: 'shop', 'strimzi.io/cluster': 'other' },
    annotations: { 'example.com/a': 'b' },
    managed: false,
  });
  expect(topic.topicName).toBe('Orders_v1');
  expect(written(chart, 'KafkaTopic')).toEqual({
    apiVersion: 'kafka.strimzi.io/v1',
    kind: 'KafkaTopic',
    metadata: {
      name: 'orders',
      namespace: 'kafka',
      labels: { team: 'shop', 'strimzi.io/cluster': 'events' },
      annotations: { 'example.com/a': 'b', 'strimzi.io/managed': 'false' },
    },
    spec: {
      topicName: 'Orders_v1',
      partitions: 12,
      replicas: 3,
      config: { 'retention.ms': 3_600_000, 'cleanup.policy': 'delete' },
    },
  });
});

test('a managed topic with the name of its resource says neither', () => {
  const { chart } = topicWith({ topicName: 'orders', managed: true });
  const { metadata, spec } = written(chart, 'KafkaTopic');
  expect([metadata.annotations, spec]).toEqual([undefined, {}]);
});

test.each([
  [V0_48, 'kafka.strimzi.io/v1beta2'],
  [V0_49, 'kafka.strimzi.io/v1'],
])('for %j it is of %s', (strimzi, apiVersion) => {
  expect(topicWith({}, strimzi).topic.topic.apiVersion).toBe(apiVersion);
});

test('a patched topic is judged as it is written', () => {
  const { chart, topic } = topicWith({ replicas: 3 });
  topic.topic.addJsonPatch(JsonPatch.replace('/spec/replicas', 4));
  expect(errorsOf(chart)).toEqual([
    '[kafka/Orders] strimzi: spec.replicas is 4, and there are 3 brokers; write a number that the brokers can hold (topic-replicas)',
  ]);
});

test('the namespace is that of the cluster, and another one is refused', () => {
  const { chart } = topicWith({ namespace: 'shop' });
  expect(errorsOf(chart)).toEqual([expect.stringContaining('(entity-namespace)')]);
});

test('a topic is judged beside its cluster as it is in the end', () => {
  const { chart, cluster } = topicWith({ replicas: 2 });
  cluster.kafka.addJsonPatch(
    JsonPatch.add('/spec/kafka/config', { 'min.insync.replicas': 3 }),
    JsonPatch.remove('/spec/entityOperator/topicOperator'),
  );
  const told = stderrOf(() => expect(errorsOf(chart)).toEqual([]));
  expect(told).toContain('(topic-min-insync)');
});

test('without an operator of its cluster there is a warning', () => {
  const { chart, cluster } = topicWith();
  cluster.kafka.addJsonPatch(JsonPatch.remove('/spec/entityOperator/topicOperator'));
  expect(stderrOf(() => synth(chart))).toContain('(entity-operator)');
});

test('two topics of one name in one namespace are refused', () => {
  const { chart, cluster } = topicWith();
  new KafkaTopic(chart, 'Again', { kafka: cluster, name: 'orders' });
  expect(errorsOf(chart)).toEqual([expect.stringContaining('(name-twice)')]);
});

describe('the Kafka document is rendered', () => {
  /** How often, while something is written. */
  function renderings(kafka: ApiObject, action: () => void): number {
    const spy = jest.spyOn(ApiObject.prototype, 'toJson');
    action();
    const count = spy.mock.contexts.filter((object) => object === kafka).length;
    spy.mockRestore();
    return count;
  }

  function crowd(size: number) {
    const { chart, cluster } = existing();
    const listener = { kafka: cluster, name: 'external', port: 9094, controller: metalLb() };
    new KafkaLoadBalancedListener(chart, 'External', listener);
    for (let i = 0; i < size; i++) {
      new KafkaTopic(chart, `Topic${i}`, { kafka: cluster, name: `topic-${i}`, replicas: 3 });
    }
    return { chart, cluster };
  }

  test('as often for a thousand topics as for one, in each of two synths', () => {
    const [one, many] = [1, 1_000].map((size) => {
      const { chart, cluster } = crowd(size);
      return [1, 2].map(() => renderings(cluster.kafka, () => stderrOf(() => synth(chart))));
    });
    expect(many).toEqual(one);
    expect(Math.max(...one)).toBeLessThan(10);
  });
});

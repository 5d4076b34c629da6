import { placesOf } from '../../src/diff/effect';
import { changesIn, documents } from './rows';

const AWS = 'service.k8s.aws/resources';
const NLB = 'service.k8s.aws/nlb';

interface KafkaLines {
  readonly name?: string;
  readonly listener?: string;
  readonly type?: string;
  readonly pool?: string;
  readonly brokers?: number;
  readonly finalizers?: readonly string[];
  readonly ipFamilies?: readonly string[];
}

function kafka({
  name = 'events',
  listener = 'external',
  type = 'loadbalancer',
  pool = 'brokers',
  brokers = 1,
  finalizers = [AWS],
  ipFamilies,
}: KafkaLines = {}): string {
  const configuration = { class: NLB, ipFamilies, ...(finalizers.length > 0 && { finalizers }) };
  const strimzi = { apiVersion: 'kafka.strimzi.io/v1' };
  const listeners = [
    { name: listener, port: 9094, type, tls: true, ...(type === 'loadbalancer' && { configuration }) },
  ];
  return documents(
    JSON.stringify({
      ...strimzi,
      kind: 'Kafka',
      metadata: { name, namespace: 'kafka' },
      spec: { kafka: { version: '4.1.0', listeners } },
    }),
    JSON.stringify({
      ...strimzi,
      kind: 'KafkaNodePool',
      metadata: { name: pool, namespace: 'kafka', labels: { 'strimzi.io/cluster': name } },
      spec: { replicas: brokers, roles: ['broker'], storage: { type: 'ephemeral' } },
    }),
  );
}

describe('a controller that a chart installs', () => {
  const chart = (name: string) =>
    JSON.stringify({
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: { name, namespace: 'argocd' },
      spec: { sources: [{ repoURL: 'https://aws.github.io/eks-charts', chart: 'aws-load-balancer-controller' }] },
    });

  test('what an operator makes is handed over by another listener', () => {
    const remedies = changesIn(documents(chart('lbc'), kafka()), kafka(), {}).map(
      ({ effects: [{ remedy }] }) => remedy,
    );
    expect(new Set(remedies)).toEqual(
      new Set([
        'add another listener first that another controller serves, move clients and DNS to it, take this listener out, wait until its Services are gone, and take aws-load-balancer-controller away last',
      ]),
    );
  });
});

test('the field of a listener has its values, and its line on both sides', () => {
  const change = changesIn(kafka(), kafka({ finalizers: [] }), { writer: 'put' })[0];
  const [cause] = change.effects;
  expect(cause).toMatchObject({ field: 'spec.kafka.listeners[0].configuration.finalizers', from: AWS });
  const { before, after } = placesOf(change, cause);
  const path = ['spec', 'kafka', 'listeners', 0, 'configuration', 'finalizers'];
  expect([before?.path, after?.path]).toEqual([path, path]);
  expect([before?.manifest.object.kind, after?.manifest.object.kind]).toEqual(['Kafka', 'Kafka']);
});

test('what decides that a broker goes has its values', () => {
  const [change] = changesIn(kafka({ brokers: 3 }), kafka({ brokers: 2 }), {});
  expect(change.effects).toMatchObject([{ field: 'KafkaNodePool brokers, spec.replicas', from: '3', to: '2' }]);
});

import { CONTEXT, Folder } from './repository';

const kafka = (replicas: number, { ids = '[0-99]', living = '' } = {}) => `apiVersion: kafka.strimzi.io/v1
kind: Kafka
metadata: { name: orders, namespace: kafka${living && ', uid: 00000000-0000-0000-0000-000000000001'} }
spec:
  kafka:
    listeners:
      - name: external
        port: 9094
        type: loadbalancer
        tls: true
        configuration: { class: service.k8s.aws/nlb, finalizers: [service.k8s.aws/resources] }
---
apiVersion: kafka.strimzi.io/v1
kind: KafkaNodePool
metadata:
  name: brokers
  namespace: kafka
  labels: { strimzi.io/cluster: orders }
  annotations: { strimzi.io/next-node-ids: "${ids}" }${living && '\n  uid: 00000000-0000-0000-0000-000000000002'}
spec: { replicas: ${replicas}, roles: [broker], storage: { type: ephemeral } }
${living && `status: { nodeIds: ${living} }\n`}`;

const folder = (old: string, now: string) =>
  new Folder({ 'old/kafka.yaml': old, 'new/kafka.yaml': now, 'load-balancers.yaml': CONTEXT });

test('how one broker is accepted is printed, and what is printed accepts it', () => {
  const one = folder(kafka(3), kafka(2));
  const { out, code } = one.diff(['old', 'new']);
  expect(code).toBe(1);
  const [, object] = /accept {3}--allow deleted=(\S+), or object: \1/.exec(out) ?? [];
  expect(object).toBe('kafka/orders-brokers-2');
  expect(one.diff(['old', 'new', '--allow', `deleted=${object}`]).code).toBe(0);
  expect(one.diff(['old', 'new', '--allow', 'deleted=Kafka kafka/orders']).code).toBe(0);
  expect(one.diff(['old', 'new', '--allow', 'deleted=Kafka kafka/orders']).out).not.toContain('--allow');
  expect(one.diff(['old', 'new', '--format', 'markdown']).out).toContain('accept: ');
});

test('how several are accepted names all of them, and what they are made of', () => {
  const { out } = folder(kafka(3), kafka(1)).diff(['old', 'new']);
  expect(out.replace(/\s+/g, ' ')).toContain(
    "accept --allow 'deleted=Kafka kafka/orders' for all balancers of Kafka kafka/orders, or each as object in load-balancers.yaml: kafka/orders-brokers-1, kafka/orders-brokers-2",
  );
});

test('a live pool keeps the ids of its nodes', () => {
  const outcomes = folder(kafka(2, { living: '[5, 6]' }), kafka(2, { ids: '[10-99]' })).outcomes('old', 'new');
  expect(Object.values(outcomes)).toEqual(['kept', 'kept', 'kept']);
  expect(Object.keys(outcomes)).toContain("kafka/orders, listener 'external', broker 6");
});

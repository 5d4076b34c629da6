import { AwsCloudProvider, AwsLoadBalancerController } from '../../src';
import { checkedFiles } from './checked';

const OPERATOR = (lease: string) => `apiVersion: apps/v1
kind: Deployment
metadata: { name: strimzi-cluster-operator }
spec:
  selector: { matchLabels: { name: strimzi-cluster-operator } }
  template:
    metadata: { labels: { name: strimzi-cluster-operator } }
    spec:
      containers:
        - { name: strimzi-cluster-operator, image: "quay.io/strimzi/operator:1.2.0", env: [{ name: STRIMZI_LEADER_ELECTION_LEASE_NAME, value: ${lease} }] }
`;

const POOL = `apiVersion: kafka.strimzi.io/v1
kind: KafkaNodePool
metadata: { name: dual, labels: { strimzi.io/cluster: my } }
spec: { replicas: 3, roles: [broker, controller], storage: { type: ephemeral } }
`;

const KAFKA = `apiVersion: kafka.strimzi.io/v1
kind: Kafka
metadata: { name: my }
spec: { kafka: { listeners: [{ name: plain, port: 9092, type: internal, tls: false }] } }
`;

const TWICE = ['strimzi-operator-namespace-twice', 'strimzi-watched-twice'];

function twiceIn(files: Record<string, string>): string[] {
  return checkedFiles(files)
    .findings.map(({ ruleId }) => ruleId)
    .filter((id) => TWICE.includes(id));
}

test('one object in files of several folders is one object', () => {
  expect(twiceIn({ 'a/o.yaml': OPERATOR('x'), 'b/o.yaml': OPERATOR('x'), 'c/o.yaml': OPERATOR('y') })).toEqual([]);
  expect(twiceIn({ 'a/k.yaml': `${POOL}---\n${KAFKA}`, 'b/k.yaml': `${POOL}---\n${KAFKA}`, 'k.yaml': KAFKA })).toEqual(
    [],
  );
});

test('two objects in two files are two', () => {
  const other = OPERATOR('x').replace('{ name: strimzi-cluster-operator }', '{ name: second }');
  expect(twiceIn({ 'a/o.yaml': OPERATOR('x'), 'b/o.yaml': other })).toContain('strimzi-watched-twice');
});

test('a listener is judged without its node pools', () => {
  const listener = `{ name: external, port: 9094, type: loadbalancer, tls: true, configuration: { class: service.k8s.aws/nlb, finalizers: [service.kubernetes.io/load-balancer-cleanup] } }`;
  const kafka = KAFKA.replace(/\[\{.*\}\]/, `[${listener}]`);
  for (const files of [{ 'k.yaml': kafka }, { 'k.yaml': `${kafka}---\n${POOL}` }]) {
    expect(checkedFiles(files).findings.map(({ ruleId }) => ruleId)).toContain('finalizer-owner');
  }
});

test('brokers of a node port listener share a host, and have a node port each', () => {
  const brokers = (more: string) =>
    `[{ name: external, port: 9094, type: nodeport, tls: true, configuration: { brokers: [{ broker: 0, nodePort: 31090, advertisedHost: h.example.com${more} }, { broker: 1, nodePort: 31091, advertisedHost: h.example.com${more} }] } }]`;
  const ids = (more: string) =>
    checkedFiles({ 'k.yaml': KAFKA.replace(/\[\{.*\}\]/, brokers(more)) }).findings.map(({ ruleId }) => ruleId);
  expect(ids('')).not.toContain('listener-advertised-twice');
  expect(ids(', advertisedPort: 9094')).toContain('listener-advertised-twice');
});

test.each([
  [undefined, 'warning'],
  [false, 'error'],
])(
  'an error that depends on a webhook that the context has as %s is reported as %s',
  (serviceMutatorWebhook, level) => {
    const service = `apiVersion: v1
kind: Service
metadata: { name: dns, namespace: x }
spec: { type: LoadBalancer, selector: { app: dns }, ports: [{ port: 53, protocol: UDP, name: a }, { port: "54", name: b }] }
`;
    const controllers = [AwsCloudProvider.nlb(), AwsLoadBalancerController.nlb({ serviceMutatorWebhook })];
    const { findings } = checkedFiles({ 's.yaml': service }, { controllers });
    expect(findings.find(({ ruleId }) => ruleId === 'aws-cloud-protocol')?.level).toBe(level);
    expect(findings.find(({ ruleId }) => ruleId === 'field-type')?.level).toBe('error');
  },
);

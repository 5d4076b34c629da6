import { run } from '../../support/command';
import { revived, table } from '../../support/yaml-cases';
import { CONTEXT, Folder, service } from './repository';

// The same files in two versions of what runs in the cluster.

const kafka = (apiVersion = 'v1', finalizers = '') => `apiVersion: kafka.strimzi.io/${apiVersion}
kind: Kafka
metadata: { name: events, namespace: kafka }
spec:
  kafka:
    listeners:
      - name: external
        port: 9094
        type: loadbalancer
        tls: true
        configuration:
          class: service.k8s.aws/nlb
          ${finalizers}
---
apiVersion: kafka.strimzi.io/${apiVersion}
kind: KafkaNodePool
metadata: { name: brokers, namespace: kafka, labels: { strimzi.io/cluster: events }, annotations: { strimzi.io/next-node-ids: '[0-0]' } }
spec: { replicas: 1, roles: [broker, controller], storage: { type: ephemeral } }
`;
const BOOTSTRAP = "kafka/events, listener 'external', bootstrap";
const BROKER = "kafka/events, listener 'external', broker 0";
const AWS = 'aws-load-balancer-controller';
const strimzi = (from: string, to: string) => ['--strimzi-from', from, '--strimzi-to', to];
const aws = (from: string, to: string) => ['--controller-from', `${AWS}@${from}`, '--controller-to', `${AWS}@${to}`];

const folder = new Folder({
  'load-balancers.yaml': `${CONTEXT}strimzi: 0.47.0\n`,
  'k8s/kafka.yaml': kafka(),
  'old/kafka.yaml': kafka('v1beta2'),
  'k8s/echo.yaml': service('echo').replace(
    'annotations:',
    'annotations:\n    service.beta.kubernetes.io/aws-load-balancer-security-groups: sg-1',
  ),
});

describe('one path', () => {
  test('is both sides: what a downgrade does that removes finalizers, over what the context file says', () => {
    expect(folder.outcomes('k8s', ...strimzi('0.51', '0.50'))).toEqual({
      [BOOTSTRAP]: 'orphaned',
      [BROKER]: 'orphaned',
      'edge/echo': 'kept',
    });
    const { before, after, context } = folder.json('k8s', ...strimzi('0.51', '0.50'));
    expect([before.name, after.name]).toEqual(['k8s with Strimzi 0.51.0', 'k8s with Strimzi 0.50.1']);
    expect(context.filter(({ what }) => what.startsWith('Strimzi'))).toEqual([
      { what: 'Strimzi 0.50.1', from: '--strimzi-to', isInferred: false },
      { what: 'Strimzi 0.51.0', from: '--strimzi-from', isInferred: false },
    ]);
  });

  test('has the steps that come first, of balancers that are kept as well', () => {
    const { steps, changes } = folder.json('k8s', ...aws('2.8', '3.5'));
    expect(changes.map(({ outcome }) => outcome)).toEqual(['kept', 'kept', 'kept']);
    expect(steps.map(({ of }) => of)).toEqual(Array(4).fill(`${AWS} 2.8.0 -> 3.5.0`));
    expect(steps[0].balancers).toEqual(['edge/echo', BOOTSTRAP, BROKER]);
    expect(folder.diff(['k8s', ...aws('2.8', '3.5')]).out).toMatch(/\nBefore it:\n[\s\S]*DescribeRouteTables/);
  });

  test('an annotation that the older version does not read', () => {
    const { changes } = folder.json('k8s', ...aws('2.5', '2.6'));
    expect(changes[0]).toMatchObject({ title: 'edge/echo', outcome: 'interrupted' });
    expect(changes[0].causes[0]).toMatchObject({ from: `${AWS} 2.5.0`, to: `${AWS} 2.6.0` });
  });

  test('may be a pipe, which is read once, or several kinds of versions at a time', () => {
    const args = ['k8s', ...strimzi('1.1', '1.2'), ...aws('3.4.3', '3.5.0')];
    const found = folder.json(...args, '--kubernetes-from', '1.34', '--kubernetes-to', 'v1.36.2');
    expect(found.after.name).toBe(`k8s with Kubernetes 1.36, Strimzi 1.2.0 and ${AWS} 3.5.0`);
    expect(found.changes.find(({ title }) => title === BROKER)?.outcome).toBe('interrupted');
  });

  test('what cannot be read is told once, and fails: the upgrade may concern it', () => {
    const broken = new Folder({
      'k8s/x.yaml': 'kind: Service\nmetadata: {name: echo\n',
      'k8s/echo.yaml': service('e'),
    });
    const { unreadable, changes } = broken.json('k8s', ...aws('3.4.3', '3.5.0'));
    expect(unreadable).toHaveLength(1);
    expect(changes.map(({ outcome }) => outcome)).toEqual(['kept']);
    expect(broken.diff(['k8s', ...aws('3.4.3', '3.5.0')]).code).toBe(2);
  });

  test('a dump of a cluster: what a controller wrote on a Service is not what makes it', () => {
    const [cluster, pool] = kafka()
      .replaceAll('metadata: { ', "metadata: { uid: a, resourceVersion: '1', ")
      .split('---\n');
    const live = `apiVersion: v1
kind: Service
metadata:
  name: events-kafka-external-bootstrap
  namespace: kafka
  uid: c
  resourceVersion: '1'
  finalizers: [service.k8s.aws/resources]
spec:
  type: LoadBalancer
  loadBalancerClass: service.k8s.aws/nlb
  ports: [{ name: tcp-external, port: 9094, targetPort: 9094, nodePort: 30001 }]
`;
    const dump = new Folder({ 'load-balancers.yaml': CONTEXT, 'live.yaml': [cluster, pool, live].join('---\n') });
    const { changes } = dump.json('live.yaml', ...strimzi('0.51', '0.50'));
    const lost = changes.find(({ title }) => title === BOOTSTRAP);
    expect(lost?.causes.filter(({ field }) => field === 'strimzi')[0].outcome).toBe('orphaned');
  });

  test('a Kafka of which the brokers are not known is unknown for them, and not kept', () => {
    const alone = new Folder({ 'load-balancers.yaml': CONTEXT, 'k8s/kafka.yaml': kafka().split('---')[0] });
    const { changes } = alone.json('k8s', ...strimzi('0.51', '0.50'));
    expect(changes).toMatchObject([
      { title: BOOTSTRAP, outcome: 'orphaned' },
      { title: 'Kafka kafka/events', outcome: 'unknown' },
    ]);
    expect(changes[1].causes[0].why).toContain('strimzi 0.51.0 -> 0.50.1: ');
    expect(alone.json('k8s', ...aws('2.8', '3.5')).changes).toMatchObject([{ title: BOOTSTRAP, outcome: 'kept' }]);
  });

  test('without a context file, the controller that is named runs', () => {
    const bare = new Folder({ 'k8s/echo.yaml': service('echo') });
    const { steps, changes } = bare.json('k8s', ...aws('2.12.0', '2.13.0'));
    expect(changes[0].after?.owner).toBe(AWS);
    expect(steps.map(({ step }) => step)).toEqual(['allow the role of the controller ec2:DescribeRouteTables']);
  });
});

test('two paths and versions of both: the change and the upgrade', () => {
  const { changes } = folder.json('old', 'k8s', ...strimzi('0.51', '1.0'));
  const lost = changes.filter(({ title }) => title.startsWith('kafka'));
  // the new files are in the API that the new release serves
  expect(lost.map(({ outcome }) => outcome)).toEqual(['refused', 'refused']);
});

describe('gates and minimums', () => {
  const operator = (gates: string) => `apiVersion: apps/v1
kind: Deployment
metadata: { name: strimzi-cluster-operator, namespace: kafka }
spec:
  template:
    spec:
      containers:
        - name: operator
          image: quay.io/strimzi/operator:1.1.0
          env: [{ name: STRIMZI_FEATURE_GATES, value: '${gates}' }]
`;
  const outcomesWith = (gates: string, ...args: string[]) =>
    new Folder({ 'k8s/kafka.yaml': kafka(), 'k8s/operator.yaml': operator(gates) }).json(
      'k8s',
      ...strimzi('1.1', '1.2'),
      ...args,
    );

  test('an operator that is configured with a gate that is gone does not start', () => {
    const { changes, steps } = outcomesWith('+ServerSideApplyPhase1');
    expect(changes[0].outcome).toBe('refused');
    expect(steps.map(({ step }) => step)).toEqual([
      'remove ServerSideApplyPhase1 from STRIMZI_FEATURE_GATES of the operator',
    ]);
    expect(outcomesWith('+Other').changes[0].outcome).toBe('interrupted');
    expect(outcomesWith('+Other').steps).toEqual([]);
  });

  test('a release that does not support the Kubernetes that runs is unknown', () => {
    const on = (version: string) =>
      folder.json('k8s', ...strimzi('0.50', '0.51'), '--kubernetes-from', version, '--kubernetes-to', version);
    expect(on('1.29').steps.map(({ step }) => step)).toEqual(['upgrade Kubernetes to 1.30 or newer']);
    expect(on('1.29').changes[0].causes.map(({ outcome }) => outcome)).toContain('unknown');
    expect(on('1.30').steps).toEqual([]);
  });

  test('kinds of the Gateway API that a version is built for', () => {
    const gateway = `apiVersion: gateway.networking.k8s.io/v1
kind: GatewayClass
metadata: { name: nlb }
spec: { controllerName: gateway.k8s.aws/nlb }
`;
    const gateways = new Folder({ 'k8s/echo.yaml': service('echo'), 'k8s/class.yaml': gateway });
    expect(gateways.json('k8s', ...aws('3.4.3', '3.5.0')).steps.map(({ step }) => step)).toEqual([
      'install the kinds of Gateway API 1.6.0 or newer, where it serves Gateways',
    ]);
  });
});

test('Strimzi older than all that is known is worded', () => {
  const { context, changes } = folder.json('k8s', ...strimzi('0.40', '0.51'));
  expect(context.map(({ what }) => what)).toContain('Strimzi 0.40, older than the versions that are known here');
  expect(changes[0].causes.find(({ outcome }) => outcome === 'unknown')).toMatchObject({
    from: '0.40',
    needs: ['what strimzi changed between 0.40 and 0.45.0, by its release notes'],
  });
});

describe('usage', () => {
  test.each<[string[], string]>([
    ...revived(table('cli/diff/versions.yaml', 'bad usage of a version'), { strimzi }),
    [
      [...aws('2.8', '3.5'), '--controller-from', `${AWS}@2.9`],
      `--controller-from ${AWS}@2.9: ${AWS} is named twice; name it once`,
    ],
  ])('%j', (args, message) => {
    const { out, error, code } = folder.diff(['k8s', ...args]);
    expect([out, code]).toEqual(['', 2]);
    expect(error).toContain(message);
  });
});

describe('how the manifests are applied', () => {
  // who wrote the live finalizer is not to be seen in this dump
  const live = service('echo').replace('metadata:\n', "metadata:\n  uid: '1'\n  resourceVersion: '2'\n");
  const written = service('echo').replace('  finalizers: [service.k8s.aws/resources]\n', '');
  const both = new Folder({ 'load-balancers.yaml': CONTEXT, 'live.yaml': live, 'k8s/echo.yaml': written });

  test.each([
    ['server-apply', 'unknown'],
    ['replace', 'orphaned'],
  ])('by %s it is %s', (writer, outcome) => {
    expect(both.outcomes('live.yaml', 'k8s', '--writer', writer)).toEqual({ 'edge/echo': outcome });
  });
});

test('a trace is the command that prints it', () => {
  const without = new Folder({
    'load-balancers.yaml': CONTEXT,
    'old/echo.yaml': service('echo'),
    'new/echo.yaml': service('echo').replace('  finalizers: [service.k8s.aws/resources]\n', ''),
  });
  const { out } = without.diff(['old', 'new', '--prune']);
  const [, name] = /^ {4}trace {4}npx cdk8s-load-balancers explain (\S+)$/m.exec(out) ?? [];
  expect(run('explain', name)).toMatchObject({ code: 0, error: '' });
  const traces = without.json('old', 'new').changes.flatMap(({ causes }) => causes.flatMap(({ trace }) => trace ?? []));
  expect(traces).toContain(name);
  expect(without.diff(['old', 'new', '--format', 'markdown']).out).toContain(`explain ${name}`);
});

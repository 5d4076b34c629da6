import { wordOf } from '../../src/contract/edit';
import type { Json } from '../../src/contract/json';
import { type BalancerOfObject, isConcerned } from '../../src/contract/object-edits';
import { balancerOfService, type KafkaSide, kafkaEdits } from '../../src/kafka/edits/kafka-edits';
import { kinds } from '../support/subjects';
import { table } from '../support/yaml-cases';

const AWS = kinds.find(({ name }) => name === 'aws-load-balancer-controller');
const METALLB = kinds.find(({ name }) => name === 'metallb');
const SCHEME = 'service.beta.kubernetes.io/aws-load-balancer-scheme';

const BROKERS = [{ broker: 0, advertisedHost: 'b0.example.com' }, { broker: 1 }];

function listener(more: Json = {}, configuration: Json = {}): Json {
  return {
    name: 'public',
    port: 9095,
    type: 'loadbalancer',
    tls: true,
    authentication: { type: 'tls' },
    configuration: { class: 'service.k8s.aws/nlb', brokers: BROKERS, ...configuration },
    ...more,
  };
}

const INTERNAL = { name: 'plain', port: 9092, type: 'internal', tls: false };

function kafka(listeners: readonly Json[] = [INTERNAL, listener()], more: Json = {}): Json {
  return {
    apiVersion: 'kafka.strimzi.io/v1',
    kind: 'Kafka',
    metadata: { name: 'events', namespace: 'kafka' },
    spec: { kafka: { listeners, ...more }, entityOperator: {} },
  };
}

function pool(spec: Json = {}, annotations: Json = { 'strimzi.io/next-node-ids': '[0-9]' }, name = 'brokers'): Json {
  return {
    apiVersion: 'kafka.strimzi.io/v1',
    kind: 'KafkaNodePool',
    metadata: { name, namespace: 'kafka', labels: { 'strimzi.io/cluster': 'events' }, annotations },
    spec: { replicas: 3, roles: ['broker'], storage: { type: 'ephemeral' }, ...spec },
  };
}

const side = (of: Json, ...pools: Json[]): KafkaSide => ({ kafka: of, pools: pools.length > 0 ? pools : [pool()] });

/** Each edit in one line: its row, what it does, and whose balancers. */
function edits(before: KafkaSide, after: KafkaSide, owner = AWS): string[] {
  return kafkaEdits(before, after, owner).map(({ field: { row }, edit, concerns }) => {
    const { listener: of = 'all', bootstrap, nodes, pool: group } = concerns;
    const who = [of, bootstrap, group, nodes?.join('+')].filter((one) => one !== undefined).join(' ');
    return `${row?.replace('spec.kafka.listeners[name|port]', 'L')}: ${wordOf(edit)} (${who})`;
  });
}

const ofListener = (was: Json, is: Json, owner = AWS) =>
  edits(side(kafka([INTERNAL, was])), side(kafka([INTERNAL, is])), owner);

test('nothing changes where nothing does', () => {
  expect(edits(side(kafka()), side(kafka()))).toEqual([]);
  expect(ofListener(listener({}, { class: undefined }), listener({}, { class: null }))).toEqual([]);
});

test.each<[string, Json, Json, readonly string[]]>(table('kafka/kafka-edits.yaml', 'an edit of'))(
  'an edit of %s',
  (_, was, is, expected) => {
    expect(ofListener(was, is)).toEqual(expected);
  },
);

test('what an annotation does depends on the controller', () => {
  const is = listener({}, { brokers: [{ ...BROKERS[0], annotations: { [SCHEME]: 'internal' } }, BROKERS[1]] });
  expect(ofListener(listener(), is, METALLB)).toEqual([
    'L.configuration.brokers[broker].annotations{}: ignored (public not 0)',
  ]);
  const [{ edit }] = kafkaEdits(side(kafka([listener()])), side(kafka([is])));
  expect(edit.outcome).toBe('unknown');
});

test('a listener comes, goes, or moves', () => {
  const other = listener({ name: 'more', port: 9099 });
  expect(edits(side(kafka()), side(kafka([INTERNAL, listener(), other])))).toEqual([
    'L: kept (more)',
    'L: interrupted (all)',
  ]);
  expect(edits(side(kafka()), side(kafka([INTERNAL])))).toEqual(['L: deleted (public)', 'L: interrupted (all)']);
  expect(edits(side(kafka()), side(kafka([listener()])))).toEqual(['L: interrupted (all)']);
  expect(edits(side(kafka()), side(kafka([listener(), INTERNAL])))).toEqual([
    'spec.kafka.listeners[]: interrupted (all)',
  ]);
});

test.each<[string, Json, string]>([
  ['an image', { image: 'mine' }, 'spec.kafka.*: interrupted (all)'],
  ['a template of pods', { template: { pod: { metadata: {} } } }, 'spec.kafka.template.*: interrupted (all)'],
  [
    'an annotation for all brokers',
    { template: { perPodService: { metadata: { annotations: { [SCHEME]: 'internal' } } } } },
    'spec.kafka.template.perPodService.metadata.annotations{}: replaced (all not)',
  ],
])('an edit of the cluster: %s', (_, more, expected) => {
  expect(edits(side(kafka()), side(kafka([INTERNAL, listener()], more)))).toEqual([expected]);
});

test('another name, or none at all', () => {
  const named = { ...kafka(), metadata: { name: 'others', namespace: 'kafka' } };
  expect(edits(side(kafka()), side(named))).toEqual(['metadata.name: replaced (all)']);
  expect(edits(side(kafka()), { pools: [pool()] })).toEqual([': deleted (all only)', ': kept (all not)']);
  expect(edits({ pools: [pool()] }, side(kafka()))).toEqual([': kept (all only)', ': kept (all not)']);
});

test.each<[string, Json | undefined, Json | undefined, readonly string[]]>(table('kafka/kafka-edits.yaml', 'others'))(
  '%s',
  (_, was, is, expected) => {
    const rest = pool({ roles: ['controller'] }, {}, 'controllers');
    const [before, after] = [was, is].map((one) => side(kafka(), ...(one ? [one] : []), rest));
    expect(edits(before, after)).toEqual(expected);
  },
);

test('a renamed pool loses its balancers', () => {
  expect(edits(side(kafka()), side(kafka(), pool({}, {}, 'others')))).toEqual([
    ': deleted (all not brokers)',
    ': kept (all not others)',
  ]);
});

test('a Service shows which balancer it has', () => {
  const service = (selector: Json) => ({ spec: { selector, ports: [{ name: 'tcp-public' }] } });
  const node = balancerOfService(
    service({ 'strimzi.io/pool-name': 'brokers', 'strimzi.io/pod-name': 'events-brokers-12' }),
  );
  expect(node).toEqual({ listener: 'public', pool: 'brokers', node: 12 });
  expect(balancerOfService(service({ 'strimzi.io/broker-role': 'true' }))).toEqual({ listener: 'public' });
});

test('an edit concerns some balancers', () => {
  const node = (id: number, pool = 'brokers'): BalancerOfObject => ({ listener: 'public', pool, node: id });
  const bootstrap = { listener: 'public' };
  const concerned = (of: Parameters<typeof isConcerned>[0]) =>
    [bootstrap, node(0), node(1), node(2, 'others')].map((one) => isConcerned(of, one));
  expect(concerned({})).toEqual([true, true, true, true]);
  expect(concerned({ listener: 'plain' })).toEqual([false, false, false, false]);
  expect(concerned({ bootstrap: 'only' })).toEqual([true, false, false, false]);
  expect(concerned({ bootstrap: 'not', nodes: [1] })).toEqual([false, false, true, false]);
  expect(concerned({ bootstrap: 'not', pool: 'brokers' })).toEqual([false, true, true, false]);
});

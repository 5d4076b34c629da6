import { ApiObject, type Chart } from 'cdk8s';
import { KafkaCluster, KafkaLoadBalancedListener, LoadBalancerScheme, LoadBalancers, StrimziVersion } from '../../src';
import { wordOf } from '../../src/contract/edit';
import type { Json } from '../../src/contract/json';
import { type BalancerOfObject, isConcerned } from '../../src/contract/object-edits';
import { fieldsWithin, misfitsIn, SchemaFault, type SchemaFields, Shape } from '../../src/contract/schema/walk';
import { balancerOfService, type KafkaSide, kafkaEdits } from '../../src/kafka/edits/kafka-edits';
import { servicesOf } from '../../src/kafka/operator/operator-services';
import { releaseReading } from '../../src/kafka/strimzi/releases';
import { errorsOf } from '../support/apps';
import { kinds } from '../support/subjects';
import { casesIn, table } from '../support/yaml-cases';
import { clusterWith, kafkaWith, listen, manifests, nlb, nodePool, present } from './clusters';

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
  (_, was, is, expected) => expect(ofListener(was, is)).toEqual(expected),
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

test.each<[string, Json, string]>(table('kafka/kafka-edits.yaml', 'an edit of the cluster'))(
  'an edit of the cluster: %s',
  (_, more, expected) => {
    expect(edits(side(kafka()), side(kafka([INTERNAL, listener()], more)))).toEqual([expected]);
  },
);

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

const { SHAPE, VALUE, MISSING, UNKNOWN, TOO_NEW, REMOVED } = SchemaFault;
const { V0_45, V1_2 } = StrimziVersion;

const FIELDS = fieldsWithin({
  name: { shape: Shape.TEXT, required: true },
  type: { shape: Shape.TEXT, values: ['a', 'b', 'old'], valuesSince: { b: '1.0.0' }, oldApiValues: ['old'] },
  count: { shape: Shape.INTEGER, atLeast: 1, atMost: 3 },
  ratio: { shape: Shape.NUMBER, atLeast: 0, takes: 'a share' },
  size: { shape: Shape.TEXT, pattern: /^\d+$/, takes: 'digits' },
  labels: { shape: Shape.TEXT_MAP },
  lost: { shape: Shape.FREE, oldApi: true },
  list: { shape: Shape.MAPS, since: '1.0.0' },
  'list.id': { shape: Shape.INTEGER, required: true },
  'list.roles': { shape: Shape.TEXTS, values: ['x', 'y'] },
  any: { shape: Shape.ANYTHING },
  title: { shape: Shape.TEXT, atMost: 3 },
  tags: { shape: Shape.TEXTS, atLeast: 1, atMost: 2, entriesAtMost: 3 },
  ids: { shape: Shape.TEXTS, pattern: /^id-/ },
  numbers: { shape: Shape.INTEGERS },
  port: { shape: Shape.INTEGER_OR_TEXT },
  subnets: { shape: Shape.TEXTS_MAP },
  limits: { shape: Shape.QUANTITIES },
  single: { shape: Shape.SCALARS },
});

function misfits(map: unknown, strimzi: StrimziVersion, apiVersion: string, where = 'spec') {
  const release = releaseReading({ apiVersion }, strimzi);
  return misfitsIn({ map, fields: FIELDS, where, at: '/spec', release }).map((misfit) => [
    misfit.fault,
    misfit.where,
    misfit.path,
    misfit.value,
    misfit.takes ?? misfit.since,
  ]);
}

const OLD = 'kafka.strimzi.io/v1beta2';
const NEW = 'kafka.strimzi.io/v1';

test('fields by path are fields within fields', () => {
  const list: SchemaFields = {
    id: { shape: Shape.INTEGER, required: true },
    roles: { shape: Shape.TEXTS, values: ['x', 'y'] },
  };
  expect(FIELDS.list).toEqual({ shape: Shape.MAPS, since: '1.0.0', fields: list });
  expect(Object.keys(FIELDS)).not.toContain('list.id');
});

test.each<[unknown, unknown[]]>(
  table('kafka/kafka-edits.yaml', 'in one thing does not fit', { MISSING, SHAPE, UNKNOWN, VALUE, REMOVED }),
)('in %j one thing does not fit', (map, misfit) => expect(misfits(map, V1_2, NEW)).toEqual([misfit]));

test.each<[unknown, unknown[]]>([
  [{ name: 'n', type: 'b' }, [TOO_NEW, 'type', 'type', "'b'", '1.0.0']],
  [{ name: 'n', type: 'c' }, [VALUE, 'type', 'type', "'c'", 'a, old']],
])('in %j for an old operator one thing does not fit', (map, misfit) => {
  expect(misfits(map, V0_45, OLD, '')).toEqual([misfit]);
});

test('what an old resource had and what nobody looks into fits', () => {
  const map = { name: 'n', type: 'old', lost: { a: [1] }, any: [1], labels: { a: null }, count: 3, ratio: 0 };
  expect(misfits(map, V0_45, OLD)).toEqual([]);
});

test('what may have other fields is not searched for them', () => {
  const release = releaseReading({ apiVersion: NEW }, V1_2);
  const map = { name: 'n', other: 1, list: [{ id: 1, other: 1 }], limits: { cpu: 1, memory: '1Gi' }, port: 'https' };
  expect(misfitsIn({ map, fields: FIELDS, where: '', at: '', release, open: true })).toEqual([]);
});

test('an unknown field is reported with those beside it', () => {
  const found = misfitsIn({
    map: { name: 'n', list: [{ id: 1, x: 1 }] },
    fields: FIELDS,
    where: '',
    at: '',
    release: releaseReading({ apiVersion: NEW }, V1_2),
  });
  expect(found.map(({ name, siblings }) => [name, siblings])).toEqual([['x', ['id', 'roles']]]);
});

test.each<[unknown, string]>(casesIn(__dirname, 'kafka-edits.yaml')['what does not fit in is found by a JSON pointer'])(
  'what does not fit in %j is found by a JSON pointer',
  (map, at) => {
    const release = releaseReading({ apiVersion: NEW }, V1_2);
    expect(misfitsIn({ map, fields: FIELDS, where: 'spec', at: '/spec', release }).map((one) => one.at)).toEqual([at]);
  },
);

test('what only a deployment knows fits every field that it is in', () => {
  const token = '$' + '{Token[TOKEN.12]}';
  const map = { name: { [token]: 'x' }, list: [{ id: -1.8881545897087503e289, roles: [token] }] };
  const release = releaseReading({ apiVersion: NEW }, V1_2);
  expect(misfitsIn({ map, fields: FIELDS, where: 'spec', at: '/spec', release })).toEqual([]);
  expect(misfitsIn({ map: { name: { x: 'x' } }, fields: FIELDS, where: 'spec', at: '/spec', release })).toHaveLength(1);
});

describe('operator services', () => {
  const { V1_0, V1_2 } = StrimziVersion;

  function services(configuration: Json, more: Json = {}, pool: Json = {}, strimzi = V1_2): Record<string, Json> {
    const { cluster } = clusterWith([present(configuration)], strimzi, more, pool);
    const kafka = cluster.kafka.toJson() as Json;
    const made = servicesOf(cluster, kafka, kafka.spec.kafka.listeners[1]).services;
    return Object.fromEntries(made.map((service) => [service.metadata.name, service]));
  }

  const BOOTSTRAP = 'events-kafka-external-bootstrap';
  const template = (annotations: Json) => ({ template: { perPodService: { metadata: { annotations } } } });

  test('a Service inherits the labels of its owner, but for those of other tools', () => {
    const labels = (whose: string) => ({
      whose,
      'app.kubernetes.io/name': whose,
      'app.kubernetes.io/part-of': whose,
      'kustomize.toolkit.fluxcd.io/name': whose,
    });
    const made = services(
      {},
      { metadata: { labels: labels('kafka') } },
      { metadata: { labels: { 'strimzi.io/cluster': 'events', ...labels('pool') } } },
    );
    const inherited = (whose: string) => ({
      whose,
      'app.kubernetes.io/part-of': whose,
      'strimzi.io/cluster': 'events',
    });
    expect(made[BOOTSTRAP].metadata.labels).toEqual(inherited('kafka'));
    expect(made['events-brokers-0'].metadata.labels).toEqual(inherited('pool'));
  });

  test('templates have no labels and no annotations of applications', () => {
    const metadata = {
      labels: { 'app.kubernetes.io/part-of': 'a', team: 'a' },
      annotations: { 'app.kubernetes.io/part-of': 'a', 'example.com/a': 'a' },
    };
    const made = services({}, { kafka: { template: { externalBootstrapService: { metadata } } } });
    expect(made[BOOTSTRAP].metadata.labels).toEqual({ team: 'a', 'strimzi.io/cluster': 'events' });
    expect(made[BOOTSTRAP].metadata.annotations).toEqual({ 'example.com/a': 'a' });
  });

  const A = 'example.com/a';
  const AWS_SCHEME = 'service.beta.kubernetes.io/aws-load-balancer-scheme';
  const OF_EVENTS = { 'strimzi.io/cluster': 'events' };
  const IP_ADDRESS_TYPE = 'service.beta.kubernetes.io/aws-load-balancer-ip-address-type';

  /** The listener says `listener`, the Kafka resource and the pool say what they are. */
  const beaten = (pool: Json, configuration: Json) =>
    beatenIn(
      listen(
        {},
        V1_2,
        [present({ class: 'service.k8s.aws/nlb', ...configuration })],
        { kafka: template({ [A]: 'kafka' }) },
        { spec: pool },
      ).chart,
    );

  function beatenIn(chart: Chart): string[] {
    const findings = LoadBalancers.of(chart).warnings.map(({ finding }) => finding);
    return findings.filter(({ ruleId }) => ruleId === 'listener-overridden-by-template').map(({ what }) => what);
  }

  const ALL = { perBrokerAnnotationsTemplate: { [A]: 'listener' } };
  const ONE = { brokers: [{ broker: 1, annotations: { [A]: 'listener' } }] };

  test.each<[string, Json, Json, string[]]>([
    ['the Kafka resource wins', {}, ALL, ["annotations of all brokers set example.com/a: 'listener', and spec.kafka"]],
    ['the Kafka resource wins, for one broker', {}, ONE, ['annotations of broker 1 set example.com/a']],
    ['a pool that says the same is in its place', template({ [A]: 'listener' }), ALL, []],
    ['a pool wins', template({ [A]: 'pool' }), ONE, ["perPodService of KafkaNodePool brokers has 'pool' for all"]],
  ])('whose template beats a listener: %s', (_, pool, configuration, expected) => {
    expect(beaten(pool, configuration)).toEqual(expected.map((text) => expect.stringContaining(text)));
  });

  test.each([
    ['bootstrap', { externalBootstrapService: { metadata: { annotations: { [AWS_SCHEME]: 'internet-facing' } } } }],
  ])('a template that says otherwise than the plan is an error: for %s', (_, all) => {
    const { chart } = listen({ scheme: LoadBalancerScheme.INTERNAL }, V1_2, [], { kafka: { template: all } });
    expect(errorsOf(chart)).toEqual([
      expect.stringMatching(
        /the plan sets annotation .*-scheme 'internal', .* overrides it with 'internet-facing' for all listeners.*-plan-conflict/,
      ),
    ]);
  });

  /** What is said of a listener on pool `one` with a template of its own, and pool `two` without. */
  function beatenInOneOfTwo(configuration: Json): string[] {
    const ids = (text: string) => ({
      metadata: { annotations: { 'strimzi.io/next-node-ids': text }, labels: OF_EVENTS },
    });
    const { chart, construct } = manifests(
      kafkaWith([present({ class: 'service.k8s.aws/nlb', ...configuration })], V1_2, {
        kafka: template({ [A]: 'kafka' }),
      }),
      nodePool('one', V1_2, { metadata: { name: 'one', ...ids('[0-2]').metadata }, spec: template({}) }),
      nodePool('two', V1_2, { metadata: { name: 'two', ...ids('[10-12]').metadata } }),
    );
    const kafka = KafkaCluster.fromManifest(construct, { strimzi: V1_2 });
    const scheme = LoadBalancerScheme.INTERNAL;
    new KafkaLoadBalancedListener(chart, 'External', { kafka, name: 'external', controller: nlb(), scheme });
    return beatenIn(chart);
  }

  test.each<[string, Json, string[]]>([['a broker of the first', ONE, []]])(
    'the template of the Kafka resource is read for the pools that have none: %s',
    (_, configuration, expected) => {
      expect(beatenInOneOfTwo(configuration)).toEqual(expected.map((text) => expect.stringContaining(text)));
    },
  );

  test('node pools of the same name in another namespace are of another cluster', () => {
    const { construct } = manifests(kafkaWith([present()], V1_0));
    const other = nodePool('others', V1_0, { spec: { replicas: 5 } });
    new ApiObject(construct, 'Other', { ...other, metadata: { ...other.metadata, namespace: 'elsewhere' } } as never);
    new ApiObject(construct, 'Own', nodePool('brokers', V1_0) as never);
    const kafka = KafkaCluster.fromManifest(construct, { strimzi: V1_0 });
    expect(kafka.brokerIds.map((id) => kafka.nodePoolOf(id))).toEqual(['brokers', 'brokers', 'brokers']);
  });

  test('of Services that differ in their names alone one is checked', () => {
    const wrong = { annotations: { [IP_ADDRESS_TYPE]: 'ipv5' } };
    const brokers = [2, 1, 0].map((broker) => ({ broker, ...wrong }));
    const listener = present({ class: 'service.k8s.aws/nlb', brokers });
    const { INTERNAL: scheme } = LoadBalancerScheme;
    const errors = errorsOf(listen({ scheme }, V1_2, [listener]).chart);
    expect(errors.filter((error) => error.includes('ipv5'))).toEqual([
      expect.stringContaining('Service events-brokers-0: no load balancer is made: annotation service.beta'),
    ]);
  });

  test.each<[string, Json]>([
    ['a node port', { nodePort: 32001 }],
    ['an address of its own', { loadBalancerIP: '10.0.0.9' }],
  ])('a Service is checked by itself where it has %s', (_, own) => {
    const wrong = { annotations: { [IP_ADDRESS_TYPE]: 'ipv5' } };
    const brokers = [0, 1, 2].map((broker) => ({ broker, ...wrong, ...(broker === 1 ? own : {}) }));
    const { INTERNAL: scheme } = LoadBalancerScheme;
    const errors = errorsOf(listen({ scheme }, V1_2, [present({ class: 'service.k8s.aws/nlb', brokers })]).chart);
    expect(errors.filter((error) => error.includes('ipv5'))).toEqual([
      expect.stringContaining('Service events-brokers-0: no load balancer is made: annotation'),
      expect.stringContaining('Service events-brokers-1: no load balancer is made: annotation'),
    ]);
  });
});

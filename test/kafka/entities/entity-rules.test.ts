import { StrimziVersion } from '../../../src';
import type { Json } from '../../../src/contract/json';
import { judgeTopic, judgeUser } from '../../../src/kafka/entities/entity-judgement';
import { KAFKA_TOPIC_RULES } from '../../../src/kafka/entities/topic-rules';
import { KAFKA_USER_RULES } from '../../../src/kafka/entities/user-rules';
import { ACL_MISTAKES } from './acl-mistakes';
import { asking, cluster, topic, user, userWith } from './entities';
import { ENTITY_MISTAKES } from './entity-mistakes';
import { TOPIC_MISTAKES } from './topic-mistakes';
import { USER_MISTAKES } from './user-mistakes';

const { V0_45, V0_51 } = StrimziVersion;
const ofTopic = asking(judgeTopic);
const ofUser = asking(judgeUser);
const MISTAKES = [...ENTITY_MISTAKES, ...TOPIC_MISTAKES, ...USER_MISTAKES, ...ACL_MISTAKES];

test.each(MISTAKES)('of %j is said %j', (...[entity, sentences, known]) => {
  expect((entity.kind === 'KafkaTopic' ? ofTopic : ofUser)(entity, known)).toEqual(sentences);
});

test('every rule has said something above', () => {
  const sentences = MISTAKES.flatMap(([, all]) => all).join('\n');
  const ids = [...new Set([...KAFKA_TOPIC_RULES, ...KAFKA_USER_RULES].map(({ id }) => id))];
  expect(ids.filter((id) => !sentences.includes(`(${id})`))).toEqual([]);
});

test('no rule stands twice in a list', () => {
  for (const rules of [KAFKA_TOPIC_RULES, KAFKA_USER_RULES]) {
    expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length);
  }
});

const OLD = { apiVersion: 'kafka.strimzi.io/v1beta2' };
const UNMANAGED = { metadata: { namespace: 'shop', annotations: { 'strimzi.io/managed': 'false' } } };
const orders = { type: 'topic', name: 'orders' };

test.each<[string, Json]>([
  ['nothing said', {}],
  ['null for nothing', { topicName: null, partitions: null, replicas: null, config: null }],
  ['a list as option', { config: { 'cleanup.policy': ['compact', 'delete'], 'retention.ms': 1, preallocate: true } }],
  ['as many replicas as brokers', { replicas: 3, config: { 'min.insync.replicas': 3 } }],
  ['no number to compare', { replicas: 1, config: { 'min.insync.replicas': 'all' } }],
  ['the longest name', { topicName: 'A_.-'.padEnd(249, 'z') }],
])('of a topic with %s nothing is said', (_, spec) => {
  expect(ofTopic(topic(spec))).toEqual([]);
});

test('a topic is compared with nothing that is unknown', () => {
  expect(ofTopic(topic({ replicas: 9 }), { brokerIds: undefined, kafka: undefined })).toEqual([]);
  expect(ofTopic(topic({ config: { 'min.insync.replicas': 9 } }), { kafka: undefined })).toEqual([]);
});

test('what a topic inherits alone is the matter of the cluster', () => {
  const kafka = cluster({ kafka: { config: { 'min.insync.replicas': 2 } } });
  expect(ofTopic(topic(), { kafka })).toEqual([]);
});

test('nobody has to serve a topic that is not managed', () => {
  const spec = { replicas: 9, config: { 'min.insync.replicas': 10 } };
  expect(ofTopic(topic(spec, { metadata: { ...topic().metadata, ...UNMANAGED.metadata } }))).toEqual([]);
  expect(
    ofTopic(topic({}, { metadata: { ...topic().metadata, annotations: UNMANAGED.metadata.annotations } }), {
      kafka: cluster({ spec: { entityOperator: null } }),
    }),
  ).toEqual([]);
});

test.each<[string, Json]>([
  ['nothing said', {}],
  ['null for nothing', { authentication: null, authorization: null, quotas: null, template: null }],
  ['quotas and a password', { authentication: { type: 'scram-sha-512' }, quotas: { controllerMutationRate: 0.5 } }],
  [
    'quotas of nothing',
    { quotas: { producerByteRate: 0, consumerByteRate: 2_147_483_647, controllerMutationRate: 0 } },
  ],
  [
    'a password of somebody',
    { authentication: { type: 'scram-sha-512', password: { valueFrom: { secretKeyRef: { name: 'a', key: 'b' } } } } },
  ],
])('of a user with %s nothing is said', (_, spec) => {
  expect(ofUser(user(spec))).toEqual([]);
});

test.each<[string, Json[]]>([
  ['none', []],
  ['all operations of all topics', [{ resource: { type: 'topic', name: '*' }, operations: ['All'] }]],
  ['an address', [{ resource: orders, host: 'fd00::1', operations: ['Read'] }]],
  [
    'the same for another host, another pattern and the other way round',
    [
      { resource: orders, operations: ['Read'] },
      { resource: orders, operations: ['Read'], host: '10.0.0.1' },
      { resource: { ...orders, patternType: 'prefix' }, operations: ['Read'] },
      { type: 'deny', resource: orders, operations: ['Read'] },
    ],
  ],
  ['a cluster', [{ resource: { type: 'cluster' }, operations: ['IdempotentWrite', 'Create', 'ClusterAction'] }]],
])('of ACLs that say %s nothing is said', (_, acls) => {
  expect(ofUser(userWith(acls))).toEqual([]);
});

test('API versions before v1 take one operation, or several', () => {
  const known = { strimzi: V0_45 };
  expect(ofUser(userWith([{ resource: orders, operation: 'Read' }], OLD), known)).toEqual([]);
  expect(ofUser(userWith([{ resource: orders, operations: ['Read'] }], OLD), known)).toEqual([]);
  expect(ofUser(userWith([{ resource: orders, operation: 'Read', operations: ['Write'] }], OLD), known)).toEqual([
    'strimzi: spec.authorization.acls[0] has operation and operations; keep operations (user-acl)',
  ]);
  expect(ofUser(userWith([{ resource: orders, operation: 'read' }], OLD), { strimzi: V0_51 })).toHaveLength(1);
});

test('the name of a user is as long as it likes where nobody signs it', () => {
  const metadata = { ...user().metadata, name: 'a'.repeat(65) };
  expect(ofUser(user({ authentication: { type: 'tls-external' } }, { metadata }))).toEqual([]);
  expect(
    ofUser(user({ authentication: { type: 'tls' } }, { metadata: { ...metadata, name: 'a'.repeat(64) } })),
  ).toEqual([]);
});

const ODD = [undefined, null, 7, 'text', true, [], ['text', null], {}, { type: {} }, { spec: [] }];

/** Documents in which something odd stands in one place. */
function oddities(json: Json, places: string[]): Json[] {
  return places.flatMap((place) =>
    ODD.map((odd) => {
      const copy = structuredClone(json);
      const keys = place.split('.');
      const last = keys.pop() as string;
      keys.reduce((map, key) => map[key], copy)[last] = odd;
      return copy;
    }),
  );
}

const FULL_USER = user({
  authentication: { type: 'tls', validityDays: 2, renewalDays: 1 },
  authorization: { type: 'simple', acls: [{ resource: orders, operations: ['Read'] }] },
  quotas: { producerByteRate: 1 },
  template: { secret: { metadata: { labels: { a: 'b' } } } },
});
const KAFKA_PLACES = [
  'metadata',
  'spec',
  'spec.kafka',
  'spec.kafka.listeners',
  'spec.entityOperator',
  'spec.kafka.config',
];

test('whatever stands anywhere, the rules do not throw', () => {
  const strange = [
    ...oddities(topic({ config: {} }), ['metadata', 'metadata.labels', 'spec', 'spec.config', 'kind', 'apiVersion']),
    ...oddities(FULL_USER, [
      'metadata.annotations',
      'spec.authentication',
      'spec.authorization',
      'spec.authorization.acls',
      'spec.authorization.acls.0',
      'spec.authorization.acls.0.resource',
      'spec.authorization.acls.0.operations',
      'spec.quotas',
      'spec.template',
      'spec.template.secret.metadata.labels',
    ]),
  ];
  for (const json of strange) {
    expect(() => [ofTopic(json), ofUser(json)]).not.toThrow();
  }
  for (const kafka of oddities(cluster(), KAFKA_PLACES)) {
    expect(() => [ofTopic(topic({ replicas: 1 }), { kafka }), ofUser(FULL_USER, { kafka })]).not.toThrow();
  }
});

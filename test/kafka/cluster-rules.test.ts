import { StrimziVersion } from '../../src';
import type { Json } from '../../src/contract/json';
import { sentenceOf } from '../../src/contract/sentence';
import { AUTHORIZATION_RULES } from '../../src/kafka/document/authorization-rules';
import { CERTIFICATE_RULES } from '../../src/kafka/document/certificate-rules';
import { CONFIG_VALUE_RULES } from '../../src/kafka/document/config-value-rules';
import { CRUISE_CONTROL_RULES } from '../../src/kafka/document/cruise-control-rules';
import { DOCUMENT_RULES } from '../../src/kafka/document/document-rules';
import { ENTITY_OPERATOR_RULES } from '../../src/kafka/document/entity-operator-rules';
import { FIELD_RULES } from '../../src/kafka/document/field-rules';
import { MAINTENANCE_WINDOW_RULES } from '../../src/kafka/document/maintenance-window-rules';
import { METADATA_VERSION_RULES } from '../../src/kafka/document/metadata-version-rules';
import { quartzFault } from '../../src/kafka/document/quartz-cron';
import { RACK_AND_QUOTA_RULES } from '../../src/kafka/document/rack-and-quota-rules';
import { REPLICATION_RULES } from '../../src/kafka/document/replication-rules';
import { TYPED_FIELD_RULES } from '../../src/kafka/document/typed-field-rules';
import { UNSET_REPLICATION_RULES } from '../../src/kafka/document/unset-replication-rules';
import { judgeListeners } from '../../src/kafka/listener/judge-listeners';
import { judgementOf } from '../../src/rules/judgement-of';
import { CLUSTER_MISTAKES, spec } from './cluster-mistakes';
import { fileObjects } from './clusters';
import { kafka, PLAIN } from './document-mistakes';

const BROKERS: readonly number[] = [0, 1, 2];
const RULES = [
  ...FIELD_RULES,
  ...TYPED_FIELD_RULES,
  ...CONFIG_VALUE_RULES,
  ...REPLICATION_RULES,
  ...METADATA_VERSION_RULES,
  ...RACK_AND_QUOTA_RULES,
  ...AUTHORIZATION_RULES,
  ...ENTITY_OPERATOR_RULES,
  ...CRUISE_CONTROL_RULES,
  ...CERTIFICATE_RULES,
  ...MAINTENANCE_WINDOW_RULES,
];

/** All that these rules say of a document. */
function saidByThese(
  document: Json,
  strimzi = StrimziVersion.V1_2,
  brokerIds: readonly number[] | undefined = BROKERS,
) {
  const { errors, warnings } = judgementOf(RULES, 'strimzi', (rule) => rule.judge(document, { strimzi, brokerIds }));
  return [...errors, ...warnings].map(sentenceOf);
}

/** Errors come before warnings wherever they are told. */
function sorted(sentences: readonly string[]): string[] {
  return [...sentences].sort();
}

test.each(CLUSTER_MISTAKES)('of %j is said %j', (...[document, sentences, strimzi]) => {
  const { errors, warnings } = judgeListeners(document, {
    strimzi: strimzi ?? StrimziVersion.V1_2,
    brokerIds: BROKERS,
  });
  const ids = RULES.map(({ id }) => id);
  const own = [...errors, ...warnings].filter(({ ruleId }) => ids.includes(ruleId)).map(sentenceOf);
  expect(sorted(own)).toEqual(sorted(sentences));
});

test('every rule has said something above, or below where the number of brokers differs', () => {
  const sentences = CLUSTER_MISTAKES.flatMap(([, all]) => all).join('\n');
  const silent = RULES.map(({ id }) => id).filter((id) => !sentences.includes(`(${id})`));
  expect(silent).toEqual(['kafka-cruise-control-brokers']);
});

test('the rules are asked, each once', () => {
  const asked = DOCUMENT_RULES.map(({ id }) => id);
  expect(RULES.map(({ id }) => id).filter((id) => !asked.includes(id))).toEqual([]);
  expect(new Set(asked).size).toBe(asked.length);
});

test.each<[string, readonly number[] | undefined, string[]]>([
  [
    'one broker',
    [0],
    [
      'strimzi: spec.cruiseControl stands in a cluster of 1 brokers, and needs 2; remove it, or add brokers (kafka-cruise-control-brokers)',
    ],
  ],
  ['two brokers', [0, 1], []],
  ['nobody knows how many', undefined, []],
])('Cruise Control with %s', (_, brokerIds, sentences) => {
  const { errors } = judgementOf(CRUISE_CONTROL_RULES, 'strimzi', (rule) =>
    rule.judge(spec({ cruiseControl: {} }), { strimzi: StrimziVersion.V1_2, brokerIds }),
  );
  expect(errors.map(sentenceOf)).toEqual(sentences);
});

test.each<[string, Json, readonly number[] | undefined, string[]]>([
  [
    'neither is said',
    {},
    BROKERS,
    [
      'strimzi: spec.kafka.config does not say default.replication.factor and min.insync.replicas, which is 1 then: a topic that says nothing itself is lost with one of the 3 brokers; write default.replication.factor: 3 and min.insync.replicas: 2 (kafka-replication-unset)',
    ],
  ],
  [
    'one is said, of two brokers',
    {
      config: {
        'default.replication.factor': 2,
        'offsets.topic.replication.factor': 2,
        'transaction.state.log.replication.factor': 2,
      },
    },
    [4, 7],
    [
      'strimzi: spec.kafka.config does not say min.insync.replicas, which is 1 then: a topic that says nothing itself is lost with one of the 2 brokers; write default.replication.factor: 2 and min.insync.replicas: 1 (kafka-replication-unset)',
    ],
  ],
  ['both are said', { config: { 'default.replication.factor': 3, 'min.insync.replicas': 2 } }, BROKERS, []],
  [
    'there is one broker',
    {},
    [0],
    [
      'strimzi: spec.kafka.config does not say offsets.topic.replication.factor, which is 3 then, and there are fewer brokers: no group of consumers can commit where it is; write offsets.topic.replication.factor: 1 (kafka-offsets-unset)',
      'strimzi: spec.kafka.config does not say transaction.state.log.replication.factor, which is 3 then, and there are fewer brokers: no transaction can begin; write transaction.state.log.replication.factor: 1 (kafka-offsets-unset)',
    ],
  ],
  ['nobody knows the brokers', {}, undefined, []],
])('replication of topics: %s', (_, more, brokerIds, sentences) => {
  const { warnings } = judgementOf(UNSET_REPLICATION_RULES, 'strimzi', (rule) =>
    rule.judge(kafka(more), { strimzi: StrimziVersion.V1_2, brokerIds }),
  );
  expect(warnings.map(sentenceOf)).toEqual(sentences);
});

const FROM_CONFIG_MAP = { valueFrom: { configMapKeyRef: { name: 'a', key: 'b' } } };
const SCRAM = { name: 'plain', port: 9092, type: 'internal', tls: false, authentication: { type: 'scram-sha-512' } };
const MUTUAL = { name: 'tls', port: 9093, type: 'internal', tls: true, authentication: { type: 'tls' } };

/** Resources of which nothing is to be said. */
const RIGHT: [string, Json, StrimziVersion?][] = [
  ['nothing but what it must have', kafka()],
  ['nothing in its fields', spec({ entityOperator: null, cruiseControl: null, clusterCa: null })],
  ['what a newer operator may know', kafka({ novelty: true }), StrimziVersion.of('1.3')],
  ['a label of its rack', kafka({ rack: { topologyKey: 'topology.kubernetes.io/zone' } })],
  ['the type of its rack', kafka({ rack: { type: 'topology-label', topologyKey: 'zone' } })],
  ['a variable of its rack', kafka({ rack: { type: 'environment-variable', envVarName: 'ZONE' } })],
  ['quotas by size', kafka({ quotas: { type: 'strimzi', minAvailableBytesPerVolume: 1000 } })],
  ['quotas by part', kafka({ quotas: { type: 'strimzi', minAvailableRatioPerVolume: 0.1 } })],
  ['all of a volume', kafka({ quotas: { type: 'strimzi', minAvailableRatioPerVolume: 1 } })],
  ['quotas of Kafka with a fraction', kafka({ quotas: { type: 'kafka', controllerMutationRate: 0.5 } })],
  ['a callback and no quotas', kafka({ config: { 'client.quota.callback.class': 'a.B' } })],
  ['metrics by JMX', kafka({ metricsConfig: { type: 'jmxPrometheusExporter', ...FROM_CONFIG_MAP } })],
  ['metrics by the reporter', kafka({ metricsConfig: { type: 'strimziMetricsReporter' } })],
  ['logging elsewhere', kafka({ logging: { type: 'external', ...FROM_CONFIG_MAP } })],
  ['levels of loggers', kafka({ logging: { type: 'inline', loggers: { 'rootLogger.level': 'INFO' } } })],
  ['heaps', kafka({ jvmOptions: { '-Xms': '1024m', '-Xmx': '4G', '-XX': { UseG1GC: 'true' } } })],
  [
    'values of Kafka as numbers and as texts',
    kafka({
      config: {
        'num.partitions': '+12',
        'log.retention.ms': '9223372036854775807',
        'log.retention.bytes': -1,
        'log.cleanup.policy': 'compact, delete',
        'compression.type': 'zstd',
        'auto.create.topics.enable': 'false',
        'unclean.leader.election.enable': true,
        'log.cleaner.min.cleanable.ratio': '5e-1',
        'log.cleaner.io.max.bytes.per.second': '1.7976931348623157E308',
        'group.consumer.migration.policy': 'bidirectional',
        'log.segment.bytes': 1048576,
        'num.network.threads': null,
        'plugin.setting': 'anything',
        'plugin.settings': { any: ['thing'] },
        listeners: 7,
        'controller.quorum.voters': ['ignored'],
      },
    }),
  ],
  ['small segments of an older Kafka', kafka({ config: { 'log.segment.bytes': 1024 } }), StrimziVersion.V0_47],
  ['limits of a listener', kafka({ listeners: [{ ...PLAIN, configuration: { maxConnections: 1 } }] })],
  ['fewer in sync than replicas', kafka({ config: { 'default.replication.factor': 3, 'min.insync.replicas': 2 } })],
  ['one of one in sync', kafka({ config: { 'default.replication.factor': 1, 'min.insync.replicas': 1 } })],
  ['only one of both', kafka({ config: { 'min.insync.replicas': 3 } })],
  [
    'the protocol of brokers with ZooKeeper',
    kafka({ config: { 'inter.broker.protocol.version': '3.8' } }),
    StrimziVersion.V0_45,
  ],
  ['its metadata version', kafka({ version: '4.2.1', metadataVersion: '4.2-IV1' })],
  ['the metadata version of the default', kafka({ metadataVersion: '4.3' })],
  ['the metadata version of what nobody knows', kafka({ metadataVersion: '5.0' }), StrimziVersion.of('1.3')],
  ['authorization with SCRAM', kafka({ listeners: [SCRAM], authorization: { type: 'simple', superUsers: ['a'] } })],
  ['authorization with TLS', kafka({ listeners: [MUTUAL], authorization: { type: 'simple', superUsers: ['CN=a'] } })],
  [
    'authorization with both',
    kafka({ listeners: [SCRAM, MUTUAL], authorization: { type: 'simple', superUsers: ['a', 'CN=a', 'ANONYMOUS'] } }),
  ],
  ['names of both kinds', kafka({ listeners: [SCRAM], authorization: { type: 'simple', superUsers: ['a', 'CN=a'] } })],
  ['a nameless super user', kafka({ authorization: { type: 'simple', superUsers: ['ANONYMOUS'] } })],
  [
    'access without a list',
    kafka({ authorization: { type: 'simple' }, config: { 'allow.everyone.if.no.acl.found': true } }),
  ],
  ['an authorizer', kafka({ authorization: { type: 'custom', authorizerClass: 'a.B', superUsers: ['a'] } })],
  [
    'another namespace before it was guarded',
    spec(
      { entityOperator: { topicOperator: { watchedNamespace: 'topics' } } },
      { metadata: { name: 'events', namespace: 'kafka' } },
    ),
    StrimziVersion.of('1.0.0'),
  ],
  [
    'a namespace, and nobody knows its own',
    spec({ entityOperator: { topicOperator: { watchedNamespace: 'topics' } } }),
  ],
  ['one operator of topics', spec({ entityOperator: { topicOperator: {} } })],
  [
    'Cruise Control',
    spec({
      cruiseControl: {
        config: { 'ssl.protocol': 'TLS', goals: 'a' },
        brokerCapacity: { cpu: '1.5', inboundNetwork: '10000KiB/s', overrides: [{ brokers: [2], cpu: '500m' }] },
        autoRebalance: [{ mode: 'add-brokers' }, { mode: 'remove-brokers', template: { name: 'a' } }],
        apiUsers: { type: 'hashLoginService', valueFrom: { secretKeyRef: { name: 'a', key: 'b' } } },
      },
    }),
  ],
  [
    'the topic of Cruise Control',
    kafka(
      {
        config: {
          'cruise.control.metrics.topic.replication.factor': '3',
          'cruise.control.metrics.topic.min.insync.replicas': 2,
        },
      },
      { spec: { cruiseControl: {} } },
    ),
  ],
  ['a topic of nobody', kafka({ config: { 'cruise.control.metrics.topic.replication.factor': 9 } })],
  ['CAs with days', spec({ clusterCa: { validityDays: 90, renewalDays: 30 }, clientsCa: {} })],
  ['windows', spec({ maintenanceTimeWindows: ['* * 2-4 ? * SUN,SAT', '* 0-30 3 L * ? 2026-2030'] })],
];

test.each(RIGHT)('nothing is said of a resource with %s', (...[, document, strimzi]) => {
  expect(saidByThese(document, strimzi)).toEqual([]);
});

test.each<[string, StrimziVersion]>([
  ['every-type-of-listener.yaml', StrimziVersion.V1_2],
  ['zookeeper-and-oauth.yaml', StrimziVersion.V0_45],
  ['first-story.yaml', StrimziVersion.V0_49],
])('nothing is said of %s', (name, strimzi) => {
  const documents = fileObjects(name).filter(({ kind }) => kind === 'Kafka');
  expect(documents.length).toBeGreaterThan(0);
  expect(documents.flatMap((document) => saidByThese(document, strimzi))).toEqual([]);
});

test.each([
  '* * 2-4 ? * SUN',
  '0 0/30 * * * ?',
  '* */5 22-2 ? JAN-MAR MON-FRI',
  '* * * L * ?',
  '* * * L-3 * ?',
  '* * * LW * ?',
  '* * * 15W 1,6 ?',
  '* * * ? * 6L',
  '* * * ? * FRI#2',
  '* * 1 ? * L 2027',
  ' *  * 1 ? * sun ',
  '/10 * * 1 * ?',
])('%j is a cron expression of Quartz', (expression) => {
  expect(quartzFault(expression)).toBeUndefined();
});

test.each([
  ['', "'' has 1 fields, not 6 or 7"],
  ['* * * * * * * *', 'has 8 fields, not 6 or 7'],
  ['60 * * ? * *', "'60' is no seconds in"],
  ['* * 24 ? * *', "'24' is no hours in"],
  ['* * * 0 * ?', "'0' is no day of month in"],
  ['* * * ? 13 *', "'13' is no month in"],
  ['* * * ? FEBR *', "'FEBR' is no month in"],
  ['* * * ? * 8', "'8' is no day of week in"],
  ['* * * ? * SUN#6', "'SUN#6' is no day of week in"],
  ['* * */0 ? * *', "'*/0' is no hours in"],
  ['* * */24 ? * *', "'*/24' is no hours in"],
  ['* * 1-2-3 ? * *', "'1-2-3' is no hours in"],
  ['* * 1, ? * *', "'1,' is no hours in"],
  ['* * ? ? * *', "'?' is no hours in"],
  ['* * L ? * *', "'L' is no hours in"],
  ['* * * ? * ?', 'has two question marks, and either day of month or day of week is one'],
  ['* * * 1 * SUN', 'has no question mark, and either day of month or day of week is one'],
  ['* * * ? * * 1969', "'1969' is no year in"],
])('%j is none: %s', (expression, fault) => {
  expect(quartzFault(expression)).toContain(fault);
});

const GARBAGE: readonly unknown[] = [null, true, 0, -1.5, '', 'a b', [], [null], [['a']], {}, { a: null }];

/** A copy of a tree for each place in it and each piece of garbage. */
function* spoilt(tree: unknown): Generator<unknown> {
  yield* GARBAGE;
  if (typeof tree === 'object' && tree !== null) {
    for (const [key, value] of Object.entries(tree)) {
      for (const other of spoilt(value)) {
        yield Array.isArray(tree) ? Object.assign([...tree], { [key]: other }) : { ...tree, [key]: other };
      }
    }
  }
}

test('nothing that stands anywhere makes a rule throw, and all that is said has a way out', () => {
  const documents = CLUSTER_MISTAKES.flatMap(([document]) => [...spoilt({ spec: document.spec })]);
  const found = documents.flatMap((document) => {
    const kafkaJson = { ...kafka(), ...(document as Json) };
    const context = { strimzi: StrimziVersion.V1_2, brokerIds: BROKERS };
    const { errors, warnings } = judgementOf(RULES, 'strimzi', (rule) => rule.judge(kafkaJson, context));
    return [...errors, ...warnings];
  });
  expect(documents.length).toBeGreaterThan(1_000);
  expect(found.filter(({ what, remedy }) => !what || !remedy || /undefined|NaN/.test(what + remedy))).toEqual([]);
});

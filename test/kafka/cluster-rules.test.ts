import { StrimziVersion } from '../../src';
import type { Json } from '../../src/contract/json';
import { sentenceOf } from '../../src/contract/sentence';
import { judgeListeners } from '../../src/kafka/listener/judge-listeners';
import { DOCUMENT_RULES } from '../../src/kafka/rules/document-rules';
import { RuleSet } from '../../src/rules/rule-set';
import { CLUSTER_MISTAKES, spec } from './cluster-mistakes';
import { fileObjects } from './clusters';
import { kafka, PLAIN } from './document-mistakes';
import { spoilt } from './spoilt';

const BROKERS: readonly number[] = [0, 1, 2];
const OTHERS = ['kafka-field-unknown', 'listener-limit'];
const RULES = DOCUMENT_RULES.filter(({ id }) => OTHERS.includes(id));
const JUDGE = new RuleSet(RULES, 'strimzi');

/** All that these rules find in a document. */
function foundByThese(document: Json, strimzi = StrimziVersion.V1_2): string[] {
  const { errors, warnings } = JUDGE.judge(document, { strimzi, brokerIds: BROKERS });
  return [...errors, ...warnings].map(sentenceOf);
}

/** Errors come before warnings wherever they are reported. */
function sorted(sentences: readonly string[]): string[] {
  return [...sentences].sort();
}

test.each(CLUSTER_MISTAKES)('in %j is found %j', (...[document, sentences, strimzi]) => {
  const { errors, warnings } = judgeListeners(document, {
    strimzi: strimzi ?? StrimziVersion.V1_2,
    brokerIds: BROKERS,
  });
  const ids = RULES.map(({ id }) => id);
  const own = [...errors, ...warnings].filter(({ ruleId }) => ids.includes(ruleId)).map(sentenceOf);
  expect(sorted(own)).toEqual(sorted(sentences));
});

test('every rule has found something above, or in the documents with other mistakes', () => {
  const sentences = CLUSTER_MISTAKES.flatMap(([, all]) => all).join('\n');
  const silent = RULES.map(({ id }) => id).filter((id) => !sentences.includes(`(${id})`));
  expect(silent).toEqual([]);
});

test('no rule is asked twice', () => {
  const asked = DOCUMENT_RULES.map(({ id }) => id);
  expect(new Set(asked).size).toBe(asked.length);
});

const FROM_CONFIG_MAP = { valueFrom: { configMapKeyRef: { name: 'a', key: 'b' } } };

/** Resources in which nothing is to be found. */
const RIGHT: [string, Json, StrimziVersion?][] = [
  ['nothing but what it must have', kafka()],
  ['nothing in its fields', spec({ entityOperator: null, cruiseControl: null, clusterCa: null, novelty: null })],
  ['what a newer operator may know', kafka({ novelty: true }), StrimziVersion.of('1.3')],
  [
    'values of any shape',
    spec({ clusterCa: 'none', maintenanceTimeWindows: {}, cruiseControl: { config: [{ a: 1 }] } }),
  ],
  ['metrics by JMX', kafka({ metricsConfig: { type: 'jmxPrometheusExporter', ...FROM_CONFIG_MAP } })],
  ['logging elsewhere', kafka({ logging: { type: 'external', ...FROM_CONFIG_MAP } })],
  ['heaps', kafka({ jvmOptions: { '-Xms': '1024m', '-XX': { UseG1GC: 'true' } } })],
  ['what Kubernetes defines', kafka({ template: { pod: { affinity: { anything: {} }, volumes: [{ any: {} }] } } })],
  ['limits of a listener', kafka({ listeners: [{ ...PLAIN, configuration: { maxConnections: 1 } }] })],
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
];

test.each(RIGHT)('nothing is found in a resource with %s', (...[, document, strimzi]) => {
  expect(foundByThese(document, strimzi)).toEqual([]);
});

test.each<[string, StrimziVersion]>([
  ['every-type-of-listener.yaml', StrimziVersion.V1_2],
  ['zookeeper-and-oauth.yaml', StrimziVersion.V0_45],
  ['first-story.yaml', StrimziVersion.V0_49],
])('nothing is found in %s', (name, strimzi) => {
  const documents = fileObjects(name).filter(({ kind }) => kind === 'Kafka');
  expect(documents.length).toBeGreaterThan(0);
  expect(documents.flatMap((document) => foundByThese(document, strimzi))).toEqual([]);
});

const GARBAGE: readonly unknown[] = [null, true, 0, -1.5, '', 'a b', [], [null], [['a']], {}, { a: null }];

test('nothing that stands anywhere makes a rule throw, and all that is said has a way out', () => {
  const documents = CLUSTER_MISTAKES.flatMap(([document]) => [...spoilt({ spec: document.spec }, GARBAGE)]);
  const found = documents.flatMap((document) => {
    const kafkaJson = { ...kafka(), ...(document as Json) };
    const context = { strimzi: StrimziVersion.V1_2, brokerIds: BROKERS };
    const { errors, warnings } = JUDGE.judge(kafkaJson, context);
    return [...errors, ...warnings];
  });
  expect(documents.length).toBeGreaterThan(1_000);
  expect(found.filter(({ what, remedy }) => !what || !remedy || /undefined|NaN/.test(what + remedy))).toEqual([]);
});

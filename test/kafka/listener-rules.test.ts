import { StrimziVersion } from '../../src';
import type { Json } from '../../src/contract/json';
import { sentenceOf } from '../../src/contract/rule';
import { DOCUMENT_RULES } from '../../src/kafka/rules/document-rules';
import { evaluatePort } from '../../src/kafka/rules/listener-rule';
import { checkListener, LISTENER_RULES } from '../../src/kafka/rules/listener-rules';
import { KAFKA_TLS_ROUTE_RULES } from '../../src/kafka/rules/tls-route-rules';
import { tries } from '../support/random';
import { casesIn } from '../support/yaml-cases';
import { checkListeners, DOCUMENT_MISTAKES, fileObjects, kafka, LISTENER_MISTAKES, PLAIN, spoilt } from './clusters';

const BROKERS: readonly number[] = [0, 1, 2];
const BALANCED: Json = {
  name: 'external',
  port: 9094,
  type: 'loadbalancer',
  tls: true,
  authentication: { type: 'scram-sha-512' },
};

function said(document: Json, strimzi = StrimziVersion.V1_2, brokerIds = BROKERS): string[] {
  const { errors, warnings } = checkListeners(document, { strimzi, brokerIds });
  return [...errors, ...warnings].map(sentenceOf);
}

/** What is said of nearly every document here, beside what it is about. */
const ALWAYS = /\((strimzi-vulnerability|strimzi-newer-than-facts|kafka-replication-unset)\)$/;

/** All that is said of a document but what is said of nearly every one. */
const special = (sentences: readonly string[]): string[] => sentences.filter((sentence) => !ALWAYS.test(sentence));

/** All that is said of one listener, in a document that its version serves. */
function saidOf(listener: Json, strimzi = StrimziVersion.V1_2): string[] {
  const document = kafka({ listeners: [listener] }, { apiVersion: strimzi.apiVersion });
  const { errors, warnings } = checkListener(document, listener, { strimzi, brokerIds: BROKERS });
  return [...errors, ...warnings].map(sentenceOf).map((text) => text.replace(`listener '${listener.name}': `, ''));
}

test.each(LISTENER_MISTAKES)('of a listener with %j is said %j', (...[changes, sentences, strimzi]) => {
  expect(saidOf({ ...BALANCED, ...changes }, strimzi)).toEqual(sentences);
});

test.each(DOCUMENT_MISTAKES)('of %j is said %j', (...[document, sentences, strimzi]) => {
  const isMeant = (sentence: string) => !ALWAYS.test(sentence) || sentences.includes(sentence);
  expect(said(document, strimzi).filter(isMeant)).toEqual(sentences);
});

test('every rule has said something above, or in a table of its own', () => {
  const sentences = [...LISTENER_MISTAKES, ...DOCUMENT_MISTAKES].flatMap(([, all]) => all).join('\n');
  const ids = [...LISTENER_RULES, ...DOCUMENT_RULES].map(({ id }) => id);
  const elsewhere = [
    'kafka-api-version-removed',
    'kafka-cruise-control-brokers',
    'kafka-offsets-unset',
    ...KAFKA_TLS_ROUTE_RULES.map(({ id }) => id),
  ];
  expect(ids.filter((id) => !sentences.includes(`(${id})`) && !elsewhere.includes(id))).toEqual([]);
  expect(new Set(ids).size).toBe(ids.length);
});

const HOSTS = { bootstrap: { host: 'bootstrap.example.com' }, hostTemplate: 'broker-{nodeId}.example.com' };

const RIGHT: [string, Json, StrimziVersion?][] = [
  [
    'empty lists and maps of other types',
    { type: 'nodeport', configuration: { finalizers: [], loadBalancerSourceRanges: [] } },
  ],
  ['empty metadata inside', { type: 'internal', configuration: { bootstrap: { annotations: {}, labels: {} } } }],
  ['SCRAM within the cluster without TLS', { type: 'internal', tls: false, authentication: { type: 'scram-sha-512' } }],
  [
    'a host for each broker',
    {
      type: 'tlsroute',
      configuration: {
        bootstrap: HOSTS.bootstrap,
        parentRefs: [{ name: 'edge' }],
        brokers: BROKERS.map((broker) => ({ broker, host: `b${broker}.example.com` })),
      },
    },
  ],
  [
    'one host with a port for each broker',
    {
      type: 'cluster-ip',
      configuration: { advertisedHostTemplate: 'kafka.example.com', advertisedPortTemplate: '(10000 + {nodeId}) * 1' },
    },
  ],
];

test.each(RIGHT)('nothing is said of a listener with %s', (...[, changes, strimzi]) => {
  expect(saidOf({ ...BALANCED, ...changes }, strimzi)).toEqual([]);
});

test('of brokers that nobody knows nothing is said, but of ids that none can have', () => {
  const of = (broker: number) => kafka({ listeners: [{ ...BALANCED, configuration: { brokers: [{ broker }] } }] });
  const ids = (broker: number) =>
    checkListeners(of(broker), { strimzi: StrimziVersion.V1_2 }).warnings.map(({ ruleId }) => ruleId);
  expect([ids(7), ids(-1)]).toEqual([[], ['listener-broker-unknown']]);
});

const MANIFESTS: [string, StrimziVersion, readonly number[]][] = [
  ['every-type-of-listener.yaml', StrimziVersion.V1_2, [0, 1, 2]],
  ['zookeeper-and-oauth.yaml', StrimziVersion.V0_45, [0, 1]],
];

test.each<[string, Json, StrimziVersion]>([
  ['one that an operator may run who is newer than all known ones', { version: '9.0.0' }, StrimziVersion.of('1.3')],
])('nothing is said of a version of Kafka: %s', (_, more, strimzi) => {
  expect(special(said(kafka(more), strimzi))).toEqual([]);
});

test.each<[string, Json, Json]>([
  ['the same without TLS, as it is written', { ...BALANCED, tls: false }, { authorization: { type: 'simple' } }],
])('a listener without authentication is open to nobody: %s', (_, listener, more) => {
  const open = { ...listener, authentication: undefined };
  const document = kafka({ ...more, listeners: [open] });
  const { warnings } = checkListener(document, open, { strimzi: StrimziVersion.V1_2, brokerIds: BROKERS });
  expect(warnings.map(({ ruleId }) => ruleId)).toEqual(['listener-unencrypted']);
});

test.each(MANIFESTS)('nothing is said of %s', (name, strimzi, brokerIds) => {
  expect(fileObjects(name).flatMap((document) => special(said(document, strimzi, brokerIds)))).toEqual([]);
});

test.each<[string, number | undefined]>(casesIn(__dirname, 'listener-rules.yaml')['the port of is'])(
  'the port of %j is %j',
  (expression, port) => expect(evaluatePort(expression)).toBe(port),
);

const GARBAGE: readonly unknown[] = casesIn(__dirname, 'listener-rules.yaml').garbage;

test.each(MANIFESTS)('nothing that stands anywhere in %s makes a rule throw', (name, strimzi, brokerIds) => {
  const [document] = fileObjects(name);
  const checked = [...spoilt({ metadata: document.metadata, spec: document.spec }, GARBAGE)]
    .filter((_, index) => index % 10 < tries(10))
    .map((parts) => checkListeners({ ...document, ...(parts as Json) }, { strimzi, brokerIds }));
  expect(checked.length).toBeGreaterThan(tries(1_000));
  expect(
    checked.flatMap(({ errors, warnings }) => [...errors, ...warnings]).filter(({ what, remedy }) => !what || !remedy),
  ).toEqual([]);
});

test.each<[string, Json, string | undefined]>(
  casesIn(__dirname, 'listener-rules.yaml')['the names of brokers Services are checked with'],
)("the names of brokers' Services are checked: %s with %j", (type, more, end) => {
  const cluster = `e${'x'.repeat(27)}`;
  const listener = { ...PLAIN, name: 'outside', port: 9093, type, ...more };
  const document = kafka({ listeners: [listener] }, { metadata: { name: cluster } });
  const nodePoolOf = (id: number) => (id === 2 ? 'brokers-of-the-first-zone' : 'b');
  const { errors } = checkListeners(document, { strimzi: StrimziVersion.V1_2, brokerIds: BROKERS, nodePoolOf });
  const names = errors.filter(({ ruleId }) => ruleId === 'kafka-name-invalid').map(({ value }) => value);
  expect(names).toEqual(end === undefined ? [] : [`${cluster}-${end}`]);
});

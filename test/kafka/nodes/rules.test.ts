import type { Json } from '../../../src/contract/json';
import { quantityOf } from '../../../src/contract/kubernetes-syntax';
import { sentenceOf } from '../../../src/contract/rule';
import { KafkaNodeIds } from '../../../src/kafka/cluster/kafka-node-pool';
import { nodeIdsIn } from '../../../src/kafka/operator/node-pools';
import { CLUSTER_RULES, checkNodePool, checkPools, NODE_POOL_RULES } from '../../../src/kafka/rules/node-pool-rules';
import { StrimziVersion } from '../../../src/kafka/strimzi/strimzi-version';
import { casesIn, revived } from '../../support/yaml-cases';
import { kafka } from '../clusters';

const { V1_2 } = StrimziVersion;

/** A KafkaNodePool of the cluster `events` that is right, with more in its spec and its metadata. */
function pool(spec: Json = {}, metadata: Json = {}, document: Json = {}): Json {
  return {
    apiVersion: 'kafka.strimzi.io/v1',
    kind: 'KafkaNodePool',
    metadata: { name: 'brokers', labels: { 'strimzi.io/cluster': 'events' }, ...metadata },
    spec: { replicas: 3, roles: ['broker'], storage: { type: 'persistent-claim', size: '100Gi' }, ...spec },
    ...document,
  };
}

/** Annotations of ids. */
function ids(next: unknown, more: Json = {}): Json {
  return { annotations: { 'strimzi.io/next-node-ids': next, ...more } };
}

const GARBAGE: readonly unknown[] = [null, true, 0, -1.5, '', '{nodeId}', 'a b', [], [null], {}, { a: null }];

/** A copy of a manifest for each place in it and each piece of garbage. */
function* spoilt(tree: unknown, isRoot = true): Generator<unknown> {
  if (!isRoot) yield* GARBAGE;
  if (typeof tree === 'object' && tree !== null) {
    for (const [key, value] of Object.entries(tree)) {
      for (const other of spoilt(value, false)) {
        yield Array.isArray(tree) ? Object.assign([...tree], { [key]: other }) : { ...tree, [key]: other };
      }
    }
  }
}

interface Cluster {
  readonly kafka?: Json;
  readonly pools: readonly Json[];
  readonly strimzi?: StrimziVersion;
}

function said({ kafka: document = kafka(), pools, strimzi = V1_2 }: Cluster): string[] {
  const { errors, warnings } = checkPools(document, { strimzi, pools });
  return [...errors, ...warnings].map(sentenceOf);
}

function annotated(kraft?: string, nodePools?: string): Json {
  const annotations = { 'strimzi.io/kraft': kraft, 'strimzi.io/node-pools': nodePools };
  return kafka({}, { metadata: { name: 'events', annotations } });
}

const CONTROLLERS = pool({ roles: ['controller'] }, { name: 'controllers', ...ids('[900-999]') });

function template(more: Json, name = 'brokers'): Json {
  return pool({ roles: ['broker', 'controller'], template: more }, { name });
}

const CASES = revived(casesIn(__dirname, 'rules.yaml'), { annotated, kafka, pool, template });

/** KafkaNodePools, and all that is said of each. */
const NODE_POOL_MISTAKES: [Json, string[], StrimziVersion?][] = [
  ...CASES['of a pool'],
  ...CASES['unparsable ids'].map((text: string) => [
    pool({ replicas: 0 }, ids(text)),
    [
      `strimzi: annotation strimzi.io/next-node-ids is '${text}', which the operator cannot parse: it logs a warning and gives new nodes the lowest free ids of the cluster; write ids and ranges of ids in brackets, such as '[0, 1, 10-19]' (node-pool-ids-invalid)`,
    ],
  ]),
];

const MISTAKES: [string, Cluster, string[]][] = CASES.mistakes;

test.each(MISTAKES)('of %s is said what is wrong', (_, cluster, sentences) => expect(said(cluster)).toEqual(sentences));

test('every rule has found something above, but those about other objects of an app', () => {
  const sentences = MISTAKES.flatMap(([, , all]) => all).join('\n');
  const rules = CLUSTER_RULES.map(({ id }) => id);
  expect(rules.filter((id) => !sentences.includes(`(${id})`))).toEqual(['node-pool-changed-after-import']);
  expect(new Set(rules).size).toBe(rules.length);
});

test('what works is a warning, and what does not an error', () => {
  expect(CLUSTER_RULES.filter(({ severity }) => severity === 'warning').map(({ id }) => id)).toEqual([
    'node-pools-disabled',
    'node-pool-ids-duplicate',
    'node-pool-template-override',
  ]);
});

const RIGHT: [string, Cluster][] = CASES.right;

test.each(RIGHT)('nothing is said of %s', (_, cluster) => expect(said(cluster)).toEqual([]));

test('nothing that stands anywhere in a Kafka resource or a node pool makes a rule throw', () => {
  const affinity = { podAntiAffinity: { preferred: [{ a: { b: 'zone' } }] }, nodeAffinity: { a: [{ b: 'c' }] } };
  const both = { template: { pod: { affinity, metadata: { labels: { a: 'b' } } } } };
  const document = kafka({ ...both, rack: { topologyKey: 'zone' } });
  const nodes = pool({ ...both, roles: ['broker', 'controller'] }, { namespace: 'kafka', ...ids('[0-9]') });
  const checkWith = (one: Json, other: Json) => checkPools(one, { strimzi: V1_2, pools: [other, CONTROLLERS] });
  const checked = [
    ...[...spoilt(document)].map((one) => checkWith(one as Json, nodes)),
    ...[...spoilt(nodes)].map((one) => checkWith(document, one as Json)),
  ];
  expect(checked.length).toBeGreaterThan(500);
  expect(
    checked.flatMap(({ errors, warnings }) => [...errors, ...warnings]).filter(({ what, remedy }) => !what || !remedy),
  ).toEqual([]);
});

describe('node pool rules', () => {
  function said(document: Json, strimzi = StrimziVersion.V1_2): string[] {
    const { errors, warnings } = checkNodePool(document, { strimzi });
    return [...errors, ...warnings].map(sentenceOf);
  }

  test.each(NODE_POOL_MISTAKES)('in %j is found %j', (...[document, sentences, strimzi]) => {
    expect(said(document, strimzi)).toEqual(sentences);
  });

  test('every rule has found something above, but those about props of the construct', () => {
    const sentences = NODE_POOL_MISTAKES.flatMap(([, all]) => all).join('\n');
    const rules = NODE_POOL_RULES.map(({ id }) => id);
    expect(rules.filter((id) => !sentences.includes(`(${id})`))).toEqual([
      'node-pool-manifest-props-conflict',
      'pinned-pods-selector-conflict',
    ]);
    expect(new Set(rules).size).toBe(rules.length);
  });

  const WARNINGS = ['node-pool-ids-invalid', 'node-pool-ids-not-enough'];

  test('what works is a warning, and what does not an error', () => {
    expect(NODE_POOL_RULES.filter(({ severity }) => severity === 'warning').map(({ id }) => id)).toEqual(WARNINGS);
  });

  const CLAIM = { type: 'persistent-claim', size: '100Gi' };
  const OLD: Json = { apiVersion: 'kafka.strimzi.io/v1beta2' };
  const OVERRIDDEN = { storage: { ...CLAIM, overrides: [{ broker: 0, class: 'a' }] } };

  test.each<[string, Json, StrimziVersion?]>([
    ['overrides while they are read', pool(OVERRIDDEN, {}, OLD), StrimziVersion.V0_45],
    ['an id that is the highest of all', pool({}, ids('[0-9, 2147483647]'))],
    ['no id for more nodes', pool({}, ids('[]'), { status: { nodeIds: [0, 1, 2] } })],
    ['a pod whose name has 63 characters', pool({}, { name: 'b'.repeat(54) })],
  ])('nothing is found in a node pool with %s', (...[, document, strimzi]) => {
    expect(said(document, strimzi)).toEqual([]);
  });

  test.each<[unknown, number | undefined]>(CASES['the amount of is'])('the amount of %j is %j', (text, amount) => {
    const found = quantityOf(text);
    if (amount === undefined) {
      expect(found).toBeUndefined();
    } else {
      expect(found).toBeCloseTo(amount, 6);
    }
  });

  const FULL: Json = pool(CASES.full, ids('[0-9]', { 'strimzi.io/remove-node-ids': '[2]' }), {
    status: { nodeIds: [0, 1, 2] },
  });

  test('nothing that stands anywhere in a node pool makes a rule throw', () => {
    expect(said(FULL)).toEqual([]);
    const checked = [...spoilt(FULL)].map((document) =>
      checkNodePool(document as Json, { strimzi: StrimziVersion.V1_2 }),
    );
    expect(checked.length).toBeGreaterThan(500);
    expect(
      checked
        .flatMap(({ errors, warnings }) => [...errors, ...warnings])
        .filter(({ what, remedy }) => !what || !remedy),
    ).toEqual([]);
  });
});

test.each<[string, KafkaNodeIds, number[]]>([
  ['[0-3]', KafkaNodeIds.between(0, 3), [0, 1, 2, 3]],
  ['[7]', KafkaNodeIds.between(7, 7), [7]],
  ['[2, 0, 1]', KafkaNodeIds.of([2, 0, 1]), [2, 0, 1]],
  ['[10-12, 4]', KafkaNodeIds.between(10, 12).plus(KafkaNodeIds.of([4])), [10, 11, 12, 4]],
  ['[2147483646-2147483647]', KafkaNodeIds.between(2147483646, 2147483647), [2147483646, 2147483647]],
])('ids are written as %s, and the operator reads the same', (text, nodeIds, expected) => {
  expect(nodeIds.ids).toEqual(expected);
  expect(nodeIds._annotation()).toBe(text);
  expect(nodeIdsIn(text)).toEqual(expected);
});

test.each<[() => unknown, string]>([
  [() => KafkaNodeIds.between(3, 0), 'strimzi: node ids cannot go from 3 to 0; write the lower one first'],
  [() => KafkaNodeIds.between(-1, 3), 'strimzi: -1 cannot be a node id; write a whole number from 0 to 2147483647'],
  [() => KafkaNodeIds.between(0, 2.5), 'strimzi: 2.5 cannot be a node id; write a whole number from 0 to 2147483647'],
  [
    () => KafkaNodeIds.between(Number.NaN, 2),
    'strimzi: NaN cannot be a node id; write a whole number from 0 to 2147483647',
  ],
  [
    () => KafkaNodeIds.of([2147483648]),
    'strimzi: 2147483648 cannot be a node id; write a whole number from 0 to 2147483647',
  ],
  [() => KafkaNodeIds.between(0, 10_000), 'strimzi: node ids 0 to 10000 are 10001; write a range of at most 10000'],
  [() => KafkaNodeIds.of([]), 'strimzi: node ids cannot be an empty list; name at least one, or leave them out'],
  [() => KafkaNodeIds.of([1, 2, 1]), 'strimzi: node id 1 is listed twice; remove one'],
  [() => KafkaNodeIds.between(0, 9).plus(KafkaNodeIds.of([9])), 'strimzi: node id 9 is listed twice; remove one'],
])('%s is refused: %s', (make, message) => expect(make).toThrow(new Error(message)));

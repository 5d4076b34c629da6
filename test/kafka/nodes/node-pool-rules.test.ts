import type { Json } from '../../../src/contract/json';
import { quantityOf } from '../../../src/contract/kubernetes-syntax';
import { sentenceOf } from '../../../src/contract/rule';
import { judgeNodePool, NODE_POOL_RULES } from '../../../src/kafka/rules/node-pool-rules';
import { StrimziVersion } from '../../../src/kafka/strimzi/strimzi-version';
import { NODE_POOL_MISTAKES } from './node-pool-mistakes';
import { ids, pool, spoilt } from './pools';

function said(document: Json, strimzi = StrimziVersion.V1_2): string[] {
  const { errors, warnings } = judgeNodePool(document, { strimzi });
  return [...errors, ...warnings].map(sentenceOf);
}

test.each(NODE_POOL_MISTAKES)('in %j is found %j', (...[document, sentences, strimzi]) => {
  expect(said(document, strimzi)).toEqual(sentences);
});

test('every rule has found something above, but those about props of the construct', () => {
  const sentences = NODE_POOL_MISTAKES.flatMap(([, all]) => all).join('\n');
  const rules = NODE_POOL_RULES.map(({ id }) => id);
  expect(rules.filter((id) => !sentences.includes(`(${id})`))).toEqual(['node-pool-patched', 'pin-contradicted']);
  expect(new Set(rules).size).toBe(rules.length);
});

const WARNINGS = ['node-pool-ids', 'node-pool-ids-few'];

test('what works is a warning, and what does not an error', () => {
  expect(NODE_POOL_RULES.filter(({ severity }) => severity === 'warning').map(({ id }) => id)).toEqual(WARNINGS);
});

const CLAIM = { type: 'persistent-claim', size: '100Gi' };
const OLD: Json = { apiVersion: 'kafka.strimzi.io/v1beta2' };
const OVERRIDDEN = { storage: { ...CLAIM, overrides: [{ broker: 0, class: 'a' }] } };

test.each<[string, Json, StrimziVersion?]>([
  ['what it must have', pool()],
  ['no nodes for now', pool({ replicas: 0 })],
  ['both roles', pool({ roles: ['broker', 'controller'] })],
  ['nothing in its maps', pool({ resources: null, jvmOptions: {}, template: { pod: null, podSet: {} } })],
  [
    'a label of nothing, which the API server drops',
    pool({ template: { pod: { metadata: { labels: { team: null } } } } }),
  ],
  ['the old API version while it is served', pool({}, {}, OLD), StrimziVersion.V0_51],
  ['overrides while they are read', pool(OVERRIDDEN, {}, OLD), StrimziVersion.V0_45],
  ['as many ids as replicas', pool({}, ids('[0-2]'))],
  ['ids downwards, with blanks', pool({}, ids(' [ 9 - 5 , 3 ] '))],
  ['an id that is the highest of all', pool({}, ids('[0-9, 2147483647]'))],
  ['an annotation of nothing but blanks', pool({}, ids(' '))],
  ['no id for more nodes', pool({}, ids('[]'), { status: { nodeIds: [0, 1, 2] } })],
  [
    'the ids of its status and one for another node',
    pool({ replicas: 4 }, ids('[7]'), { status: { nodeIds: [0, 1, 2] } }),
  ],
  ['ids that go first', pool({}, ids('[0-9]', { 'strimzi.io/remove-node-ids': '[2, 1]' }))],
  ['a pod whose name has 63 characters', pool({}, { name: 'b'.repeat(54) })],
  ['no name, where one is generated', pool({}, { name: undefined, generateName: 'brokers-' })],
  ['labels of another domain and of the cluster', pool({}, { labels: { 'strimzi.io/cluster': 'events', a: 'b' } })],
  ['a claim of a volume that exists', pool({ storage: { ...CLAIM, class: '', selector: { disk: 'a' } } })],
  ['an id and metadata on one volume', pool({ storage: { ...CLAIM, id: 0, kraftMetadata: 'shared' } })],
  [
    'volumes of both types',
    pool({
      storage: {
        type: 'jbod',
        volumes: [
          { ...CLAIM, id: 4, kraftMetadata: 'shared', size: '1.5Ti' },
          { type: 'ephemeral', id: 0, sizeLimit: '1e9' },
        ],
      },
    }),
  ],
])('nothing is found in a node pool with %s', (...[, document, strimzi]) => {
  expect(said(document, strimzi)).toEqual([]);
});

test.each<[unknown, number | undefined]>([
  ['500m', 0.5],
  ['1Ki', 1024],
  ['2Mi', 2 * 1024 ** 2],
  ['1.5Gi', 1.5 * 1024 ** 3],
  ['1Ei', 1024 ** 6],
  ['3k', 3000],
  ['2G', 2e9],
  ['1P', 1e15],
  ['1e3', 1000],
  ['1E-3', 0.001],
  ['.5', 0.5],
  ['-1', -1],
  [7, 7],
  [0.5, undefined],
  ['1K', undefined],
  ['1GB', undefined],
  ['', undefined],
  ['Gi', undefined],
  [null, undefined],
])('the amount of %j is %j', (text, amount) => {
  const found = quantityOf(text);
  if (amount === undefined) {
    expect(found).toBeUndefined();
  } else {
    expect(found).toBeCloseTo(amount, 6);
  }
});

const FULL: Json = pool(
  {
    roles: ['broker', 'controller'],
    storage: { type: 'jbod', volumes: [{ ...CLAIM, id: 0, kraftMetadata: 'shared', class: 'gp3', deleteClaim: true }] },
    resources: { requests: { cpu: 1 }, limits: { cpu: 2, memory: '4Gi' } },
    jvmOptions: { '-Xms': '1g', '-Xmx': '1g', '-XX': { UseG1GC: 'true' }, javaSystemProperties: [{ name: 'a' }] },
    template: {
      pod: {
        metadata: { labels: { a: 'b' } },
        topologySpreadConstraints: [{ topologyKey: 'zone', labelSelector: {} }],
        volumes: [{ name: 'own', emptyDir: {} }],
      },
      kafkaContainer: { volumeMounts: [{ name: 'own', mountPath: '/mnt/own' }] },
    },
  },
  ids('[0-9]', { 'strimzi.io/remove-node-ids': '[2]' }),
  { status: { nodeIds: [0, 1, 2] } },
);

test('nothing that stands anywhere in a node pool makes a rule throw', () => {
  expect(said(FULL)).toEqual([]);
  const judged = [...spoilt(FULL)].map((document) => judgeNodePool(document as Json, { strimzi: StrimziVersion.V1_2 }));
  expect(judged.length).toBeGreaterThan(500);
  expect(
    judged.flatMap(({ errors, warnings }) => [...errors, ...warnings]).filter(({ what, remedy }) => !what || !remedy),
  ).toEqual([]);
});

import type { Json } from '../../../src/contract/json';
import { sentenceOf } from '../../../src/contract/rule';
import { CLUSTER_RULES, judgePools } from '../../../src/kafka/rules/node-pool-rules';
import { StrimziVersion } from '../../../src/kafka/strimzi/strimzi-version';
import { kafka } from '../document-mistakes';
import { ids, pool, spoilt } from './pools';

const { V0_45, V0_48, V0_49, V1_2 } = StrimziVersion;

interface Cluster {
  readonly kafka?: Json;
  readonly pools: readonly Json[];
  readonly strimzi?: StrimziVersion;
}

function said({ kafka: document = kafka(), pools, strimzi = V1_2 }: Cluster): string[] {
  const { errors, warnings } = judgePools(document, { strimzi, pools });
  return [...errors, ...warnings].map(sentenceOf);
}

function annotated(kraft?: string, nodePools?: string): Json {
  const annotations = { 'strimzi.io/kraft': kraft, 'strimzi.io/node-pools': nodePools };
  return kafka({}, { metadata: { name: 'events', annotations } });
}

const BROKERS = pool({}, ids('[0-99]'));
const CONTROLLERS = pool({ roles: ['controller'] }, { name: 'controllers', ...ids('[900-999]') });
const BOTH = pool({ roles: ['broker', 'controller'] });

function template(more: Json, name = 'brokers'): Json {
  return pool({ roles: ['broker', 'controller'], template: more }, { name });
}

const MISTAKES: [string, Cluster, string[]][] = [
  [
    'pools that nobody reads',
    { kafka: annotated('enabled', 'disabled'), pools: [BROKERS, CONTROLLERS], strimzi: V0_45 },
    [
      "strimzi: annotation strimzi.io/node-pools of the Kafka resource is not 'enabled', without which Strimzi 0.45.2 ignores node pools; write strimzi.io/node-pools: enabled, or remove the node pools (pools-unread)",
    ],
  ],
  [
    'ids that overlap',
    { pools: [BROKERS, pool({ roles: ['controller'] }, { name: 'controllers', ...ids('[98-100]') })] },
    [
      "strimzi: node pool 'brokers' and node pool 'controllers' both have id 98 and 1 more in strimzi.io/next-node-ids, so that which of them gets it depends on the order of their nodes; give each a range of its own (pools-ids)",
    ],
  ],
  [
    'one id twice',
    { pools: [BROKERS, pool({}, { name: 'more', ...ids('[200, 7]') })] },
    [
      "strimzi: node pool 'brokers' and node pool 'more' both have id 7 in strimzi.io/next-node-ids, so that which of them gets it depends on the order of their nodes; give each a range of its own (pools-ids)",
    ],
  ],
  [
    'pools elsewhere',
    {
      kafka: kafka({}, { metadata: { name: 'events', namespace: 'kafka' } }),
      pools: [pool({ roles: ['broker', 'controller'] }, { namespace: 'default' })],
    },
    [
      "strimzi: node pool 'brokers' is in namespace 'default', and the Kafka resource in 'kafka', so that the pool does not belong to it; move it to namespace 'kafka' (pools-namespace)",
    ],
  ],
  [
    'a template that replaces another',
    {
      kafka: kafka({
        template: {
          pod: { affinity: {}, metadata: { labels: { a: 'b', c: 'd' }, annotations: { e: 'f' } }, hostUsers: null },
          perPodService: { metadata: { annotations: { g: 'h' } } },
          podDisruptionBudget: { maxUnavailable: 1 },
        },
      }),
      pools: [template({ pod: { priorityClassName: 'high', metadata: { labels: { a: 'x' } } } })],
    },
    [
      "strimzi: node pool 'brokers' has templates of its own, which replace those of the Kafka resource and lack pod.affinity, pod.metadata.labels.c, pod.metadata.annotations; repeat it in the node pool, or write it in one of the two alone (pools-template)",
    ],
  ],
  [
    'templates that replace all others below 0.49',
    {
      kafka: kafka({ template: { pod: { affinity: {} }, perPodService: {}, podDisruptionBudget: {} } }),
      pools: [template({ podSet: {} })],
      strimzi: V0_48,
    },
    [
      "strimzi: node pool 'brokers' has templates of its own, which replace those of the Kafka resource and lack pod, perPodService; repeat it in the node pool, or write it in one of the two alone (pools-template)",
    ],
  ],
];

test.each(MISTAKES)('of %s is said what is wrong', (_, cluster, sentences) => {
  expect(said(cluster)).toEqual(sentences);
});

test('every rule has found something above, but those about other objects of an app', () => {
  const sentences = MISTAKES.flatMap(([, , all]) => all).join('\n');
  const rules = CLUSTER_RULES.map(({ id }) => id);
  expect(rules.filter((id) => !sentences.includes(`(${id})`))).toEqual(['node-pool-changed']);
  expect(new Set(rules).size).toBe(rules.length);
});

test('what works is a warning, and what does not an error', () => {
  expect(CLUSTER_RULES.filter(({ severity }) => severity === 'warning').map(({ id }) => id)).toEqual([
    'pools-unread',
    'pools-ids',
    'pools-template',
  ]);
});

const RIGHT: [string, Cluster][] = [
  ['brokers and controllers', { pools: [BROKERS, CONTROLLERS] }],
  ['nodes that are both', { pools: [BOTH] }],
  ['one node', { pools: [pool({ roles: ['broker', 'controller'], replicas: 1 })] }],
  ['brokers beside ZooKeeper', { kafka: annotated('disabled', 'enabled'), pools: [BROKERS], strimzi: V0_45 }],
  ['no pools where nobody reads them', { kafka: annotated(), pools: [], strimzi: V0_45 }],
  ['the annotations that nobody needs', { kafka: annotated('disabled', 'disabled'), pools: [BROKERS, CONTROLLERS] }],
  [
    'ids that nobody can read, twice',
    {
      pools: [
        pool({}, ids('0-9')),
        { ...CONTROLLERS, ...pool({ roles: ['controller'] }, { name: 'c', ...ids('0-9') }) },
      ],
    },
  ],
  [
    'pools without a namespace',
    { kafka: kafka({}, { metadata: { name: 'events', namespace: 'kafka' } }), pools: [BOTH] },
  ],
  [
    'templates of different names from 0.49 on',
    { kafka: kafka({ template: { pod: { affinity: {} } } }), pools: [template({ podSet: {} })], strimzi: V0_49 },
  ],
  [
    'a template that repeats the other',
    {
      kafka: kafka({ template: { pod: { affinity: {}, metadata: { labels: { a: 'b' } } } } }),
      pools: [template({ pod: { affinity: { podAffinity: {} }, metadata: { labels: { a: 'c' } } } })],
    },
  ],
];

test.each(RIGHT)('nothing is said of %s', (_, cluster) => {
  expect(said(cluster)).toEqual([]);
});

test('nothing that stands anywhere in a Kafka resource or a node pool makes a rule throw', () => {
  const affinity = { podAntiAffinity: { preferred: [{ a: { b: 'zone' } }] }, nodeAffinity: { a: [{ b: 'c' }] } };
  const both = { template: { pod: { affinity, metadata: { labels: { a: 'b' } } } } };
  const document = kafka({ ...both, rack: { topologyKey: 'zone' } });
  const nodes = pool({ ...both, roles: ['broker', 'controller'] }, { namespace: 'kafka', ...ids('[0-9]') });
  const judgeWith = (one: Json, other: Json) => judgePools(one, { strimzi: V1_2, pools: [other, CONTROLLERS] });
  const judged = [
    ...[...spoilt(document)].map((one) => judgeWith(one as Json, nodes)),
    ...[...spoilt(nodes)].map((one) => judgeWith(document, one as Json)),
  ];
  expect(judged.length).toBeGreaterThan(500);
  expect(
    judged.flatMap(({ errors, warnings }) => [...errors, ...warnings]).filter(({ what, remedy }) => !what || !remedy),
  ).toEqual([]);
});

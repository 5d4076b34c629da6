import type { Json } from '../../../src/contract/json';
import type { StrimziVersion } from '../../../src/kafka/strimzi/strimzi-version';
import { casesIn } from '../../support/yaml-cases';

const OLD: Json = { apiVersion: 'kafka.strimzi.io/v1beta2' };

const SHAPE: [Json, string[], StrimziVersion?][] = casesIn(__dirname, 'node-pool-mistakes.yaml').shape;

const IDENTITY: [Json, string[], StrimziVersion?][] = [
  [
    pool({}, {}, OLD),
    [
      "strimzi: apiVersion is 'kafka.strimzi.io/v1beta2', which Strimzi 1.2.0 does not serve; under Strimzi 0.49 to 0.51 convert the resources and what the cluster has stored to kafka.strimzi.io/v1 with Strimzi's conversion tool, or name the Strimzi version that runs (node-pool-api-version-unsupported)",
    ],
  ],
  [
    pool({}, { labels: {} }),
    [
      'strimzi: no cluster uses the node pool: label strimzi.io/cluster is missing; write strimzi.io/cluster: and the name of the Kafka resource (node-pool-cluster-label-missing)',
    ],
  ],
  [
    pool({}, { labels: { 'strimzi.io/cluster': '' } }),
    [
      "strimzi: no cluster uses the node pool: label strimzi.io/cluster is ''; write strimzi.io/cluster: and the name of the Kafka resource (node-pool-cluster-label-missing)",
    ],
  ],
  [
    pool({}, { labels: { 'strimzi.io/cluster': 'my events' } }),
    [
      "strimzi: label strimzi.io/cluster: 'my events' is not a valid label value (letters, digits, dashes, dots, underscores; first and last a letter or digit); write strimzi.io/cluster: and the name of the Kafka resource (node-pool-cluster-label-missing)",
      "kubernetes: pod names consist of cluster, pool and id: 'my events-brokers-2' is not a valid DNS label (at most 63 lower-case letters, digits, dashes; this one has 19 characters); choose a shorter or simpler name for the pool (node-pool-name-invalid)",
    ],
  ],
  [
    pool({}, { name: 'brokers.a' }),
    [
      "kubernetes: pod names consist of cluster, pool and id: 'events-brokers.a-2' is not a valid DNS label (at most 63 lower-case letters, digits, dashes; this one has 18 characters); choose a shorter or simpler name for the pool (node-pool-name-invalid)",
    ],
  ],
  [
    // 60 characters with id 2, and 64 with the highest one that its nodes may get
    pool({}, { name: 'b'.repeat(51), ...ids('[0-9, 10000]') }),
    [
      `kubernetes: pod names consist of cluster, pool and id: 'events-${'b'.repeat(51)}-10000' is not a valid DNS label (at most 63 lower-case letters, digits, dashes; this one has 64 characters); choose a shorter or simpler name for the pool (node-pool-name-invalid)`,
    ],
  ],
  ...['0-9', '[0-]', '[a]', '[0;1]', '[0-2147483648]', '[1,,2]', 'x'].map((text): [Json, string[]] => [
    pool({ replicas: 0 }, ids(text)),
    [
      `strimzi: annotation strimzi.io/next-node-ids is '${text}', which the operator cannot parse: it logs a warning and gives new nodes the lowest free ids of the cluster; write ids and ranges of ids in brackets, such as '[0, 1, 10-19]' (node-pool-ids-invalid)`,
    ],
  ]),
  [
    pool({}, { annotations: { 'strimzi.io/remove-node-ids': '7' } }),
    [
      "strimzi: annotation strimzi.io/remove-node-ids is '7', which the operator cannot parse: it logs a warning and removes the nodes with the highest ids first; write ids and ranges of ids in brackets, such as '[0, 1, 10-19]' (node-pool-ids-invalid)",
    ],
  ],
  [
    pool({}, ids('[0-1, 1]')),
    [
      "strimzi: annotation strimzi.io/next-node-ids is '[0-1, 1]', 2 ids for 3 replicas: further nodes get the lowest free ids of the cluster; write a range that is wide enough to grow (node-pool-ids-not-enough)",
    ],
  ],
];

const TEMPLATES: [Json, string[]][] = [];

/** KafkaNodePools, and all that is said of each. */
export const NODE_POOL_MISTAKES: [Json, string[], StrimziVersion?][] = [...SHAPE, ...IDENTITY, ...TEMPLATES];

/** A KafkaNodePool of the cluster `events` that is right, with more in its spec and its metadata. */
export function pool(spec: Json = {}, metadata: Json = {}, document: Json = {}): Json {
  return {
    apiVersion: 'kafka.strimzi.io/v1',
    kind: 'KafkaNodePool',
    metadata: { name: 'brokers', labels: { 'strimzi.io/cluster': 'events' }, ...metadata },
    spec: { replicas: 3, roles: ['broker'], storage: { type: 'persistent-claim', size: '100Gi' }, ...spec },
    ...document,
  };
}

/** Annotations of ids. */
export function ids(next: unknown, more: Json = {}): Json {
  return { annotations: { 'strimzi.io/next-node-ids': next, ...more } };
}

const GARBAGE: readonly unknown[] = [null, true, 0, -1.5, '', '{nodeId}', 'a b', [], [null], {}, { a: null }];

/** A copy of a manifest for each place in it and each piece of garbage. */
export function* spoilt(tree: unknown, isRoot = true): Generator<unknown> {
  if (!isRoot) yield* GARBAGE;
  if (typeof tree === 'object' && tree !== null) {
    for (const [key, value] of Object.entries(tree)) {
      for (const other of spoilt(value, false)) {
        yield Array.isArray(tree) ? Object.assign([...tree], { [key]: other }) : { ...tree, [key]: other };
      }
    }
  }
}

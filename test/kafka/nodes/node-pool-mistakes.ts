import type { Json } from '../../../src/contract/json';
import { StrimziVersion } from '../../../src/kafka/strimzi/strimzi-version';
import { ids, pool } from './pools';

const OLD: Json = { apiVersion: 'kafka.strimzi.io/v1beta2' };

const CLAIM: Json = { type: 'persistent-claim', size: '100Gi' };

/** What the schema refuses or drops. */
const SHAPE: [Json, string[], StrimziVersion?][] = [
  [
    { ...pool(), spec: undefined },
    ['strimzi: spec is missing; set it: the API server requires it (node-pool-field-missing)'],
  ],
  [
    pool({ replicas: undefined, storage: null }),
    [
      'strimzi: spec.replicas is missing; set it: the API server requires it (node-pool-field-missing)',
      'strimzi: spec.storage is missing; set it: the API server requires it (node-pool-field-missing)',
    ],
  ],
  [
    pool({ roles: undefined }),
    ['strimzi: spec.roles is missing; set it: the API server requires it (node-pool-field-missing)'],
  ],
  [pool({ replicas: -1 }), ['strimzi: spec.replicas is -1; write a whole number from 0 (node-pool-field-shape)']],
  [pool({ replicas: '3' }), ["strimzi: spec.replicas is '3'; write a whole number (node-pool-field-shape)"]],
  [pool({ roles: 'broker' }), ["strimzi: spec.roles is 'broker'; write a list of strings (node-pool-field-shape)"]],
  [
    pool({ roles: ['broker', 'Controller'] }),
    [
      "strimzi: spec.roles[1] is 'Controller', which is not a valid value; use one of controller, broker (node-pool-word)",
    ],
  ],
  [
    pool({ template: { pod: { tolerations: {}, affinity: [] } } }),
    [
      'strimzi: spec.template.pod.tolerations is {}; write a list of anything (node-pool-field-shape)',
      'strimzi: spec.template.pod.affinity is []; write a map of anything (node-pool-field-shape)',
    ],
  ],
  [
    pool({ template: { pod: { nodeSelector: { pool: 'kafka' } } } }),
    [
      'strimzi: spec.template.pod.nodeSelector does not exist in Strimzi 1.2.0, and the API server drops it; write required node affinity with the labels of the nodes in template.pod.affinity (node-pool-field-unknown)',
    ],
  ],
  [
    pool({ config: { 'num.io.threads': 8 }, template: { pods: {}, pod: { resources: {} } } }),
    [
      'strimzi: spec.config does not exist in Strimzi 1.2.0, and the API server drops it; write it in spec.kafka of the Kafka resource, for all pools alike (node-pool-field-unknown)',
      'strimzi: spec.template.pods does not exist in Strimzi 1.2.0, and the API server drops it; write pod (node-pool-field-unknown)',
      'strimzi: spec.template.pod.resources does not exist in Strimzi 1.2.0, and the API server drops it; write it as spec.resources, or remove it (node-pool-field-unknown)',
    ],
  ],
  [
    pool({ template: { pod: { templatedVolumes: [] } } }),
    [
      'strimzi: spec.template.pod.templatedVolumes does not exist in Strimzi 1.1.0, and the API server drops it; use Strimzi 1.2.0 or newer, or remove it (node-pool-field-unknown)',
    ],
    StrimziVersion.V1_1,
  ],
  [
    pool(
      {
        storage: { type: 'jbod', volumes: [{ ...CLAIM, id: 0, volumeAttributesClass: 'gold' }] },
        template: { pod: { hostUsers: false } },
      },
      {},
      OLD,
    ),
    [
      'strimzi: spec.storage.volumes[0].volumeAttributesClass does not exist in Strimzi 0.45.2, and the API server drops it; use Strimzi 0.49.0 or newer, or remove it (node-pool-field-unknown)',
      'strimzi: spec.template.pod.hostUsers does not exist in Strimzi 0.45.2, and the API server drops it; use Strimzi 0.50.0 or newer, or remove it (node-pool-field-unknown)',
    ],
    StrimziVersion.V0_45,
  ],
  [
    pool({ storage: { ...CLAIM, overrides: [{ broker: 0, class: 'a' }] } }),
    [
      'strimzi: spec.storage.overrides does not exist in API version v1, and the API server drops it; correct its name or its place, or remove it (node-pool-field-unknown)',
    ],
  ],
];

/** What is wrong with its names, roles and ids. */
const IDENTITY: [Json, string[], StrimziVersion?][] = [
  [
    pool({}, {}, OLD),
    [
      "strimzi: apiVersion is 'kafka.strimzi.io/v1beta2', which Strimzi 1.2.0 does not serve; under Strimzi 0.49 to 0.51 convert the resources and what the cluster has stored to kafka.strimzi.io/v1 with Strimzi's conversion tool, or name the Strimzi version that runs (node-pool-api-version)",
    ],
  ],
  [
    pool({}, { labels: {} }),
    [
      'strimzi: label strimzi.io/cluster is missing, so that no cluster has the pool; write strimzi.io/cluster: and the name of the Kafka resource (node-pool-cluster)',
    ],
  ],
  [
    pool({}, { labels: { 'strimzi.io/cluster': '' } }),
    [
      "strimzi: label strimzi.io/cluster is '', so that no cluster has the pool; write strimzi.io/cluster: and the name of the Kafka resource (node-pool-cluster)",
    ],
  ],
  [
    pool({}, { labels: { 'strimzi.io/cluster': 'my events' } }),
    [
      "strimzi: label strimzi.io/cluster: 'my events' is not a valid label value (letters, digits, dashes, dots, underscores; first and last a letter or digit); write strimzi.io/cluster: and the name of the Kafka resource (node-pool-cluster)",
      "kubernetes: the name of a pod will be cluster, pool and id, and 'my events-brokers-2' is not a valid DNS label (at most 63 lower-case letters, digits, dashes; this one has 19 characters); choose a shorter or simpler name for the pool (node-pool-name)",
    ],
  ],
  [
    pool({}, { labels: { 'strimzi.io/cluster': 'events', 'strimzi.io/pool-name': 'brokers' } }),
    [
      'strimzi: metadata.labels has strimzi.io/pool-name, with which the operator does not reconcile the cluster; use a label of a domain of your own: settings of the operator are annotations (node-pool-label-reserved)',
    ],
  ],
  [
    pool({}, { name: 'brokers.a' }),
    [
      "kubernetes: the name of a pod will be cluster, pool and id, and 'events-brokers.a-2' is not a valid DNS label (at most 63 lower-case letters, digits, dashes; this one has 18 characters); choose a shorter or simpler name for the pool (node-pool-name)",
    ],
  ],
  [
    // 60 characters with id 2, and 64 with the highest one that its nodes may get
    pool({}, { name: 'b'.repeat(51), ...ids('[0-9, 10000]') }),
    [
      `kubernetes: the name of a pod will be cluster, pool and id, and 'events-${'b'.repeat(51)}-10000' is not a valid DNS label (at most 63 lower-case letters, digits, dashes; this one has 64 characters); choose a shorter or simpler name for the pool (node-pool-name)`,
    ],
  ],
  [
    pool({ roles: [] }),
    [
      'strimzi: spec.roles is empty, with which the operator does not reconcile the cluster; write broker, controller or both (node-pool-roles)',
    ],
  ],
  ...['0-9', '[0-]', '[a]', '[0;1]', '[0-2147483648]', '[1,,2]', 'x'].map((text): [Json, string[]] => [
    pool({ replicas: 0 }, ids(text)),
    [
      `strimzi: annotation strimzi.io/next-node-ids is '${text}', which the operator cannot read, so that it logs a line and gives new nodes the lowest free ids of the cluster; write ids and ranges of ids in brackets, such as '[0, 1, 10-19]' (node-pool-ids)`,
    ],
  ]),
  [
    pool({}, { annotations: { 'strimzi.io/remove-node-ids': '7' } }),
    [
      "strimzi: annotation strimzi.io/remove-node-ids is '7', which the operator cannot read, so that it logs a line and removes the nodes with the highest ids first; write ids and ranges of ids in brackets, such as '[0, 1, 10-19]' (node-pool-ids)",
    ],
  ],
  [
    pool({}, ids('[0-1, 1]')),
    [
      "strimzi: annotation strimzi.io/next-node-ids is '[0-1, 1]', 2 ids for 3 replicas, so that the nodes beyond them get the lowest free ids of the cluster; write a range that is wide enough to grow (node-pool-ids-few)",
    ],
  ],
];

/** What is wrong with its templates. */
const TEMPLATES: [Json, string[]][] = [
  [
    pool({ template: { perPodService: { metadata: { annotations: { 'strimzi.io/a': 'b' } } } } }),
    [
      'strimzi: spec.template.perPodService.metadata.annotations has strimzi.io/a, with which the operator does not reconcile the cluster; use a key of a domain of your own (node-pool-template-reserved)',
    ],
  ],
  [
    pool({ template: { pod: { metadata: { labels: { 'app.kubernetes.io/name': 'a' } } } } }),
    [
      'strimzi: spec.template.pod.metadata.labels has app.kubernetes.io/name, which the operator drops silently; use a key of a domain of your own (node-pool-template-dropped)',
    ],
  ],
];

/** KafkaNodePools, and all that is said of each. */
export const NODE_POOL_MISTAKES: [Json, string[], StrimziVersion?][] = [...SHAPE, ...IDENTITY, ...TEMPLATES];

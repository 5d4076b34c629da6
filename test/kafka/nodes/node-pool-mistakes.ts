import type { Json } from '../../../src/contract/json';
import { StrimziVersion } from '../../../src/kafka/strimzi/strimzi-version';
import { ids, pool } from './pools';

const OLD: Json = { apiVersion: 'kafka.strimzi.io/v1beta2' };

function storage(type: string, more: Json = {}): Json {
  return pool({ storage: { type, ...more } });
}

function volumes(...all: unknown[]): Json {
  return storage('jbod', { volumes: all });
}

const CLAIM: Json = { type: 'persistent-claim', size: '100Gi' };
const SPREAD: Json = { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' };

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
  [
    pool({ storage: { size: '100Gi' } }),
    ['strimzi: spec.storage.type is missing; set it: the API server requires it (node-pool-field-missing)'],
  ],
  [pool({ replicas: -1 }), ['strimzi: spec.replicas is -1; write a whole number from 0 (node-pool-field-shape)']],
  [pool({ replicas: '3' }), ["strimzi: spec.replicas is '3'; write a whole number (node-pool-field-shape)"]],
  [pool({ roles: 'broker' }), ["strimzi: spec.roles is 'broker'; write a list of texts (node-pool-field-shape)"]],
  [
    pool({ template: { pod: { metadata: { labels: { a: 1 } }, terminationGracePeriodSeconds: '60' } } }),
    [
      "strimzi: spec.template.pod.metadata.labels['a'] is 1; write text, in quotes (node-pool-field-shape)",
      "strimzi: spec.template.pod.terminationGracePeriodSeconds is '60'; write a whole number (node-pool-field-shape)",
    ],
  ],
  [
    volumes({ ...CLAIM, id: -1 }),
    ['strimzi: spec.storage.volumes[0].id is -1; write a whole number from 0 (node-pool-field-shape)'],
  ],
  [
    pool({ jvmOptions: { '-Xmx': '4Gi', '-Xms': '512k', '-XX': { MaxRAMPercentage: 50 } } }),
    [
      "strimzi: spec.jvmOptions.-Xmx is '4Gi'; write text like 2048m or 4g (node-pool-field-shape)",
      "strimzi: spec.jvmOptions.-Xms is '512k'; write text like 2048m or 4g (node-pool-field-shape)",
      "strimzi: spec.jvmOptions.-XX['MaxRAMPercentage'] is 50; write text, in quotes (node-pool-field-shape)",
    ],
  ],
  [
    pool({ template: { pod: { tmpDirSizeLimit: 'big' } } }),
    ["strimzi: spec.template.pod.tmpDirSizeLimit is 'big'; write text like 10Gi (node-pool-field-shape)"],
  ],
  [
    pool({ roles: ['broker', 'Controller'] }),
    [
      "strimzi: spec.roles[1] is 'Controller', which is not a valid value; use one of controller, broker (node-pool-word)",
    ],
  ],
  [
    storage('persistentclaim'),
    [
      "strimzi: spec.storage.type is 'persistentclaim', which is not a valid value; use one of ephemeral, persistent-claim, jbod (node-pool-word)",
    ],
  ],
  [
    volumes({ id: 0, type: 'jbod' }, { id: 1, type: 'ephemeral', kraftMetadata: true }),
    [
      'strimzi: spec.storage.volumes[1].kraftMetadata is true; write text (node-pool-field-shape)',
      "strimzi: spec.storage.volumes[0].type is 'jbod', which is not a valid value; use one of ephemeral, persistent-claim (node-pool-word)",
    ],
  ],
  [
    pool({ template: { pod: { dnsPolicy: 'Cluster' } } }),
    [
      "strimzi: spec.template.pod.dnsPolicy is 'Cluster', which is not a valid value; use one of ClusterFirst, ClusterFirstWithHostNet, Default, None (node-pool-word)",
    ],
  ],
  [
    pool({ template: { pod: { nodeSelector: { pool: 'kafka' } } } }),
    [
      'strimzi: no known version of Strimzi has a field spec.template.pod.nodeSelector, so the API server drops it silently; write required node affinity in template.pod.affinity (node-pool-field-unknown)',
    ],
  ],
  [
    pool({ config: { 'num.io.threads': 8 }, template: { pods: {} } }),
    [
      'strimzi: no known version of Strimzi has a field spec.config, so the API server drops it silently; write it in spec.kafka.config of the Kafka resource, for all pools alike (node-pool-field-unknown)',
      'strimzi: no known version of Strimzi has a field spec.template.pods, so the API server drops it silently; correct its name or its place, or remove it (node-pool-field-unknown)',
    ],
  ],
  [
    pool({ template: { pod: { templatedVolumes: [] } } }),
    [
      'strimzi: spec.template.pod.templatedVolumes does not exist in Strimzi 1.1.0; use Strimzi 1.2.0 or newer, or remove it (node-pool-field-since)',
    ],
    StrimziVersion.V1_1,
  ],
  [
    pool(
      {
        storage: { ...CLAIM, volumeAttributesClass: 'gold' },
        resources: { claims: [{ name: 'a', request: 'b' }] },
        template: { pod: { dnsPolicy: 'None', dnsConfig: {}, hostUsers: false } },
      },
      {},
      OLD,
    ),
    [
      'strimzi: spec.storage.volumeAttributesClass does not exist in Strimzi 0.45.2; use Strimzi 0.49.0 or newer, or remove it (node-pool-field-since)',
      'strimzi: spec.resources.claims[0].request does not exist in Strimzi 0.45.2; use Strimzi 0.46.0 or newer, or remove it (node-pool-field-since)',
      'strimzi: spec.template.pod.dnsPolicy does not exist in Strimzi 0.45.2; use Strimzi 0.46.0 or newer, or remove it (node-pool-field-since)',
      'strimzi: spec.template.pod.dnsConfig does not exist in Strimzi 0.45.2; use Strimzi 0.46.0 or newer, or remove it (node-pool-field-since)',
      'strimzi: spec.template.pod.hostUsers does not exist in Strimzi 0.45.2; use Strimzi 0.50.0 or newer, or remove it (node-pool-field-since)',
    ],
    StrimziVersion.V0_45,
  ],
  [
    volumes({ ...CLAIM, id: 0, overrides: [{ broker: 0, class: 'a' }] }),
    [
      'strimzi: spec.storage.volumes[0].overrides does not exist in API version v1; make a node pool for each storage class (node-pool-field-removed)',
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
      "strimzi: label strimzi.io/cluster: 'my events' is no label value (letters, digits, dashes, dots, underscores; first and last a letter or digit); write strimzi.io/cluster: and the name of the Kafka resource (node-pool-cluster)",
      "kubernetes: the name of a pod will be cluster, pool and id, and 'my events-brokers-2' is no DNS label (at most 63 lower-case letters, digits, dashes; this one has 19 characters); choose a shorter or simpler name for the pool (node-pool-name)",
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
      "kubernetes: the name of a pod will be cluster, pool and id, and 'events-brokers.a-2' is no DNS label (at most 63 lower-case letters, digits, dashes; this one has 18 characters); choose a shorter or simpler name for the pool (node-pool-name)",
    ],
  ],
  [
    // 60 characters with id 2, and 64 with the highest one that its nodes may get
    pool({}, { name: 'b'.repeat(51), ...ids('[0-9, 10000]') }),
    [
      `kubernetes: the name of a pod will be cluster, pool and id, and 'events-${'b'.repeat(51)}-10000' is no DNS label (at most 63 lower-case letters, digits, dashes; this one has 64 characters); choose a shorter or simpler name for the pool (node-pool-name)`,
    ],
  ],
  [
    pool({ roles: [] }),
    [
      'strimzi: spec.roles is empty, with which the operator does not reconcile the cluster; write broker, controller or both (node-pool-roles)',
    ],
  ],
  [
    pool({ roles: ['broker', 'controller', 'broker'] }),
    ["strimzi: spec.roles has 'broker' twice; remove one of the two (node-pool-role-twice)"],
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

/** What is wrong with its storage. */
const STORAGE: [Json, string[], StrimziVersion?][] = [
  [
    storage('persistent-claim'),
    [
      'strimzi: spec.storage is a persistent claim without a size, with which the operator does not reconcile the cluster; write size (node-pool-storage-size)',
    ],
  ],
  [
    volumes({ ...CLAIM, id: 0 }, { ...CLAIM, id: 1, size: '' }),
    [
      'strimzi: spec.storage.volumes[1] is a persistent claim without a size, with which the operator does not reconcile the cluster; write size (node-pool-storage-size)',
    ],
  ],
  ...['100GB', '0', '-5Gi', '100 Gi', '0Gi'].map((size): [Json, string[]] => [
    storage('persistent-claim', { size }),
    [
      `kubernetes: spec.storage.size is '${size}', which is no amount above nothing; write one like 100Gi (node-pool-storage-quantity)`,
    ],
  ]),
  [
    storage('ephemeral', { sizeLimit: '1.2.3' }),
    [
      "kubernetes: spec.storage.sizeLimit is '1.2.3', which is no amount above nothing; write one like 100Gi (node-pool-storage-quantity)",
    ],
  ],
  ...['1000000k', '1E9', '+10Gi'].map((size): [Json, string[]] => [
    storage('persistent-claim', { size }),
    [
      `strimzi: spec.storage.size is '${size}', which Kubernetes reads and the operator does not, so that it fails once the size changes; write one like 100Gi (node-pool-storage-unit)`,
    ],
  ]),
  [
    volumes(),
    [
      'strimzi: spec.storage is of type jbod and has no volumes, with which the operator does not reconcile the cluster; write at least one (node-pool-volumes)',
    ],
  ],
  [
    storage('jbod'),
    [
      'strimzi: spec.storage is of type jbod and has no volumes, with which the operator does not reconcile the cluster; write at least one (node-pool-volumes)',
    ],
  ],
  [
    volumes(CLAIM, { ...CLAIM, id: 1 }, { ...CLAIM, id: 1 }),
    [
      'strimzi: spec.storage.volumes[0] has no id, with which the operator does not reconcile the cluster; write one that no other volume has: the name of the claim ends with it (node-pool-volume-id)',
      'strimzi: several volumes of spec.storage have the id 1, with which the operator ignores all changes of the storage; give each an id of its own (node-pool-volume-id)',
    ],
  ],
  [
    volumes({ ...CLAIM, id: 0, kraftMetadata: 'shared' }, { ...CLAIM, id: 1, kraftMetadata: 'shared' }),
    [
      'strimzi: spec.storage.volumes[0] and spec.storage.volumes[1] all have kraftMetadata, with which the operator ignores all changes of the storage; leave it on one of them (node-pool-kraft-metadata)',
    ],
  ],
  [
    storage('ephemeral', { size: '100Gi', deleteClaim: true }),
    [
      'strimzi: spec.storage.size stands on storage of type ephemeral, where the operator ignores it; remove it, or use type persistent-claim (node-pool-storage-field)',
      'strimzi: spec.storage.deleteClaim stands on storage of type ephemeral, where the operator ignores it; remove it, or use type persistent-claim (node-pool-storage-field)',
    ],
  ],
  [
    storage('jbod', { id: 0, volumes: [{ ...CLAIM, id: 0, sizeLimit: '1Gi' }] }),
    [
      'strimzi: spec.storage.id stands on storage of type jbod, where the operator ignores it; remove it, or use type ephemeral or persistent-claim (node-pool-storage-field)',
      'strimzi: spec.storage.volumes[0].sizeLimit stands on storage of type persistent-claim, where the operator ignores it; remove it, or use type ephemeral (node-pool-storage-field)',
    ],
  ],
  [
    pool({ storage: { ...CLAIM, overrides: [{ broker: 0, class: 'a' }] } }, {}, OLD),
    [
      'strimzi: spec.storage.overrides is ignored by Strimzi 0.46.1; make a node pool for each storage class (node-pool-storage-overrides)',
    ],
    StrimziVersion.V0_46,
  ],
  [
    storage('persistent-claim', { size: '1Gi', class: 'gp3 fast', volumeAttributesClass: 'Gold' }),
    [
      "kubernetes: spec.storage.class is 'gp3 fast', which is no name of a class; write the name as the Kubernetes cluster has it (node-pool-storage-class)",
      "kubernetes: spec.storage.volumeAttributesClass is 'Gold', which is no name of a class; write the name as the Kubernetes cluster has it (node-pool-storage-class)",
    ],
  ],
];

/** What is wrong with its resources and its Java. */
const RESOURCES: [Json, string[]][] = [
  [
    pool({ resources: { requests: { memory: '4GB', cpu: 0.5 } } }),
    [
      "strimzi: spec.resources.requests.memory is '4GB', no amount, so the API server refuses the resource; write one like 500m or 4Gi (node-pool-resource-quantity)",
      'strimzi: spec.resources.requests.cpu is 0.5, no amount, so the API server refuses the resource; write one like 500m or 4Gi (node-pool-resource-quantity)',
    ],
  ],
  [
    pool({ resources: { requests: { cpu: 0 }, limits: { memory: '-1Gi', 'example.com/gpu': 0 } } }),
    [
      'strimzi: spec.resources.requests.cpu is 0, with which the operator does not reconcile the cluster; write more, or remove it (node-pool-resource-zero)',
      "strimzi: spec.resources.limits.memory is '-1Gi', with which the operator does not reconcile the cluster; write more, or remove it (node-pool-resource-zero)",
    ],
  ],
  [
    pool({ resources: { requests: { cpu: '1500m', memory: '1Gi' }, limits: { cpu: 1, memory: '1G' } } }),
    [
      "strimzi: spec.resources.requests.cpu is '1500m', above its limit of 1, with which the operator does not reconcile the cluster; raise the limit or lower the request (node-pool-resource-limit)",
      "strimzi: spec.resources.requests.memory is '1Gi', above its limit of '1G', with which the operator does not reconcile the cluster; raise the limit or lower the request (node-pool-resource-limit)",
    ],
  ],
  [
    pool({ jvmOptions: { '-Xms': '4g', '-Xmx': '2048m' } }),
    [
      "strimzi: spec.jvmOptions has -Xms '4g' above -Xmx '2048m', with which Java does not start; write the same for both (node-pool-heap-order)",
    ],
  ],
  [
    pool({ jvmOptions: { '-Xmx': '4G' }, resources: { limits: { memory: '4Gi' } } }),
    [
      "strimzi: spec.jvmOptions has -Xmx '4G', and the memory limit is '4Gi': the container is killed before its heap is full; give the heap half of the limit or less: Kafka lives on the page cache (node-pool-heap-limit)",
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
      'strimzi: spec.template.pod.metadata.labels has app.kubernetes.io/name, which the operator drops without a word; use a key of a domain of your own (node-pool-template-dropped)',
    ],
  ],
  [
    pool({ template: { pod: { volumes: [{ name: 'a' }, { name: 'own' }], templatedVolumes: [{ name: 'own' }] } } }),
    [
      "strimzi: a volume of spec.template.pod has the name 'a', with which the operator does not reconcile the cluster; use 2 to 63 letters, digits, dashes, dots and underscores, first and last a letter or digit (node-pool-volume-name)",
      "strimzi: several volumes of spec.template.pod have the name 'own', with which the API server refuses the pods; give each a name of its own (node-pool-volume-name)",
    ],
  ],
  [
    pool({ template: { kafkaContainer: { volumeMounts: [{ mountPath: '/mnt/a' }, { mountPath: '/opt/plugins' }] } } }),
    [
      "strimzi: spec.template.kafkaContainer mounts a volume at '/opt/plugins', with which the operator does not reconcile the cluster; mount it below /mnt (node-pool-mount-path)",
    ],
  ],
  [
    pool({ template: { pod: { topologySpreadConstraints: [{ ...SPREAD, labelSelector: {} }, SPREAD] } } }),
    [
      'strimzi: spec.template.pod.topologySpreadConstraints[1] has no labelSelector, so that it counts no pod and spreads nothing; write one that the pods of the cluster match (node-pool-spread-selector)',
    ],
  ],
];

/** KafkaNodePools, and all that is said of each. */
export const NODE_POOL_MISTAKES: [Json, string[], StrimziVersion?][] = [
  ...SHAPE,
  ...IDENTITY,
  ...STORAGE,
  ...RESOURCES,
  ...TEMPLATES,
];

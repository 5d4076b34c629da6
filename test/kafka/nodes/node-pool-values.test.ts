import { Duration, Size } from 'cdk8s';
import { KafkaTieredStorage } from '../../../src/kafka/cluster/kafka-tiered-storage';
import { jvmOptionsJson } from '../../../src/kafka/nodes/jvm-options-json';
import { KafkaDnsPolicy } from '../../../src/kafka/nodes/kafka-dns-policy';
import type { KafkaJvmOptions } from '../../../src/kafka/nodes/kafka-jvm-options';
import { KafkaNodeIds } from '../../../src/kafka/nodes/kafka-node-ids';
import { KafkaNodeRole } from '../../../src/kafka/nodes/kafka-node-role';
import type { KafkaPodTemplate } from '../../../src/kafka/nodes/kafka-pod-template';
import type { KafkaResources } from '../../../src/kafka/nodes/kafka-resources';
import { KafkaStorage } from '../../../src/kafka/nodes/kafka-storage';
import { KafkaVolume } from '../../../src/kafka/nodes/kafka-volume';
import { judgeNodePool } from '../../../src/kafka/nodes/node-pool-rules';
import { podTemplateJson } from '../../../src/kafka/nodes/pod-template-json';
import { resourcesJson } from '../../../src/kafka/nodes/resources-json';
import { nodeIdsIn } from '../../../src/kafka/operator/node-pool-ids';
import { StrimziVersion } from '../../../src/kafka/strimzi/strimzi-version';
import { pool } from './pools';

const HUNDRED = Size.gibibytes(100);

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
  [() => KafkaNodeIds.of([1, 2, 1]), 'strimzi: node id 1 stands twice; remove one'],
  [() => KafkaNodeIds.between(0, 9).plus(KafkaNodeIds.of([9])), 'strimzi: node id 9 stands twice; remove one'],
  [
    () => KafkaStorage.persistentClaim(Size.gibibytes(0)),
    'strimzi: a persistent volume cannot have a size of 0Gi; write how much it shall hold',
  ],
  [() => KafkaStorage.jbod([]), 'strimzi: storage cannot be jbod without a volume; name at least one'],
  [
    () => KafkaStorage.jbod([KafkaVolume.ephemeral(1), KafkaVolume.persistentClaim(1, HUNDRED)]),
    'strimzi: two volumes cannot have the id 1; give each an id of its own',
  ],
  [
    () =>
      KafkaStorage.jbod([
        KafkaVolume.persistentClaim(0, HUNDRED, { holdsKraftMetadata: true }),
        KafkaVolume.persistentClaim(1, HUNDRED),
        KafkaVolume.ephemeral(2, { holdsKraftMetadata: true }),
      ]),
    'strimzi: volumes 0, 2 cannot all hold the metadata log; choose one of them',
  ],
  [() => KafkaVolume.ephemeral(-1), 'strimzi: -1 cannot be the id of a volume; write a whole number from 0'],
  [
    () => KafkaVolume.persistentClaim(0.5, HUNDRED),
    'strimzi: 0.5 cannot be the id of a volume; write a whole number from 0',
  ],
  [
    () => KafkaTieredStorage.custom({ className: '', classPath: '/a/*' }),
    'strimzi: tiered storage cannot have an empty className; name the plugin that the image of the brokers holds',
  ],
  [
    () => KafkaTieredStorage.custom({ className: 'a.B', classPath: '' }),
    'strimzi: tiered storage cannot have an empty classPath; name the plugin that the image of the brokers holds',
  ],
])('%s is refused: %s', (make, message) => {
  expect(make).toThrow(new Error(message));
});

const STORAGES: [string, KafkaStorage, object][] = [
  ['a claim', KafkaStorage.persistentClaim(HUNDRED), { type: 'persistent-claim', size: '100Gi' }],
  [
    'a claim with all of its options',
    KafkaStorage.persistentClaim(Size.tebibytes(2), {
      storageClass: 'gp3',
      deleteClaim: false,
      selector: { disk: 'fast' },
      volumeAttributesClass: 'gold',
    }),
    {
      type: 'persistent-claim',
      size: '2Ti',
      class: 'gp3',
      deleteClaim: false,
      selector: { disk: 'fast' },
      volumeAttributesClass: 'gold',
    },
  ],
  [
    'a claim of a volume that exists',
    KafkaStorage.persistentClaim(HUNDRED, { storageClass: '' }),
    { type: 'persistent-claim', size: '100Gi', class: '' },
  ],
  ['ephemeral', KafkaStorage.ephemeral(), { type: 'ephemeral' }],
  [
    'ephemeral with a limit',
    KafkaStorage.ephemeral({ sizeLimit: Size.gibibytes(1) }),
    { type: 'ephemeral', sizeLimit: '1Gi' },
  ],
  [
    'several volumes',
    KafkaStorage.jbod([
      KafkaVolume.persistentClaim(3, HUNDRED, { deleteClaim: true, holdsKraftMetadata: true }),
      KafkaVolume.persistentClaim(1, HUNDRED, { storageClass: 'slow', holdsKraftMetadata: false }),
      KafkaVolume.ephemeral(7, { sizeLimit: Size.mebibytes(5) }),
    ]),
    {
      type: 'jbod',
      volumes: [
        { id: 3, type: 'persistent-claim', size: '100Gi', deleteClaim: true, kraftMetadata: 'shared' },
        { id: 1, type: 'persistent-claim', size: '100Gi', class: 'slow' },
        { id: 7, type: 'ephemeral', sizeLimit: '5Mi' },
      ],
    },
  ],
];

test.each(STORAGES)('storage is written as %s', (_, storage, expected) => {
  expect(storage._toJson()).toEqual(expected);
});

const RESOURCES: [KafkaResources, object][] = [
  [{}, {}],
  [{ requests: { cpu: '500m', memory: Size.gibibytes(4) } }, { requests: { cpu: '500m', memory: '4Gi' } }],
  [
    { requests: { cpu: '1' }, limits: { memory: Size.mebibytes(512), others: { 'hugepages-2Mi': '64Mi' } } },
    { requests: { cpu: '1' }, limits: { memory: '512Mi', 'hugepages-2Mi': '64Mi' } },
  ],
  [
    { claims: [{ name: 'disk' }, { name: 'nic', request: 'a' }] },
    { claims: [{ name: 'disk' }, { name: 'nic', request: 'a' }] },
  ],
];

test.each(RESOURCES)('resources %j are written as %j', (resources, expected) => {
  expect(resourcesJson(resources)).toEqual(expected);
});

const JVMS: [KafkaJvmOptions, object][] = [
  [{}, {}],
  [
    { initialHeap: Size.gibibytes(4), maximumHeap: Size.gibibytes(4) },
    { '-Xms': '4G', '-Xmx': '4G' },
  ],
  [{ maximumHeap: Size.mebibytes(2048) }, { '-Xmx': '2G' }],
  [{ maximumHeap: Size.mebibytes(1536) }, { '-Xmx': '1536M' }],
  [{ maximumHeap: Size.gibibytes(1.5) }, { '-Xmx': '1536M' }],
  [{ maximumHeap: Size.kibibytes(10) }, { '-Xmx': '10240' }],
  [{ gcLoggingEnabled: false }, { gcLoggingEnabled: false }],
  [
    { xx: { UseG1GC: 'true' }, javaSystemProperties: { 'a.b': 'c', d: '' } },
    {
      '-XX': { UseG1GC: 'true' },
      javaSystemProperties: [
        { name: 'a.b', value: 'c' },
        { name: 'd', value: '' },
      ],
    },
  ],
];

test.each(JVMS)('options of Java %j are written as %j', (options, expected) => {
  expect(jvmOptionsJson(options)).toEqual(expected);
});

const SPREAD = { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule', labelSelector: {} };
const PODS: [KafkaPodTemplate, object][] = [
  [{}, {}],
  [{ labels: undefined, priorityClassName: undefined, tolerations: undefined }, {}],
  [{ labels: { team: 'a' } }, { metadata: { labels: { team: 'a' } } }],
  [
    {
      annotations: { a: 'b' },
      affinity: { nodeAffinity: {} },
      tolerations: [{ key: 'kafka' }],
      topologySpreadConstraints: [SPREAD],
      priorityClassName: 'high',
      schedulerName: 'other',
      hostAliases: [{ ip: '10.0.0.1', hostnames: ['a'] }],
      dnsPolicy: KafkaDnsPolicy.NODE,
      dnsConfig: { nameservers: ['10.0.0.2'] },
      securityContext: { fsGroup: 1000 },
      imagePullSecrets: ['registry'],
      terminationGracePeriod: Duration.minutes(2),
      enableServiceLinks: false,
      tmpDirSizeLimit: Size.mebibytes(64),
      volumes: [{ name: 'plugins', emptyDir: {} }],
      templatedVolumes: [{ name: 'own', secret: { secretName: 'a-{nodeId}' } }],
      hostUsers: false,
    },
    {
      metadata: { annotations: { a: 'b' } },
      affinity: { nodeAffinity: {} },
      tolerations: [{ key: 'kafka' }],
      topologySpreadConstraints: [SPREAD],
      priorityClassName: 'high',
      schedulerName: 'other',
      hostAliases: [{ ip: '10.0.0.1', hostnames: ['a'] }],
      dnsPolicy: 'Default',
      dnsConfig: { nameservers: ['10.0.0.2'] },
      securityContext: { fsGroup: 1000 },
      imagePullSecrets: [{ name: 'registry' }],
      terminationGracePeriodSeconds: 120,
      enableServiceLinks: false,
      tmpDirSizeLimit: '64Mi',
      volumes: [{ name: 'plugins', emptyDir: {} }],
      templatedVolumes: [{ name: 'own', secret: { secretName: 'a-{nodeId}' } }],
      hostUsers: false,
    },
  ],
];

test.each(PODS)('a template of pods %j is written as %j', (template, expected) => {
  expect(podTemplateJson(template)).toEqual(expected);
});

test('no rule has anything to say of what these values write', () => {
  const { V1_2 } = StrimziVersion;
  const said = [
    ...STORAGES.map(([, storage]) => ({ storage: storage._toJson() })),
    ...RESOURCES.map(([resources]) => ({ resources: resourcesJson(resources) })),
    ...JVMS.map(([options]) => ({ jvmOptions: jvmOptionsJson(options) })),
    ...PODS.map(([template]) => ({ template: { pod: podTemplateJson(template) } })),
    { roles: Object.values(KafkaNodeRole) },
    ...Object.values(KafkaDnsPolicy).map((dnsPolicy) => ({ template: { pod: podTemplateJson({ dnsPolicy }) } })),
  ].map((spec) => judgeNodePool(pool(spec), { strimzi: V1_2 }));
  expect(said.flatMap(({ errors, warnings }) => [...errors, ...warnings])).toEqual([]);
});

test('tiered storage is written as the Kafka resource has it', () => {
  const className = 'com.example.S3';
  const classPath = '/opt/kafka/plugins/tiered-storage/*';
  expect(KafkaTieredStorage.custom({ className, classPath })._toJson()).toEqual({
    type: 'custom',
    remoteStorageManager: { className, classPath },
  });
  expect(KafkaTieredStorage.custom({ className, classPath, config: { 'storage.bucket.name': 'a' } })._toJson()).toEqual(
    {
      type: 'custom',
      remoteStorageManager: { className, classPath, config: { 'storage.bucket.name': 'a' } },
    },
  );
});

test('what is written can be changed without harm to the next rendering', () => {
  const options = { storageClass: 'gp3', selector: { disk: 'fast' } };
  const storages = [
    KafkaStorage.persistentClaim(HUNDRED, options),
    KafkaStorage.jbod([KafkaVolume.persistentClaim(0, HUNDRED, options)]),
  ];
  for (const storage of storages) {
    const before = JSON.stringify(storage._toJson());
    const json = storage._toJson();
    const volume = json.volumes?.[0] ?? json;
    volume.selector.disk = 'slow';
    volume.size = '1Gi';
    expect(JSON.stringify(storage._toJson())).toBe(before);
  }
  expect(options.selector).toEqual({ disk: 'fast' });
});

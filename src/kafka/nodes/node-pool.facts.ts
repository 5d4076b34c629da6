// What a KafkaNodePool may hold, and what the operator makes of it. strimzi/strimzi-kafka-operator, tags 0.45.0 to 1.2.0:
// packaging/install/cluster-operator/045-Crd-kafkanodepool.yaml (0.45: 04A-…), cluster-operator/…/model/KafkaPool.java,
// StorageUtils.java, VolumeUtils.java, TemplateUtils.java, nodepools/NodePoolUtils.java and NodeIdRange.java; CHANGELOG.md

import { type SchemaField, type SchemaFields, Shape } from '../../contract/schema/field';
import { HEAP_FORM, QUANTITY_FORM } from '../document/kafka-fields.facts';

/** The ids that the nodes have which go first when there are to be fewer, such as `[7, 3-5]`. Annotations.java */
export const REMOVE_NODE_IDS_ANNOTATION = 'strimzi.io/remove-node-ids';

/** Ids are integers of Java. NodeIdRange.java */
export const HIGHEST_NODE_ID = 2_147_483_647;

/** The types of storage. */
export const STORAGE_TYPES = { ephemeral: 'ephemeral', persistentClaim: 'persistent-claim', jbod: 'jbod' } as const;

/** What a volume says that holds the metadata log beside partitions. */
export const KRAFT_METADATA_SHARED = 'shared';

/** The fields of storage, each with the types that have it; on others the operator ignores it. */
export const STORAGE_FIELD_TYPES: Readonly<Record<string, readonly string[]>> = {
  size: [STORAGE_TYPES.persistentClaim],
  class: [STORAGE_TYPES.persistentClaim],
  selector: [STORAGE_TYPES.persistentClaim],
  deleteClaim: [STORAGE_TYPES.persistentClaim],
  volumeAttributesClass: [STORAGE_TYPES.persistentClaim],
  overrides: [STORAGE_TYPES.persistentClaim],
  sizeLimit: [STORAGE_TYPES.ephemeral],
  volumes: [STORAGE_TYPES.jbod],
  id: [STORAGE_TYPES.ephemeral, STORAGE_TYPES.persistentClaim],
  kraftMetadata: [STORAGE_TYPES.ephemeral, STORAGE_TYPES.persistentClaim],
};

/** From here the operator ignores what storage says of single brokers. */
export const OVERRIDES_UNTIL = '0.46.0';

/** Quantities whose unit the operator reads; Kubernetes knows more. StorageUtils.java */
export const READABLE_SIZE = /^[0-9.]+(e[0-9]+|m|[KMGTPE]i|[MGTPE])?$/;

/** Fields of `jvmOptions` that are spelt as Java spells its options. */
export const JVM_FIELDS = { initialHeap: '-Xms', maximumHeap: '-Xmx', xx: '-XX' } as const;

/** Where containers may mount volumes of their template. TemplateUtils.java */
export const MOUNT_PREFIX = '/mnt';

/** Names of volumes of a template. TemplateUtils.java */
export const VOLUME_NAME = /^(?=.{0,63}$)[a-zA-Z0-9][a-zA-Z0-9-._]*[a-zA-Z0-9]$/;

/** The templates of a node pool; the Kafka resource has the same, and others. */
export const POOL_TEMPLATES: readonly string[] = [
  'podSet',
  'pod',
  'perPodService',
  'perPodRoute',
  'perPodIngress',
  'persistentVolumeClaim',
  'kafkaContainer',
  'initContainer',
];

/** From here each template of a pool replaces the one of its name; before, any of them replaced all of the Kafka resource. */
export const TEMPLATES_MERGED_SINCE = '0.49.0';

/** From here the operator no longer spreads the pods of a cluster with racks over them. */
export const RACKS_SPREAD_UNTIL = '0.49.0';

/** The metadata version from which a node may have several volumes. NodePoolUtils.java */
export const SEVERAL_VOLUMES_SINCE = [3, 7] as const;

/** What the annotation about KRaft says while a cluster moves from ZooKeeper. KafkaMetadataStateManager.java of 0.45.0 */
export const MIGRATING: readonly string[] = ['migration', 'rollback'];

const TEXT: SchemaField = { shape: Shape.TEXT };
const BOOLEAN: SchemaField = { shape: Shape.BOOLEAN };
const MAP: SchemaField = { shape: Shape.MAP };
const MAPS: SchemaField = { shape: Shape.MAPS };
const TEXT_MAP: SchemaField = { shape: Shape.TEXT_MAP };
const FREE: SchemaField = { shape: Shape.FREE };
const FREE_LIST: SchemaField = { shape: Shape.FREE_LIST };
const COUNT: SchemaField = { shape: Shape.INTEGER, atLeast: 0, takes: `${Shape.INTEGER} from 0` };
const LIMIT: SchemaField = {
  shape: Shape.TEXT,
  pattern: QUANTITY_FORM,
  takes: 'text like 10Gi',
};
const HEAP: SchemaField = {
  shape: Shape.TEXT,
  pattern: HEAP_FORM,
  takes: 'text like 2048m or 4g',
};

/** The fields of storage, and of each of its volumes. */
function volumeFields(prefix: string, types: readonly string[]): Record<string, SchemaField> {
  return {
    [`${prefix}.type`]: { shape: Shape.TEXT, required: true, values: types },
    [`${prefix}.id`]: COUNT,
    [`${prefix}.kraftMetadata`]: { shape: Shape.TEXT, values: [KRAFT_METADATA_SHARED] },
    [`${prefix}.size`]: TEXT,
    [`${prefix}.sizeLimit`]: LIMIT,
    [`${prefix}.class`]: TEXT,
    [`${prefix}.selector`]: TEXT_MAP,
    [`${prefix}.deleteClaim`]: BOOLEAN,
    [`${prefix}.volumeAttributesClass`]: { ...TEXT, since: '0.49.0' },
    [`${prefix}.overrides`]: { ...FREE_LIST, oldApi: true },
  };
}

/** A template that has metadata, and the fields beside it. */
function templateFields(name: string, more: Record<string, SchemaField> = {}): Record<string, SchemaField> {
  const inside = Object.entries(more).map(([field, what]) => [`template.${name}.${field}`, what]);
  return {
    [`template.${name}`]: MAP,
    [`template.${name}.metadata`]: MAP,
    [`template.${name}.metadata.labels`]: TEXT_MAP,
    [`template.${name}.metadata.annotations`]: TEXT_MAP,
    ...Object.fromEntries(inside),
  };
}

/** The template of a container. */
function containerFields(name: string): Record<string, SchemaField> {
  return {
    [`template.${name}`]: MAP,
    [`template.${name}.env`]: FREE_LIST,
    [`template.${name}.securityContext`]: FREE,
    [`template.${name}.volumeMounts`]: FREE_LIST,
  };
}

/** By the path below `spec`; what stands in the maps of a list has the path of that list. */
export const NODE_POOL_FIELDS: SchemaFields = {
  replicas: { ...COUNT, required: true },
  roles: { shape: Shape.TEXTS, required: true, values: ['controller', 'broker'] },
  storage: { ...MAP, required: true },
  ...volumeFields('storage', Object.values(STORAGE_TYPES)),
  'storage.volumes': MAPS,
  ...volumeFields('storage.volumes', [STORAGE_TYPES.ephemeral, STORAGE_TYPES.persistentClaim]),
  resources: MAP,
  'resources.requests': FREE,
  'resources.limits': FREE,
  'resources.claims': MAPS,
  'resources.claims.name': TEXT,
  'resources.claims.request': { ...TEXT, since: '0.46.0' },
  jvmOptions: MAP,
  'jvmOptions.-Xms': HEAP,
  'jvmOptions.-Xmx': HEAP,
  'jvmOptions.-XX': TEXT_MAP,
  'jvmOptions.gcLoggingEnabled': BOOLEAN,
  'jvmOptions.javaSystemProperties': MAPS,
  'jvmOptions.javaSystemProperties.name': TEXT,
  'jvmOptions.javaSystemProperties.value': TEXT,
  template: MAP,
  ...templateFields('podSet'),
  ...templateFields('pod', {
    affinity: FREE,
    tolerations: FREE_LIST,
    topologySpreadConstraints: FREE_LIST,
    priorityClassName: TEXT,
    schedulerName: TEXT,
    hostAliases: FREE_LIST,
    dnsPolicy: {
      ...TEXT,
      since: '0.46.0',
      values: ['ClusterFirst', 'ClusterFirstWithHostNet', 'Default', 'None'],
    },
    dnsConfig: { ...FREE, since: '0.46.0' },
    securityContext: FREE,
    imagePullSecrets: FREE_LIST,
    terminationGracePeriodSeconds: COUNT,
    enableServiceLinks: BOOLEAN,
    tmpDirSizeLimit: LIMIT,
    volumes: FREE_LIST,
    templatedVolumes: { ...FREE_LIST, since: '1.2.0' },
    hostUsers: { ...BOOLEAN, since: '0.50.0' },
  }),
  ...templateFields('perPodService'),
  ...templateFields('perPodRoute'),
  ...templateFields('perPodIngress'),
  ...templateFields('persistentVolumeClaim'),
  ...containerFields('kafkaContainer'),
  ...containerFields('initContainer'),
};

const OVERRIDES_REMEDY = 'make a node pool for each storage class';

/** Where fields belong that people write in a node pool, by the path where they do. */
export const ELSEWHERE: Readonly<Record<string, string>> = {
  nodeSelector: 'write required node affinity in template.pod.affinity',
  affinity: 'write it in template.pod',
  tolerations: 'write it in template.pod',
  topologySpreadConstraints: 'write it in template.pod',
  config: 'write it in spec.kafka.config of the Kafka resource, for all pools alike',
  listeners: 'write it in spec.kafka of the Kafka resource',
  rack: 'write it in spec.kafka of the Kafka resource',
  version: 'write it in spec.kafka of the Kafka resource',
  'template.pod.nodeSelector': 'write required node affinity in template.pod.affinity',
  'template.pod.resources': 'write it in spec.resources',
  'template.kafkaContainer.resources': 'write it in spec.resources',
  'template.kafkaContainer.metadata': 'write it in template.pod',
  'storage.overrides': OVERRIDES_REMEDY,
  'storage.volumes.overrides': OVERRIDES_REMEDY,
};

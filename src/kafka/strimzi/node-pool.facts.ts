// What decides nodes and their ids in a KafkaNodePool, and what the operator makes of it. strimzi/strimzi-kafka-operator, tags 0.45.0 to 1.2.0:
// packaging/install/cluster-operator/045-Crd-kafkanodepool.yaml (0.45: 04A-…), cluster-operator/…/model/KafkaPool.java,
// nodepools/NodePoolUtils.java and NodeIdRange.java; CHANGELOG.md

import type { Citation } from '../../contract/kubernetes.facts';
import { type SchemaFields, Shape } from '../../contract/schema/field';

/** The ids of the nodes that go first when there are to be fewer, such as `[7, 3-5]`. Annotations.java */
export const REMOVE_NODE_IDS_ANNOTATION = 'strimzi.io/remove-node-ids';

/** Ids are integers of Java. NodeIdRange.java */
export const HIGHEST_NODE_ID = 2_147_483_647;

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

const UPSTREAM = { repository: 'strimzi/strimzi-kafka-operator', version: '0.45.0 to 1.2.0' };
const MODEL = 'cluster-operator/src/main/java/io/strimzi/operator/cluster/model';

/** Where the fields of a node pool were read. */
export const POOL_SCHEMA: Citation = {
  ...UPSTREAM,
  file: 'packaging/install/cluster-operator/045-Crd-kafkanodepool.yaml',
};

/** Where it was read what the operator makes of a node pool. */
export const POOL_MODEL: Citation = { ...UPSTREAM, file: `${MODEL}/KafkaPool.java` };

/** Where it was read what the operator makes of all node pools of a cluster. */
export const POOLS_MODEL: Citation = { ...UPSTREAM, file: `${MODEL}/nodepools/NodePoolUtils.java` };

/** By the path below `spec`: what decides nodes and where they run. All else is plain data, whose names alone are compared. */
export const NODE_POOL_FIELDS: SchemaFields = {
  replicas: { shape: Shape.INTEGER, atLeast: 0, takes: `${Shape.INTEGER} from 0`, required: true },
  roles: { shape: Shape.TEXTS, required: true, values: ['controller', 'broker'] },
  storage: { shape: Shape.FREE, required: true },
  template: { shape: Shape.MAP },
  'template.pod': { shape: Shape.MAP },
  'template.pod.affinity': { shape: Shape.FREE },
  'template.pod.tolerations': { shape: Shape.FREE_LIST },
  'template.pod.topologySpreadConstraints': { shape: Shape.FREE_LIST },
};

import { join } from 'node:path';
import { ApiObject, type Chart, Yaml } from 'cdk8s';
import { Construct } from 'constructs';
import { type IKafkaCluster, KafkaCluster, StrimziVersion } from '../../src';
import type { Json } from '../../src/contract/json';
import { newChart } from '../support/apps';

/** Objects as somebody else wrote them, in a construct of a fresh chart. */
export function manifests(...objects: Json[]): { chart: Chart; construct: Construct } {
  return manifestsIn(newChart('kafka'), ...objects);
}

function manifestsIn(chart: Chart, ...objects: Json[]): { chart: Chart; construct: Construct } {
  const construct = new Construct(chart, 'Existing');
  for (const [i, object] of objects.entries()) {
    new ApiObject(construct, `${object.kind}-${i}`, object as never);
  }
  return { chart, construct };
}

/** Below 0.48 a Kafka resource says that it has node pools and KRaft. */
const POOLS_ON = { annotations: { 'strimzi.io/kraft': 'enabled', 'strimzi.io/node-pools': 'enabled' } };

const REPLICATED = { 'default.replication.factor': 3, 'min.insync.replicas': 2 };

/** A Kafka resource with the listeners that it has already. */
export function kafkaWith(listeners: Json[], strimzi: StrimziVersion, more: Json = {}): Json {
  const plain = { name: 'plain', port: 9092, type: 'internal', tls: false };
  return {
    apiVersion: strimzi.apiVersion,
    kind: 'Kafka',
    metadata: { name: 'events', ...(strimzi.isAtLeast(StrimziVersion.V0_48) ? {} : POOLS_ON), ...more.metadata },
    spec: { kafka: { config: REPLICATED, listeners: [plain, ...listeners], ...more.kafka } },
  };
}

/** A node pool of the cluster `events`. */
export function nodePool(name: string, strimzi: StrimziVersion, more: Json = {}): Json {
  return {
    apiVersion: strimzi.apiVersion,
    kind: 'KafkaNodePool',
    metadata: {
      name,
      labels: { 'strimzi.io/cluster': 'events' },
      annotations: { 'strimzi.io/next-node-ids': '[0-9]' },
      ...more.metadata,
    },
    spec: { replicas: 3, roles: ['broker'], storage: { type: 'ephemeral' }, ...more.spec },
    ...(more.status && { status: more.status }),
  };
}

/** A cluster of three brokers. */
export function clusterWith(
  listeners: Json[],
  strimzi = StrimziVersion.V0_49,
  more: Json = {},
  pool: Json = {},
  within = newChart('kafka'),
): { chart: Chart; cluster: IKafkaCluster } {
  const { chart, construct } = manifestsIn(
    within,
    kafkaWith(listeners, strimzi, more),
    nodePool('brokers', strimzi, pool),
  );
  return { chart, cluster: KafkaCluster.fromManifest(construct, { strimzi }) };
}

/** The objects of a file beside this one. */
export function fileObjects(name: string): Json[] {
  return Yaml.load(join(__dirname, 'manifests', name));
}

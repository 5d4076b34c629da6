import type { Chart } from 'cdk8s';
import { type IKafkaCluster, KafkaCluster, StrimziVersion } from '../../../src';
import type { Json } from '../../../src/contract/json';
import { manifests, nodePool } from '../clusters';
import { cluster } from './entities';

/** A cluster that exists as a manifest, with three brokers. */
export function existing(strimzi = StrimziVersion.V1_2, more: Json = {}): { chart: Chart; cluster: IKafkaCluster } {
  const document: Json = { ...cluster(more), apiVersion: strimzi.apiVersion };
  const annotations = strimzi.isAtLeast(StrimziVersion.V0_48)
    ? {}
    : { annotations: { 'strimzi.io/kraft': 'enabled', 'strimzi.io/node-pools': 'enabled' } };
  const { chart, construct } = manifests(
    { ...document, metadata: { ...document.metadata, ...annotations } },
    nodePool('brokers', strimzi, { metadata: { namespace: 'kafka' } }),
  );
  return { chart, cluster: KafkaCluster.fromManifest(construct, { strimzi }) };
}

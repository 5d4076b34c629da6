import { CLUSTER_LABEL, NEXT_NODE_IDS_ANNOTATION } from '../operator/operator-services.facts';
import type { KafkaNodePool, KafkaNodePoolProps } from './kafka-node-pool';

/** Refuses labels and annotations of which the pool has props: they would be replaced without a word. */
export function refuseReserved(pool: KafkaNodePool, { name, labels, annotations }: KafkaNodePoolProps): void {
  const refuse = (what: string, map: object | undefined, key: string, prop: string) => {
    if (map && Object.hasOwn(map, key)) {
      throw new Error(`${pool.node.path}: node pool '${name}': ${what} cannot have ${key}; say it by the prop ${prop}`);
    }
  };
  refuse('labels', labels, CLUSTER_LABEL, 'kafka');
  refuse('annotations', annotations, NEXT_NODE_IDS_ANNOTATION, 'nodeIds');
}

import type { Json } from '../../contract/json';
import type { KafkaConfigMapKey } from './kafka-config-map-key';

/** A `valueFrom` of Strimzi. */
export function configMapKeyJson({ configMapName, key }: KafkaConfigMapKey): Json {
  return { configMapKeyRef: { name: configMapName, key } };
}

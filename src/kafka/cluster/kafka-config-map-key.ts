/**
 * A key of a ConfigMap in the namespace of the cluster. It is referred to, not made: the operator refuses to reconcile as
 * long as it does not exist.
 */
export interface KafkaConfigMapKey {
  /** The name of the ConfigMap. */
  readonly configMapName: string;

  /** The key in it. */
  readonly key: string;
}

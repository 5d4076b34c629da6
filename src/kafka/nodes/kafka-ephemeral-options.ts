import type { Size } from 'cdk8s';

/**
 * A volume that lives as long as its pod.
 */
export interface KafkaEphemeralOptions {
  /**
   * How much may be written: a pod that writes more is evicted, and its data is gone.
   *
   * @default - as much as the disk of the node holds
   */
  readonly sizeLimit?: Size;
}

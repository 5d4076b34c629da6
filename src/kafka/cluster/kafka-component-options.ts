import type { KafkaResources } from '../nodes/kafka-resources';
import type { KafkaProbe } from './kafka-probe';

/**
 * What every component has that the operator runs beside the brokers.
 */
export interface KafkaComponentOptions {
  /**
   * What the container may use.
   *
   * @default - no requests and no limits
   */
  readonly resources?: KafkaResources;

  /**
   * When the container is taken for dead.
   *
   * @default - chosen by the operator
   */
  readonly livenessProbe?: KafkaProbe;

  /**
   * When the container is taken for not ready.
   *
   * @default - chosen by the operator
   */
  readonly readinessProbe?: KafkaProbe;

  /**
   * The image of the container.
   *
   * @default - that of the operator's release
   */
  readonly image?: string;
}

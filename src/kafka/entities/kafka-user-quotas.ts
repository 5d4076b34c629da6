import type { Size } from 'cdk8s';

/**
 * How much a user may ask of each broker, all its clients together. Kafka slows down whoever asks for more, and refuses
 * nothing. It does not count where the cluster has `KafkaQuotas.strimzi()`.
 *
 * @see https://strimzi.io/docs/operators/latest/configuring.html#type-KafkaUserQuotas-reference
 */
export interface KafkaUserQuotas {
  /**
   * What it may write to each broker in a second.
   *
   * @default - as much as it likes
   */
  readonly producerRate?: Size;

  /**
   * What it may read from each broker in a second.
   *
   * @default - as much as it likes
   */
  readonly consumerRate?: Size;

  /**
   * The time of a broker's network and I/O threads that it may use, in percent of one thread: 200 are two threads.
   *
   * @default - as much as it likes
   */
  readonly requestPercentage?: number;

  /**
   * How many partitions it may create, add and delete in a second.
   *
   * @default - as many as it likes
   */
  readonly controllerMutationRate?: number;
}

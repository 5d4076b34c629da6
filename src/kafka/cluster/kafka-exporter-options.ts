import type { KafkaPodTemplate } from '../nodes/kafka-pod-template';
import type { KafkaComponentOptions } from './kafka-component-options';

/**
 * The exporter of consumer lag and offsets to Prometheus, which runs beside the cluster. Given without options it tells
 * everything about all topics and groups.
 *
 * @see https://strimzi.io/docs/operators/latest/configuring.html#type-KafkaExporterSpec-reference
 */
export interface KafkaExporterOptions extends KafkaComponentOptions {
  /**
   * Which consumer groups are told, as a regular expression (Go).
   *
   * @default '.*'
   */
  readonly groupRegex?: string;

  /**
   * Which topics are told, as a regular expression (Go).
   *
   * @default '.*'
   */
  readonly topicRegex?: string;

  /**
   * Which of these consumer groups are left out.
   *
   * @default - none
   */
  readonly groupExcludeRegex?: string;

  /**
   * Which of these topics are left out.
   *
   * @default - none
   */
  readonly topicExcludeRegex?: string;

  /**
   * How much is logged: `info`, `debug` or `trace`.
   *
   * @default 'info'
   */
  readonly logLevel?: string;

  /**
   * Whether the library for Kafka logs as well.
   *
   * @default false
   */
  readonly enableSaramaLogging?: boolean;

  /**
   * Whether groups are told that have no connected consumer.
   *
   * @default true
   */
  readonly showAllOffsets?: boolean;

  /**
   * What the pod has beside its container.
   *
   * @default - nothing
   */
  readonly podTemplate?: KafkaPodTemplate;
}

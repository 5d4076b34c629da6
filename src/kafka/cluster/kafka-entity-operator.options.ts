import type { Duration } from 'cdk8s';
import type { KafkaJvmOptions } from '../nodes/kafka-jvm-options';
import type { KafkaPodTemplate } from '../nodes/kafka-pod-template';
import type { KafkaComponentOptions } from './kafka-component-options';
import type { KafkaLogging } from './kafka-logging';
import type { KafkaProbe } from './kafka-probe';

/**
 * What both parts of the entity operator have.
 */
export interface KafkaEntityOperatorPart extends KafkaComponentOptions {
  /**
   * The namespace whose resources are managed. From Strimzi 1.0.1 on another namespace than that of the cluster has to be
   * allowed in the operator's installation: without that the operator deletes the entity operator.
   *
   * @default - the namespace of the cluster
   */
  readonly watchedNamespace?: string;

  /**
   * The time between two reconciliations without a change. Whole milliseconds.
   *
   * @default Duration.minutes(2)
   */
  readonly reconciliationInterval?: Duration;

  /**
   * What is written to its log.
   *
   * @default - the loggers of the operator
   */
  readonly logging?: KafkaLogging;

  /**
   * Options of its Java virtual machine.
   *
   * @default - chosen by the memory limit
   */
  readonly jvm?: KafkaJvmOptions;
}

/**
 * The part that makes topics of KafkaTopics.
 *
 * @see https://strimzi.io/docs/operators/latest/configuring.html#type-EntityTopicOperatorSpec-reference
 */
export interface KafkaTopicOperatorOptions extends KafkaEntityOperatorPart {
  /**
   * How long the container may take to start.
   *
   * @default - chosen by the operator
   */
  readonly startupProbe?: KafkaProbe;
}

/**
 * The part that makes users of KafkaUsers.
 *
 * @see https://strimzi.io/docs/operators/latest/configuring.html#type-EntityUserOperatorSpec-reference
 */
export interface KafkaUserOperatorOptions extends KafkaEntityOperatorPart {
  /**
   * What stands before the name of a user in the name of its Secret.
   *
   * @default - nothing
   */
  readonly secretPrefix?: string;
}

/**
 * The two parts of the entity operator, and the pod in which both run.
 */
export interface KafkaEntityOperatorOptions {
  /**
   * The part that makes topics.
   *
   * @default - with `both()` all defaults, with `of()` not at all
   */
  readonly topicOperator?: KafkaTopicOperatorOptions;

  /**
   * The part that makes users.
   *
   * @default - with `both()` all defaults, with `of()` not at all
   */
  readonly userOperator?: KafkaUserOperatorOptions;

  /**
   * What the pod has beside its containers.
   *
   * @default - nothing
   */
  readonly podTemplate?: KafkaPodTemplate;
}

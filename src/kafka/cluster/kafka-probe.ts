import type { Duration } from 'cdk8s';

/**
 * When the kubelet takes a container for dead or not ready. What is checked is the operator's affair.
 */
export interface KafkaProbe {
  /**
   * The time after the start of the container until the first check. Whole seconds.
   *
   * @default - chosen by the operator
   */
  readonly initialDelay?: Duration;

  /**
   * How long one check may take. Whole seconds, at least one.
   *
   * @default - chosen by the operator
   */
  readonly timeout?: Duration;

  /**
   * The time from check to check. Whole seconds, at least one.
   *
   * @default Duration.seconds(10)
   */
  readonly period?: Duration;

  /**
   * How many checks in a row must succeed after a failure. Kubernetes takes 1 only for liveness.
   *
   * @default 1
   */
  readonly successThreshold?: number;

  /**
   * How many checks in a row must fail.
   *
   * @default 3
   */
  readonly failureThreshold?: number;
}

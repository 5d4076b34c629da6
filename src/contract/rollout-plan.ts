import type { Duration } from 'cdk8s';

/**
 * How a balancer follows pods that come and go: what the pods must do so that no connection is refused.
 */
export interface RolloutPlan {
  /** For how long connections are still sent to a pod, or to its node, after the pod began to terminate. */
  readonly stopsSendingAfter: Duration;

  /**
   * How long after a pod is ready it gets connections.
   *
   * @default - at once, or a readiness gate has the pod wait for it
   */
  readonly startsSendingAfter?: Duration;

  /**
   * Labels by which the pods of a Namespace are ready only once the balancer sends connections to them.
   *
   * @default - there is no such thing
   */
  readonly namespaceLabels?: { [key: string]: string };

  /**
   * `spec.healthCheckNodePort`.
   *
   * @default - not written: given out by the API server with policy Local
   */
  readonly healthCheckNodePort?: number;
}

import type { Duration } from 'cdk8s';

/**
 * Keeps the connections of one client on one pod (`spec.sessionAffinity: ClientIP`).
 */
export interface SessionAffinity {
  /**
   * How long a client sticks to its pod after its last connection; one second to one day.
   *
   * @default - three hours, the default of Kubernetes
   */
  readonly timeout?: Duration;
}

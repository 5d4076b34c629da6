import type { Duration } from 'cdk8s';

/**
 * The protocol with which a balancer checks its targets.
 */
export enum HealthCheckProtocol {
  /** A TCP connection. */
  TCP = 'tcp',

  /** An HTTP request. */
  HTTP = 'http',

  /** An HTTPS request; whether the certificate is verified is up to the controller, and mostly it is not. */
  HTTPS = 'https',
}

/**
 * How the balancer finds out which targets are healthy.
 *
 * With traffic policy Local most controllers check kube-proxy's own port instead, which knows whether the node has a
 * ready pod; overriding that sends traffic to nodes without one.
 */
export interface HealthCheck {
  /**
   * The protocol of the check.
   *
   * @default - the controller's own
   */
  readonly protocol?: HealthCheckProtocol;

  /**
   * The port to check, by number.
   *
   * @default - the port that carries the traffic
   */
  readonly port?: number;

  /**
   * The path of an HTTP or HTTPS check. Meaningless with TCP.
   *
   * @default - the controller's own
   */
  readonly path?: string;

  /**
   * The time between two checks.
   *
   * @default - the controller's own
   */
  readonly interval?: Duration;

  /**
   * How long the check waits for an answer.
   *
   * @default - the controller's own
   */
  readonly timeout?: Duration;

  /**
   * Successes in a row that make a target healthy.
   *
   * @default - the controller's own
   */
  readonly healthyThreshold?: number;

  /**
   * Failures in a row that take a target out.
   *
   * @default - the controller's own
   */
  readonly unhealthyThreshold?: number;
}

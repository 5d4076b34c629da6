import type { Duration } from 'cdk8s';
import type { HealthCheckProtocol } from '../../contract/health-check';

/** Options of the health checks of targets. Better wished for by `healthCheck`. */
export interface NlbHealthCheckOptions {
  /**
   * The protocol of health checks.
   * @default - TCP; HTTP for instance targets with policy Local
   */
  readonly healthCheckProtocol?: HealthCheckProtocol;
  /**
   * The port of health checks: a number, the name of a port of the Service, or `traffic-port`.
   * @default - the port of the traffic; kube-proxy's own for instance targets with policy Local
   */
  readonly healthCheckPort?: string;
  /**
   * The path of health checks by HTTP and HTTPS; ignored with TCP.
   * @default - `/`; `/healthz` for instance targets with policy Local
   */
  readonly healthCheckPath?: string;
  /**
   * The time between two health checks, 5 to 300 seconds.
   * @default Duration.seconds(10)
   */
  readonly healthCheckInterval?: Duration;
  /**
   * How long a health check waits for an answer, 2 to 120 seconds.
   * @default - 10 seconds; 6 for instance targets with policy Local
   */
  readonly healthCheckTimeout?: Duration;
  /**
   * Successes in a row that make a target healthy, 2 to 10.
   * @default - 3; 2 for instance targets with policy Local
   */
  readonly healthCheckHealthyThreshold?: number;
  /**
   * Failures in a row that take a target out, 2 to 10.
   * @default - 3; 2 for instance targets with policy Local
   */
  readonly healthCheckUnhealthyThreshold?: number;
  /**
   * Status codes that count as healthy: `200-399`, `200,204`. Ignored with TCP.
   * @default '200-399'
   */
  readonly healthCheckSuccessCodes?: string;
}

import type { Duration } from 'cdk8s';
import type { Annotation } from '../../contract/annotation-catalogue';
import { type HealthCheck, HealthCheckProtocol } from '../../contract/health-check';
import { LoadBalancerWish } from '../../contract/load-balancer-wish';
import type { PlanDraft } from '../../contract/plan-draft';

/** The annotations of health checks, which every controller of AWS has. */
interface HealthCheckAnnotations {
  readonly healthCheckProtocol: Annotation<HealthCheckProtocol>;
  readonly healthCheckPort: Annotation<string>;
  readonly healthCheckPath: Annotation<string>;
  readonly healthCheckInterval: Annotation<Duration>;
  readonly healthCheckTimeout: Annotation<Duration>;
  readonly healthCheckHealthyThreshold: Annotation<number>;
  readonly healthCheckUnhealthyThreshold: Annotation<number>;
}

/** Whether a health check asks for a page. */
export const isHttp = (protocol: HealthCheckProtocol | undefined) =>
  protocol === HealthCheckProtocol.HTTP || protocol === HealthCheckProtocol.HTTPS;

/** Writes what a health check says, word by word. */
export function annotateHealthCheck(draft: PlanDraft, entries: HealthCheckAnnotations, check: HealthCheck): void {
  const write = <T>(entry: Annotation<T>, value: T | undefined) => {
    if (value !== undefined) draft.annotate(LoadBalancerWish.HEALTH_CHECK, entry, value);
  };
  write(entries.healthCheckProtocol, check.protocol);
  write(entries.healthCheckPort, check.port === undefined ? undefined : String(check.port));
  write(entries.healthCheckPath, check.path);
  write(entries.healthCheckInterval, check.interval);
  write(entries.healthCheckTimeout, check.timeout);
  write(entries.healthCheckHealthyThreshold, check.healthyThreshold);
  write(entries.healthCheckUnhealthyThreshold, check.unhealthyThreshold);
}

import type { Duration } from 'cdk8s';
import type { Annotation } from '../../contract/annotation-catalogue';
import { type HealthCheck, type HealthCheckProtocol, LoadBalancerWish } from '../../contract/options';
import type { PlanDraft } from '../../contract/plan-draft';

interface HealthCheckAnnotations {
  readonly healthCheckProtocol: Annotation<HealthCheckProtocol>;
  readonly healthCheckPort: Annotation<string>;
  readonly healthCheckPath: Annotation<string>;
  readonly healthCheckInterval: Annotation<Duration>;
  readonly healthCheckTimeout: Annotation<Duration>;
  readonly healthCheckHealthyThreshold: Annotation<number>;
  readonly healthCheckUnhealthyThreshold: Annotation<number>;
}

/** Writes each member of a health check. */
export function annotateHealthCheck(draft: PlanDraft, entries: HealthCheckAnnotations, check: HealthCheck): void {
  const { port, ...others } = check;
  draft.annotateEach<Omit<HealthCheck, 'port'> & { readonly port?: string }>(
    LoadBalancerWish.HEALTH_CHECK,
    { ...others, port: port === undefined ? undefined : String(port) },
    {
      protocol: entries.healthCheckProtocol,
      port: entries.healthCheckPort,
      path: entries.healthCheckPath,
      interval: entries.healthCheckInterval,
      timeout: entries.healthCheckTimeout,
      healthyThreshold: entries.healthCheckHealthyThreshold,
      unhealthyThreshold: entries.healthCheckUnhealthyThreshold,
    },
  );
}

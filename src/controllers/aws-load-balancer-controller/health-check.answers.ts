import { type HealthCheck, HealthCheckProtocol } from '../../contract/health-check';
import { LoadBalancerWish } from '../../contract/load-balancer-wish';
import type { PlanDraft } from '../../contract/plan-draft';
import { annotateHealthCheck } from '../aws/health-check';
import { AWS } from './annotations';
import type { AwsLoadBalancerControllerNlbOptions as Options } from './options';

/** Health checks of the targets. */
export function answerHealthCheck(draft: PlanDraft, check: HealthCheck | undefined, options: Options): void {
  if (!check) {
    return;
  }
  const wish = LoadBalancerWish.HEALTH_CHECK;
  const protocol = check.protocol ?? options.healthCheckProtocol;
  if (check.path !== undefined && protocol === HealthCheckProtocol.TCP) {
    draft.refuse(wish, {
      what: `the health check has the path '${check.path}', which TCP ignores`,
      remedy: 'check by HTTP or HTTPS, or leave the path out',
      value: check.path,
    });
    return;
  }
  draft.honour(wish, 'health check of the target groups');
  const implied = check.path && !protocol ? HealthCheckProtocol.HTTP : undefined;
  annotateHealthCheck(draft, AWS, { ...check, protocol: check.protocol ?? implied });
}

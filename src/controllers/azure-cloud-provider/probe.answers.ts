import { HealthCheckProtocol } from '../../contract/health-check';
import { PortProtocol } from '../../contract/load-balancer-port';
import type { LoadBalancerRequest } from '../../contract/load-balancer-request';
import { LoadBalancerWish } from '../../contract/load-balancer-wish';
import type { PlanDraft } from '../../contract/plan-draft';
import { TrafficPolicy } from '../../contract/traffic-policy';
import { AZURE } from './annotations';
import type { AzureSku } from './product.annotations';

/** The probes. */
export function answerHealthCheck(
  draft: PlanDraft,
  request: LoadBalancerRequest,
  sku: AzureSku,
  policy: TrafficPolicy | undefined,
): void {
  const check = request.healthCheck;
  if (!check) {
    return;
  }
  const wish = LoadBalancerWish.HEALTH_CHECK;
  const probed = request.ports.filter((port) => (port.protocol ?? PortProtocol.TCP) === PortProtocol.TCP);
  if (probed.length === 0 && policy !== TrafficPolicy.LOCAL) {
    draft.refuse(wish, {
      what: `ports of ${request.protocols.join(' and ')} have no healthCheck with traffic policy Cluster`,
      remedy: 'leave it out, or use traffic policy Local',
      value: request.protocols.join(','),
    });
    return;
  }
  draft.honour(wish, `${check.protocol ?? HealthCheckProtocol.TCP} probe`);
  if (check.protocol === HealthCheckProtocol.HTTPS && sku === 'basic') {
    draft.refuse(wish, {
      what: 'a Basic balancer cannot probe by https and falls back to tcp',
      remedy: 'probe by http or tcp',
      value: HealthCheckProtocol.HTTPS,
    });
  } else if (check.protocol) {
    draft.annotate(wish, AZURE.healthProbeProtocol, check.protocol);
    // appProtocol of a port goes before the annotation of the Service, that of the port before both
    for (const { port } of probed.filter(
      (one) => one.appProtocol && one.appProtocol.toLowerCase() !== check.protocol,
    )) {
      draft.annotate(wish, AZURE.portHealthProbeProtocol, check.protocol, { port });
    }
  }
  if (check.port !== undefined) {
    for (const { port } of probed) {
      draft.annotate(wish, AZURE.portHealthProbePort, String(check.port), { port });
    }
  }
  if (check.path !== undefined) draft.annotate(wish, AZURE.healthProbeRequestPath, check.path);
  if (check.interval) draft.annotate(wish, AZURE.healthProbeInterval, check.interval);
  if (check.unhealthyThreshold !== undefined) {
    draft.annotate(wish, AZURE.healthProbeNumOfProbe, check.unhealthyThreshold);
  }
  for (const [word, value] of [
    ['healthyThreshold', check.healthyThreshold],
    ['timeout', check.timeout?.toSeconds()],
  ] as const) {
    if (value !== undefined) {
      draft.refuse(wish, {
        what: `a probe of Azure has no ${word}, with value ${value}`,
        remedy: 'leave it out; interval and unhealthyThreshold say when a node is taken out',
        value: String(value),
      });
    }
  }
}

import type { AnyAnnotation } from '../../contract/annotation-catalogue';
import { HealthCheckProtocol } from '../../contract/health-check';
import type { Json } from '../../contract/json';
import { annotationsOf } from '../../rules/service-json';
import { HCLOUD } from './annotations';

/** Annotations that only a health check by HTTP or HTTPS reads. internal/hcops/load_balancer.go, extractHealthCheck */
export const HTTP_CHECK: readonly AnyAnnotation[] = [
  HCLOUD.healthCheckHttpPath,
  HCLOUD.healthCheckHttpDomain,
  HCLOUD.healthCheckHttpValidateCertificate,
  HCLOUD.httpStatusCodes,
];

/** The keys whose values are not looked at, since the health check is one of TCP. */
export function ignoredByHcloud(service: Json): readonly string[] {
  const annotations = annotationsOf(service);
  const protocol = HCLOUD.healthCheckProtocol.on(annotations) ?? HCLOUD.protocol.on(annotations);
  return protocol === undefined || protocol === HealthCheckProtocol.TCP
    ? HTTP_CHECK.map((entry) => entry.key()).filter((key) => annotations[key] !== undefined)
    : [];
}

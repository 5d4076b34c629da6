import { HealthCheckProtocol } from '../../contract/health-check';
import type { Json } from '../../contract/json';
import { annotationsOf } from '../../rules/service-json';
import { AWS_LBC } from './annotations';
import { type Annotations, isInstanceLocal } from './reading';

/** Annotations that only a health check by HTTP or HTTPS reads. pkg/service/model_build_target_group.go */
export const HTTP_CHECK = [AWS_LBC.healthCheckPath, AWS_LBC.healthCheckSuccessCodes];

/** Whether targets are asked for a connection alone. */
export function isCheckedByTcp(service: Json, annotations: Annotations): boolean {
  const byDefault = isInstanceLocal(service, annotations) ? HealthCheckProtocol.HTTP : HealthCheckProtocol.TCP;
  return (AWS_LBC.healthCheckProtocol.on(annotations) ?? byDefault) === HealthCheckProtocol.TCP;
}

/**
 * The keys whose values are not looked at: a Service that is not claimed by its type is claimed by a class, beside which the type
 * is not consulted, and without a certificate no listener speaks TLS, which alone has an ALPN policy.
 * pkg/service/service_utils.go; pkg/service/model_build_listener.go, buildListenerALPNPolicy
 */
export function ignoredByAwsLbc(service: Json): readonly string[] {
  const annotations = annotationsOf(service);
  return [
    AWS_LBC.type.key(),
    ...(isCheckedByTcp(service, annotations) ? HTTP_CHECK.map((entry) => entry.key()) : []),
    ...(annotations[AWS_LBC.sslCert.key()] === undefined ? [AWS_LBC.alpnPolicy.key()] : []),
  ];
}

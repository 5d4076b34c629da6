import { anyCase, duration, integer, text } from '../../contract/annotation-codec';
import { HealthCheckProtocol } from '../../contract/health-check';
import { LoadBalancerWish } from '../../contract/load-balancer-wish';
import { healthCheckPort } from './codecs';
import { awsEntry, LBC_FILES, SEEN } from './product.annotations';

/** Health checks of the targets. */
export const AWS_HEALTH_CHECK = {
  healthCheckProtocol: awsEntry('healthcheck-protocol', {
    option: 'healthCheckProtocol',
    wish: LoadBalancerWish.HEALTH_CHECK,
    codec: anyCase(Object.values(HealthCheckProtocol)),
    default: 'tcp; http for instance targets with externalTrafficPolicy Local',
    source: LBC_FILES.targetGroup,
    ...SEEN,
  }),
  healthCheckPort: awsEntry('healthcheck-port', {
    option: 'healthCheckPort',
    wish: LoadBalancerWish.HEALTH_CHECK,
    codec: healthCheckPort(),
    default: 'traffic-port; spec.healthCheckNodePort for instance targets with externalTrafficPolicy Local',
    remark: 'the name of a port means its node port, or with ip targets its targetPort, which must be a number',
    source: LBC_FILES.targetGroup,
    ...SEEN,
  }),
  healthCheckPath: awsEntry('healthcheck-path', {
    option: 'healthCheckPath',
    wish: LoadBalancerWish.HEALTH_CHECK,
    codec: text({ says: 'a path that begins with a slash', matches: /^\/\S*$/ }),
    default: '/; /healthz for instance targets with externalTrafficPolicy Local',
    remark: 'ignored with tcp',
    source: LBC_FILES.targetGroup,
    ...SEEN,
  }),
  healthCheckInterval: awsEntry('healthcheck-interval', {
    option: 'healthCheckInterval',
    wish: LoadBalancerWish.HEALTH_CHECK,
    codec: duration('seconds', 5, 300),
    default: '10',
    source: LBC_FILES.targetGroup,
    ...SEEN,
  }),
  healthCheckTimeout: awsEntry('healthcheck-timeout', {
    option: 'healthCheckTimeout',
    wish: LoadBalancerWish.HEALTH_CHECK,
    codec: duration('seconds', 2, 120),
    default: '10; 6 for instance targets with externalTrafficPolicy Local',
    source: LBC_FILES.targetGroup,
  }),
  healthCheckHealthyThreshold: awsEntry('healthcheck-healthy-threshold', {
    option: 'healthCheckHealthyThreshold',
    wish: LoadBalancerWish.HEALTH_CHECK,
    codec: integer(2, 10),
    default: '3; 2 for instance targets with externalTrafficPolicy Local',
    source: LBC_FILES.targetGroup,
  }),
  healthCheckUnhealthyThreshold: awsEntry('healthcheck-unhealthy-threshold', {
    option: 'healthCheckUnhealthyThreshold',
    wish: LoadBalancerWish.HEALTH_CHECK,
    codec: integer(2, 10),
    default: '3; 2 for instance targets with externalTrafficPolicy Local',
    source: LBC_FILES.targetGroup,
  }),
  healthCheckSuccessCodes: awsEntry('healthcheck-success-codes', {
    option: 'healthCheckSuccessCodes',
    wish: LoadBalancerWish.HEALTH_CHECK,
    codec: text({ says: 'status codes like 200-399 or 200,204', matches: /^\d{3}(-\d{3})?(,\d{3}(-\d{3})?)*$/ }),
    default: '200-399',
    since: 'v2.4.6',
    remark: 'ignored with tcp',
    source: LBC_FILES.targetGroup,
  }),
};

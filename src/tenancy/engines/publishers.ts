import { AWS_GATEWAY_VERSION } from '../../controllers/aws-load-balancer-controller/facts';
import { nlbDocuments } from './aws-network-load-balancer/documents';
import type { RuntimePublisher } from './contract/publishing';
import { envoyDocuments } from './envoy-gateway/documents';
import { ENVOY_GATEWAY_VERSION } from './envoy-gateway/facts';
import { gatewayDocuments, LISTENER_SET, TCP_ROUTE, THROUGH_GATEWAY, TLS_ROUTE } from './gateway/documents';
import { HAPROXY_AT_RUN_TIME } from './haproxy/documents';

export const PUBLISHERS: Readonly<Record<string, RuntimePublisher>> = {
  'aws-network-load-balancer': {
    ...THROUGH_GATEWAY,
    publish: nlbDocuments,
    kinds: [
      { apiVersion: AWS_GATEWAY_VERSION, kind: 'TargetGroupConfiguration', resource: 'targetgroupconfigurations' },
      LISTENER_SET,
      TCP_ROUTE,
    ],
    tellsConflicts: false,
    isIpv4Alone: true,
  },
  'envoy-gateway': {
    ...THROUGH_GATEWAY,
    publish: envoyDocuments,
    kinds: [
      { apiVersion: ENVOY_GATEWAY_VERSION, kind: 'ClientTrafficPolicy', resource: 'clienttrafficpolicies' },
      { apiVersion: ENVOY_GATEWAY_VERSION, kind: 'BackendTrafficPolicy', resource: 'backendtrafficpolicies' },
      { apiVersion: ENVOY_GATEWAY_VERSION, kind: 'SecurityPolicy', resource: 'securitypolicies' },
      LISTENER_SET,
      TCP_ROUTE,
    ],
    kindsByHost: [TLS_ROUTE],
    tellsConflicts: true,
  },
  'existing-gateway': {
    ...THROUGH_GATEWAY,
    publish: gatewayDocuments,
    kinds: [LISTENER_SET, TCP_ROUTE],
    kindsByHost: [TLS_ROUTE],
    tellsConflicts: false,
  },
  haproxy: HAPROXY_AT_RUN_TIME,
};

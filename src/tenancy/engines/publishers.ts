import { GATEWAY_API } from '../tenancy.facts';
import { nlbDocuments } from './aws-network-load-balancer/documents';
import { AWS_GATEWAY_VERSION } from './aws-network-load-balancer/facts';
import type { Attachment, Document } from './contract/attachment';
import { envoyDocuments } from './envoy-gateway/documents';
import { ENVOY_GATEWAY_VERSION } from './envoy-gateway/facts';
import { gatewayDocuments } from './gateway/documents';

/** A kind of object that a publisher makes. */
export interface PublishedKind {
  readonly apiVersion: string;
  readonly kind: string;
  readonly resource: string;
}

/** What publishes Services that are created at run time: pure, since it is bundled with the hook. */
export interface RuntimePublisher {
  readonly publish: (attachment: Attachment, settings: Readonly<Record<string, unknown>>) => Document[];
  readonly kinds: readonly PublishedKind[];
  /** Whether the controller of the Gateway says when two want one port; if not, the ports of all tenants are watched. */
  readonly tellsConflicts: boolean;
  /** Whether a Service with IPv6 stops the whole balancer. */
  readonly isIpv4Alone?: boolean;
}

const LISTENER_SET = { apiVersion: GATEWAY_API.version, kind: 'ListenerSet', resource: 'listenersets' };
const TCP_ROUTE = { apiVersion: GATEWAY_API.version, kind: 'TCPRoute', resource: 'tcproutes' };

/** What the hook knows engines by. */
export const PUBLISHERS: Readonly<Record<string, RuntimePublisher>> = {
  'aws-network-load-balancer': {
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
    publish: envoyDocuments,
    kinds: [
      { apiVersion: ENVOY_GATEWAY_VERSION, kind: 'ClientTrafficPolicy', resource: 'clienttrafficpolicies' },
      { apiVersion: ENVOY_GATEWAY_VERSION, kind: 'SecurityPolicy', resource: 'securitypolicies' },
      LISTENER_SET,
      TCP_ROUTE,
    ],
    tellsConflicts: true,
  },
  'existing-gateway': {
    publish: gatewayDocuments,
    kinds: [LISTENER_SET, TCP_ROUTE],
    tellsConflicts: false,
  },
};

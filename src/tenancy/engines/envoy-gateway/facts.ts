// envoyproxy/gateway v1.9.1: api/v1alpha1 (clienttrafficpolicy_types.go, securitypolicy_types.go, envoyproxy_types.go,
// shared_types.go), internal/gatewayapi (clienttrafficpolicy.go, securitypolicy.go, listener.go, listenerset.go, validate.go),
// internal/xds/translator (translator.go, listener.go, proxy_protocol.go), internal/xds/bootstrap/bootstrap.go,
// internal/infrastructure/kubernetes (infra_client.go, proxy/resource_provider.go, proxy/resource.go),
// internal/cmd/envoy/shutdown_manager.go, release-notes/v1.9.0.yaml
// Seen with connections that are counted, at the real Envoy Gateway and two Envoys 1.39.1 (test/envoy): TLS by host name, source
// ranges, the PROXY protocol, limits, two ListenerSets that want one port, tenants that come and go.

import { NLB_LISTENERS } from '../aws-network-load-balancer/facts';
import type { Counted } from '../contract/publishing';

/** The controller of Gateways that Envoy Gateway serves. */
export const ENVOY_GATEWAY_CONTROLLER = 'gateway.envoyproxy.io/gatewayclass-controller';

/** The version of its own kinds. */
export const ENVOY_GATEWAY_VERSION = 'gateway.envoyproxy.io/v1alpha1';

/** What the GatewayClass is called in its documentation. */
export const ENVOY_GATEWAY_CLASS = 'eg';

/** Where its chart installs it, and where the Service of each Gateway is made unless it runs in Gateway namespace mode. */
export const ENVOY_GATEWAY_NAMESPACE = 'envoy-gateway-system';

/** Ports that the pods of the proxy use themselves, each with its use: no component refuses a listener that has one. */
export const ENVOY_OWN_PORTS: Readonly<Record<number, string>> = {
  19000: 'the admin interface',
  19001: 'statistics',
  19002: 'the shutdown manager',
  19003: 'the readiness check',
};

/**
 * Listeners below this port are bound in the pods at a port that is higher by so much. Conflicts are looked for among the
 * ports of listeners alone, so 443 and 10443 become one listener of the proxy, which refuses it.
 */
export const ENVOY_PORT_SHIFT = { below: 1024, by: 10_000 } as const;

/**
 * How many connections a proxy opens to the pods of one route, and how many of them may be about to open, unless a policy
 * says otherwise: the client of one more is closed. envoyproxy/envoy v1.39.1: api/envoy/config/cluster/v3/circuit_breaker.proto;
 * internal/xds/translator/cluster.go sets no other.
 */
export const ENVOY_ROUTE_CONNECTIONS = 1024;

/**
 * Ports of protocols in which the server speaks first. RFC 959, 4253, 5321, 6409, 1939, 9051 and 6143; MySQL 8.4, internals,
 * connection phase.
 */
export const SERVER_SPEAKS_FIRST: Readonly<Record<number, string>> = {
  21: 'FTP',
  22: 'SSH',
  25: 'SMTP',
  110: 'POP3',
  143: 'IMAP',
  587: 'SMTP',
  3306: 'MySQL',
  5900: 'VNC',
};

/** What the Service of a Gateway selects its proxies by, among others. */
export const ENVOY_SELECTOR = { 'app.kubernetes.io/name': 'envoy' } as const;

/** What distinguishes the proxies of one Gateway from all others, unless Gateways are merged. internal/gatewayapi/translator.go */
export const OWNING_GATEWAY_LABELS = {
  name: 'gateway.envoyproxy.io/owning-gateway-name',
  namespace: 'gateway.envoyproxy.io/owning-gateway-namespace',
} as const;

/** What the Service of merged Gateways has instead, with the name of their class. internal/gatewayapi/translator.go */
export const OWNING_GATEWAY_CLASS_LABEL = 'gateway.envoyproxy.io/owning-gatewayclass';

/** By the controller that makes the balancer. Who is not here has no limit that its documentation names. */
export const FRONT_PORTS: Readonly<Record<string, number>> = {
  'aws-load-balancer-controller': NLB_LISTENERS,
  'cloud-provider-aws': NLB_LISTENERS,
  'eks-auto-mode': NLB_LISTENERS,
};

/**
 * What the proxies count, as Envoy 1.39.1 says it. Clusters are named after their routes, with the namespace (internal/gatewayapi/
 * route.go); filters of a listener after its port in the pods, for TLS one name for all tenants (internal/xds/translator/
 * listener.go, addXdsTCPFilterChain). What upstream sends is what clients get.
 */
export const ENVOY_STATISTICS: EnvoyStatistics = {
  port: 19001,
  path: '/stats/prometheus',
  clusters: {
    envoy_cluster_upstream_cx_active: 'connections',
    envoy_cluster_upstream_cx_tx_bytes_total: 'bytesIn',
    envoy_cluster_upstream_cx_rx_bytes_total: 'bytesOut',
  },
  clusterLabel: 'envoy_cluster_name',
  clusterName: /^(?:tcp|tls)route\/([^/]+)\//,
  listeners: {
    envoy_connection_limit_limited_connections: { counted: 'limited', label: 'envoy_connection_limit_prefix' },
    envoy_rbac_denied: { counted: 'refused', label: 'envoy_rbac_prefix' },
  },
  listenerName: /^tcp-(\d+)$/,
};

interface EnvoyStatistics {
  readonly port: number;
  readonly path: string;
  readonly clusters: Readonly<Record<string, Counted | undefined>>;
  readonly clusterLabel: string;
  /** The tenant. */
  readonly clusterName: RegExp;
  readonly listeners: Readonly<Record<string, { readonly counted: Counted; readonly label: string }>>;
  /** The port in the pods. */
  readonly listenerName: RegExp;
}

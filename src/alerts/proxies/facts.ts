import { USAGE_METRICS } from '../../tenancy/watch/usage.facts';

// What the proxies of shared balancers say of tenants.

/** The label that the monitors of this package put on every series of a proxy: namespace and name of the shared balancer. */
export const BALANCER_LABEL = 'shared_load_balancer';

/**
 * Envoy as Envoy Gateway configures it. envoyproxy/gateway v1.9.0: internal/infrastructure/kubernetes/proxy/resource.go (port),
 * internal/xds/bootstrap/bootstrap.yaml.tpl (path), internal/gatewayapi/translator.go (labels), and of the names of clusters
 * internal/gatewayapi/testdata/backendtrafficpolicy-with-tcp-udp-listeners-apply-on-gateway.out.yaml; of the metrics
 * charts/gateway-addons-helm/dashboards/envoy-clusters.json. The namespace of a route is that of its tenant.
 */
export const ENVOY = {
  port: 'metrics',
  path: '/stats/prometheus',
  nameLabel: 'gateway.envoyproxy.io/owning-gateway-name',
  namespaceLabel: 'gateway.envoyproxy.io/owning-gateway-namespace',
  connections: 'envoy_cluster_upstream_cx_active',
  bytes: ['envoy_cluster_upstream_cx_rx_bytes_total', 'envoy_cluster_upstream_cx_tx_bytes_total'],
  label: 'envoy_cluster_name',
  tenant: '(?:tcp|tls)route/([^/]+)/.+',
} as const;

/**
 * HAProxy as its Kubernetes Ingress Controller runs it. haproxytech/helm-charts kubernetes-ingress-1.52.1,
 * kubernetes-ingress/values.yaml (podMonitor); haproxy/haproxy v3.2.0, addons/promex/README (metrics); haproxytech/kubernetes-ingress
 * v3.2.11, pkg/handler/tcp-cr.go (names of frontends, which begin with the namespace of the object: that of the tenant).
 */
export const HAPROXY = {
  port: 'stat',
  path: '/metrics',
  connections: 'haproxy_frontend_current_sessions',
  bytes: ['haproxy_frontend_bytes_in_total', 'haproxy_frontend_bytes_out_total'],
  label: 'proxy',
  tenant: 'tcpcr_([^_]+)_.+',
} as const;

/** What a `TenantWatch` of this package has summed up. */
export const TENANT_WATCH = {
  port: 'metrics',
  path: '/metrics',
  connections: USAGE_METRICS.connections,
  bytes: [USAGE_METRICS.bytes],
  label: 'tenant',
  tenant: '(.+)',
  refused: USAGE_METRICS.refused,
} as const;

// What controllers say of themselves: where they listen, and what they count.

/** The label that the monitors of this package put on every series of a controller, so that metrics that many programs have can be told apart. */
export const CONTROLLER_LABEL = 'load_balancer_controller';

/** Where Prometheus looks unless a monitor says so. prometheus-operator/prometheus-operator v0.93.0, pkg/apis/monitoring/v1/podmonitor_types.go */
export const METRICS_PATH = '/metrics';

/** kubernetes-sigs/controller-runtime v0.24.1, pkg/internal/controller/metrics/metrics.go */
export const RECONCILE_ERRORS = 'controller_runtime_reconcile_errors_total';

/**
 * The AWS Load Balancer Controller. kubernetes-sigs/aws-load-balancer-controller v3.5.0: pkg/metrics/aws/instruments.go and
 * target_group.go, docs/guide/metrics/prometheus/index.md; its chart reads the same port (templates/servicemonitor.yaml).
 */
export const LBC_METRICS = {
  permissionErrors: 'aws_api_call_permission_errors_total',
  limitErrors: 'aws_api_call_service_limit_exceeded_errors_total',
  targetGroups: 'aws_target_group_info',
} as const;

/**
 * Healthy targets as cloudwatch_exporter writes them of Network Load Balancers, which the documentation of the controller joins
 * by the target group. prometheus/cloudwatch_exporter v0.16.0, README.md (names); docs.aws.amazon.com/elasticloadbalancing,
 * load-balancer-cloudwatch-metrics.html (HealthyHostCount). They are minutes late.
 */
export const HEALTHY_HOSTS = 'aws_networkelb_healthy_host_count_minimum';

/**
 * The service controller of a cloud controller manager. kubernetes/cloud-provider v0.36.3, controllers/service/metrics.go, and
 * controller.go for the name of its queue; kubernetes/component-base v0.36.3, metrics/prometheus/workqueue/metrics.go, which
 * kubernetes/controller-manager v0.36.3, app/serve.go brings in. It asks for a token (app/options/options.go).
 */
export const CCM_METRICS = {
  retries: 'workqueue_retries_total',
  queue: 'service',
  nodeErrors: 'service_controller_nodesync_error_total',
} as const;

/** The port of a cloud controller manager. kubernetes/cloud-provider v0.36.3, ports.go */
export const CCM_PORT = 10258;

/** strimzi/strimzi-kafka-operator 1.2.0, operator-common/src/main/java/io/strimzi/operator/common/metrics/MetricsHolder.java */
export const STRIMZI_FAILED = 'strimzi_reconciliations_failed_total';

/**
 * MetalLB. metallb/metallb v0.16.1: internal/k8s/controllers/stats.go, internal/allocator/stats.go, internal/bgp/metrics/metrics.go.
 * Its pods listen at this port from 0.16 on, and ask for a token; config/manifests/metallb-native.yaml names it and the labels.
 */
export const METALLB_METRICS = {
  updateErrors: 'metallb_k8s_client_update_errors_total',
  stale: 'metallb_k8s_client_config_stale_bool',
  capacity: 'metallb_allocator_addresses_total',
  inUse: 'metallb_allocator_addresses_in_use_total',
  sessionUp: 'metallb_bgp_session_up',
} as const;
export const METALLB = { namespace: 'metallb-system', port: 9120, labels: { app: 'metallb' } } as const;

/**
 * Envoy Gateway. envoyproxy/gateway v1.9.0: internal/infrastructure/kubernetes/metrics.go, internal/xds/cache/metrics.go,
 * internal/metrics/otel_label.go; charts/gateway-helm/values.tmpl.yaml (port) and templates/_helpers.tpl (labels).
 */
export const ENVOY_GATEWAY_METRICS = { applied: 'resource_apply_total', refused: 'xds_nack_total' } as const;
export const ENVOY_GATEWAY = {
  namespace: 'envoy-gateway-system',
  port: 'metrics',
  labels: { 'control-plane': 'envoy-gateway' },
} as const;

/** The group of the kind that holds what cert-manager makes of a certificate. cert-manager/cert-manager v1.21.2, pkg/apis/certmanager/v1/types_certificate.go */
export const CERTIFICATE_KIND = { group: 'cert-manager.io', kind: 'Certificate' } as const;

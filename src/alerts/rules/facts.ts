import { METALLB } from '../../controllers/metal-lb/annotations';

// What alerts are made of: the kinds of the Prometheus operator, and metrics of programs that know nothing of a controller.

/**
 * The group of PrometheusRule, PodMonitor and ServiceMonitor. prometheus-operator/prometheus-operator v0.93.0,
 * pkg/apis/monitoring/v1 (podmonitor_types.go, servicemonitor_types.go, prometheusrule_types.go): only a ServiceMonitor has
 * `bearerTokenFile`, so what asks for a token is read through a Service.
 */
export const MONITORING_API_VERSION = 'monitoring.coreos.com/v1';

/**
 * The names that a label of an alert may have, with any version of Prometheus: those with one character more are taken from 3.0 on
 * alone, and one that is not takes all rules of the object along. prometheus/common v0.62.0, model/labels.go
 */
export const PROMETHEUS_LABEL = /^(?!__)[a-zA-Z_][a-zA-Z0-9_]*$/;

/** The token that Prometheus has of its own service account. kubernetes/kubernetes v1.36.3, plugin/pkg/admission/serviceaccount/admission.go */
export const TOKEN_FILE = '/var/run/secrets/kubernetes.io/serviceaccount/token';

/**
 * Metrics of kube-state-metrics. kubernetes/kube-state-metrics v2.20.0: internal/store/service.go, endpointslice.go,
 * resourcequota.go; the timestamp of deletion came with v2.17.0, and EndpointSlices
 * are among the default resources since v2.18.0 (pkg/options/resource.go). It exports no finalizers, and a configuration of custom resources
 * cannot add them: such a configuration needs a group, which Services do not have (internal/discovery/discovery.go, since v2.9.0).
 */
export const KSM = {
  type: 'kube_service_spec_type',
  ingress: 'kube_service_status_load_balancer_ingress',
  deletion: 'kube_service_deletion_timestamp',
  sliceLabels: 'kube_endpointslice_labels',
  endpoints: 'kube_endpointslice_endpoints',
  quota: 'kube_resourcequota',
} as const;

/** The oldest kube-state-metrics that exports all of these by default. */
export const KSM_SINCE = '2.18.0';

/** The label of an EndpointSlice with the name of its Service. kubernetes/api v0.36, discovery/v1/well_known_labels.go */
export const SERVICE_NAME_LABEL = 'kubernetes.io/service-name';

/** The same as kube-state-metrics writes it. kubernetes/kube-state-metrics v2.20.0, internal/store/utils.go */
export const SERVICE_NAME_METRIC_LABEL = 'label_kubernetes_io_service_name';

/** What a ResourceQuota counts. kubernetes/api v0.36, core/v1/types.go */
export const LOAD_BALANCER_QUOTA = 'services.loadbalancers';

/**
 * How often a policy of the API server found something, by its name and by what it did about it.
 * kubernetes/apiserver v0.36.3, pkg/admission/plugin/policy/validating/metrics/metrics.go; every finding has the error type
 * `invalid_error` (metrics/errors.go), also where the expression had none.
 */
export const POLICY_CHECKS = 'apiserver_validating_admission_policy_check_total';

/** ValidatingAdmissionPolicy v1. kubernetes/api v0.36, admissionregistration/v1/types.go */
export const ADMISSION_API_VERSION = 'admissionregistration.k8s.io/v1';

/** Since when the API server serves it. kubernetes/kubernetes v1.30.0, pkg/controlplane/instance.go */
export const POLICY_SINCE = '1.30';

/** What MetalLB writes on the Services that it serves, to which it adds no finalizer. metallb/metallb v0.16.1, controller/service.go */
export const SERVED_WITHOUT_FINALIZER_ANNOTATIONS: readonly string[] = [METALLB.ipAllocatedFromPool.current.key()];

/**
 * When a certificate of cert-manager ends; 0 where it was not issued yet. cert-manager/cert-manager v1.21.2,
 * internal/collectors/certificate_collector.go. Its own namespace is in another label where the target's is kept instead.
 */
export const CERTIFICATE_EXPIRY = 'certmanager_certificate_expiration_timestamp_seconds';

/** When a certificate in a Secret ends. enix/x509-certificate-exporter v4, docs/metrics.md */
export const SECRET_EXPIRY = 'x509_cert_not_after';

/** Where the pages are that alerts lead to. */
export const DOCS = 'https://github.com/cdk8s-load-balancers/cdk8s-load-balancers/blob/main/docs';

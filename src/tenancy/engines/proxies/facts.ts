// How long balancers go on sending connections to a proxy that is to go, beside what their health checks say.

/** What EndpointSlices take to reach every node and controller, as Envoy Gateway reckons by default. envoyproxy/gateway v1.9.1, api/v1alpha1/envoyproxy_types.go */
export const ENDPOINTS_SECONDS = 10;

/** Proxies serve for so long, where nothing is known of the balancer. */
export const UNKNOWN_BALANCER_SECONDS = 60;

/** The least that they serve by default. */
export const LEAST_SECONDS = 30;

/** How long connections may last by default: with the 5 minutes that Envoy Gateway adds, no longer than the cluster autoscaler waits. */
export const DRAIN_SECONDS = 300;

/** The longest drain time. */
export const MOST_SECONDS = 86_400;

/** Deployments are given up after 600 seconds without progress, and must be ready sooner. kubernetes/kubernetes v1.36.3, pkg/apis/apps/validation */
export const MOST_READY_SECONDS = 300;

/** What the scheduler keeps free for each proxy. */
export const PROXY_REQUESTS = { cpu: '250m', memory: '512Mi' } as const;

// Keys of this package's own that tenants and controllers of shared load balancers agree on. Each can be replaced by one of
// the organisation's own domain.

/** The class of Services that a shared load balancer serves, and the label that finds them. */
export const SHARED_CLASS = 'cdk8s-load-balancers/shared';

/** The label of the namespaces of tenants. */
export const TENANT_LABEL = 'cdk8s-load-balancers/tenant';

/**
 * The label of a namespace that cuts its tenant off at run time, with the value `true`: what it has published stays as it is,
 * and takes no connection until the label goes. Tenants have no rights on namespaces.
 */
export const SUSPENDED_LABEL = 'cdk8s-load-balancers/suspended';

/** The value that suspends; with any other the tenant is served. */
export const SUSPENDED = 'true';

/** The annotation with the addresses of a tenant's ports: `5432=tcp.example.com:30017`, comma-separated. */
export const ENDPOINTS_ANNOTATION = 'cdk8s-load-balancers/endpoints';

/** The annotation of a Service with the names of the server that TLS clients ask for: `api.team-a.tcp.example.com`, comma-separated. */
export const HOSTNAMES_ANNOTATION = 'cdk8s-load-balancers/hostnames';

/** The type of the condition that says how a shared Service fares. */
export const SHARED_CONDITION = 'cdk8s-load-balancers/Shared';

/** The error of a port in the status of a Service, where another Service has it. */
export const PORT_CONFLICT = 'cdk8s-load-balancers/PortConflict';

/** The environment variable that names the file which gets the requests for ports, set by the command that locks them. */
export const PORT_REQUESTS_FILE = 'CDK8S_LOAD_BALANCERS_PORT_REQUESTS';

/** The Gateway API, as documents that publish a Service say it. kubernetes-sigs/gateway-api v1.6.1: apis/v1 */
export const GATEWAY_API = {
  group: 'gateway.networking.k8s.io',
  version: 'gateway.networking.k8s.io/v1',
} as const;

/**
 * What the controller puts before its name in the finalizer of Services, where there is a hook that withdraws what was made.
 * metacontroller/metacontroller v4.17.2: pkg/controller/decorator/controller.go
 */
export const FINALIZER_PREFIX = 'metacontroller.io/decoratorcontroller-';

/**
 * What the controller puts on everything that it makes. metacontroller/metacontroller v4.17.2:
 * pkg/controller/decorator/controller.go
 */
export const MADE_BY_ANNOTATION = 'metacontroller.k8s.io/decorator-controller';

/** What the program that watches tenants counts, by the names of its metrics. */
export const USAGE_METRICS = {
  connections: 'shared_load_balancer_tenant_connections',
  bytes: 'shared_load_balancer_tenant_bytes_total',
  refused: 'shared_load_balancer_tenant_refused_connections_total',
  limit: 'shared_load_balancer_tenant_connection_limit',
  isSuspended: 'shared_load_balancer_tenant_suspended',
  proxies: 'shared_load_balancer_proxies',
  failures: 'shared_load_balancer_watch_failures_total',
  /** The label with the namespace and the name of the shared load balancer. */
  balancerLabel: 'shared_load_balancer',
} as const;

// What the hook and the controller that calls it agree on.

/** The group and version of DecoratorController. metacontroller/metacontroller v4.17.2: pkg/apis/metacontroller/v1alpha1 */
export const DECORATOR_API = 'metacontroller.k8s.io/v1alpha1';

/** The group of the controller's own kinds, and those that it reads. metacontroller/metacontroller v4.17.2: manifests/production */
export const DECORATOR_GROUP = 'metacontroller.k8s.io';
export const DECORATOR_KINDS = ['compositecontrollers', 'controllerrevisions', 'decoratorcontrollers'] as const;

/** Where the controller's own manifests install it, and as whom. metacontroller/metacontroller v4.17.2: manifests/production */
export const CONTROLLER = {
  namespace: 'metacontroller',
  serviceAccount: 'metacontroller',
  podLabels: { 'app.kubernetes.io/name': 'metacontroller' },
} as const;

/**
 * Requests a second that the controller may make, and at once; with its own 5 and 10 it serves 200 Services in minutes.
 * metacontroller/metacontroller v4.17.2: pkg/cmd/metacontroller/main.go
 */
export const CLIENT_RATE = { qps: 100, burst: 200 } as const;

/** The version of messages that hold objects of other namespaces. metacontroller/metacontroller v4.17.2: docs/src/api/hook.md */
export const HOOK_VERSION = 'v2';

/** The version of NetworkPolicy. kubernetes/api v0.36: networking/v1 */
export const NETWORK_POLICY_API = 'networking.k8s.io/v1';

/** The label of what belongs together. kubernetes/website: content/en/docs/concepts/overview/working-with-objects/common-labels.md */
export const NAME_LABEL = 'app.kubernetes.io/name';

/** The annotation of the hook's pods that changes with what they run, so that they start anew. */
export const CONTENT_HASH = 'cdk8s-load-balancers/content-hash';

/** The image that runs the hook, and its user that is not root. nodejs/docker-node: 24/alpine3.22/Dockerfile */
export const NODE_IMAGE = 'node:24.11.1-alpine3.22';
export const NODE_USER = 1000;

/** The label of the Service of the hook, whose annotation has the table of ports that are set aside, and that annotation. */
export const SEATS_LABEL = 'cdk8s-load-balancers/seats';

/**
 * Ports of a balancer up to which they are set aside in one annotation, which may have 256 KiB with all others. kubernetes/apimachinery
 * v0.36.3: pkg/api/validation/objectmeta.go
 */
export const MOST_SEATS = 2000;

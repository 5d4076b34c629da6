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

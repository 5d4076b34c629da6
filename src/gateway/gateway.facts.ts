// Names, syntax and limits of the Gateway API, as its schemas have them. kubernetes-sigs/gateway-api v1.6.1:
// apis/v1/gateway_types.go, gatewayclass_types.go, listenerset_types.go, tcproute_types.go, tlsroute_types.go,
// referencegrant_types.go, shared_types.go, object_reference_types.go; v1.6.3 and v1.7.0 say the same

/** The group of the Gateway API. */
export const GATEWAY_GROUP = 'gateway.networking.k8s.io';

/** The version that all objects of this room are written in. */
export const GATEWAY_API_VERSION = 'gateway.networking.k8s.io/v1';

/** The kind of a Gateway. */
export const GATEWAY_KIND = 'Gateway';

/** The type of an address of a Gateway that says none. apis/v1/gateway_types.go */
export const IP_TYPE = 'IPAddress';

/** The kind of a class of Gateways. */
export const GATEWAY_CLASS_KIND = 'GatewayClass';

/** The kind of a route by the server name of TLS; of version `v1` from Gateway API 1.5 on. */
export const TLS_ROUTE_KIND = 'TLSRoute';

/** The kind of a route by port alone; of version `v1` from Gateway API 1.6 on. */
export const TCP_ROUTE_KIND = 'TCPRoute';

/** The kind of a set of listeners that joins a Gateway; of version `v1` from Gateway API 1.5 on. */
export const LISTENER_SET_KIND = 'ListenerSet';

/** The kind of a grant; of version `v1` from Gateway API 1.5 on. */
export const REFERENCE_GRANT_KIND = 'ReferenceGrant';

/** Protocols that a listener has TLS settings with, and those that it has no host name with. */
export const TLS_PROTOCOLS: readonly string[] = ['HTTPS', 'TLS'];
export const HOSTLESS_PROTOCOLS: readonly string[] = ['TCP', 'UDP'];

/**
 * Kinds of routes that fit a protocol. TLS that is terminated carries TCP as well.
 * kubernetes-sigs/gateway-api v1.6.1: apis/v1/gateway_types.go
 */
export const ROUTE_KINDS: Readonly<Record<string, readonly string[]>> = {
  HTTP: ['HTTPRoute', 'GRPCRoute'],
  HTTPS: ['HTTPRoute', 'GRPCRoute'],
  TLS: [TLS_ROUTE_KIND],
  TCP: [TCP_ROUTE_KIND],
  UDP: ['UDPRoute'],
};

/** Protocols that the API itself names; the others have the form of a domain with a path. */
export const CORE_PROTOCOLS: readonly string[] = ['HTTP', 'HTTPS', 'TLS', 'TCP', 'UDP'];

/** The name of a protocol that an implementation adds. */
export const CUSTOM_PROTOCOL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\/[A-Za-z0-9]+$/;

/** The name of the controller of a class. */
export const CONTROLLER_NAME =
  /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\/[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/;

/** How many there may be of what. */
export const AT_MOST = {
  listeners: 64,
  addresses: 16,
  infrastructureLabels: 8,
  infrastructureAnnotations: 16,
  routeKinds: 8,
  certificates: 64,
  description: 64,
  parents: 32,
  hostnames: 1024,
  backends: 16,
  weight: 1_000_000,
  grants: 16,
} as const;

/** The label that every namespace has, with its name. kubernetes/api v0.36, core/v1/well_known_labels.go */
export const NAMESPACE_NAME_LABEL = 'kubernetes.io/metadata.name';

/**
 * Controllers whose load balancers choose no backend by the server name of TLS, each with what happens to a route by it.
 * kubernetes-sigs/aws-load-balancer-controller v3.5.0: docs/guide/gateway/l4gateway.md, pkg/gateway/constants/controller_constants.go;
 * the first was seen running with version 3.5.0, the second is stated by docs/guide/gateway/l7gateway.md
 */
export const WITHOUT_SNI_ROUTING: Readonly<Record<string, string>> = {
  'gateway.k8s.aws/nlb': 'whose balancers do not route by SNI: the second host on a port is silently ignored',
  'gateway.k8s.aws/alb': 'which serves routes of HTTP and gRPC alone',
};

/** The API version of a TLSRoute in which host names are optional. config/crd/experimental/gateway.networking.k8s.io_tlsroutes.yaml */
export const OLDEST_TLS_ROUTE_API = 'gateway.networking.k8s.io/v1alpha2';

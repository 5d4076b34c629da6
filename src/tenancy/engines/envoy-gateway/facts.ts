// envoyproxy/gateway v1.9.1: api/v1alpha1 (clienttrafficpolicy_types.go, securitypolicy_types.go, envoyproxy_types.go,
// shared_types.go), internal/gatewayapi (clienttrafficpolicy.go, securitypolicy.go, listener.go, listenerset.go, validate.go),
// internal/xds/translator (translator.go, listener.go, proxy_protocol.go), internal/xds/bootstrap/bootstrap.go,
// internal/infrastructure/kubernetes (infra_client.go, proxy/resource_provider.go)

import { NLB_LISTENERS } from '../aws-network-load-balancer/facts';

/** The controller of Gateways that Envoy Gateway serves. */
export const ENVOY_GATEWAY_CONTROLLER = 'gateway.envoyproxy.io/gatewayclass-controller';

/** The version of its own kinds. */
export const ENVOY_GATEWAY_VERSION = 'gateway.envoyproxy.io/v1alpha1';

/** What the GatewayClass is called in its documentation. */
export const ENVOY_GATEWAY_CLASS = 'eg';

/** Where its chart installs it, and where the Service of each Gateway is made unless it runs in Gateway namespace mode. */
export const ENVOY_GATEWAY_NAMESPACE = 'envoy-gateway-system';

/** Ports that the pods of the proxy use themselves, each with what for: nobody reports a listener that wants one. */
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

/** What the Service of a Gateway selects its proxies by, among others. */
export const ENVOY_SELECTOR = { 'app.kubernetes.io/name': 'envoy' } as const;

/** By the controller that makes the balancer. Who is not here has no limit that its documentation names. */
export const FRONT_PORTS: Readonly<Record<string, number>> = {
  'aws-load-balancer-controller': NLB_LISTENERS,
  'cloud-provider-aws': NLB_LISTENERS,
  'eks-auto-mode': NLB_LISTENERS,
};

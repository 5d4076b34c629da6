import { type Json, mapIn } from '../contract/json';
import { ownValue } from '../contract/own-value';
import { ENVOY_GATEWAY_NAMESPACE, ENVOY_SELECTOR } from '../tenancy/engines/envoy-gateway/facts';

/**
 * The Service that Envoy Gateway makes. envoyproxy/gateway v1.9.1: api/v1alpha1/shared_types.go (defaults),
 * internal/infrastructure/kubernetes/proxy/resource_provider.go
 */
export function envoyService(gateway: Json, proxy: Json, ports: readonly Json[]): Json {
  const asked = mapIn(mapIn(mapIn(mapIn(proxy, 'spec'), 'provider'), 'kubernetes'), 'envoyService');
  const { annotations, labels, name, patch, ...spec } = asked;
  const merged = mapIn(patch, 'value');
  const ofGateway = mapIn(mapIn(gateway, 'spec'), 'infrastructure');
  const { namespace, name: own } = mapIn(gateway, 'metadata');
  // that of all Gateways of a class is named by the class
  const ofNamespace = areGatewaysMerged(proxy) && namespace === undefined ? [] : [textOf(namespace) ?? 'default'];
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      ...(name ? { name } : { generateName: `envoy-${[...ofNamespace, textOf(own) ?? ''].join('-')}-` }),
      namespace: ENVOY_GATEWAY_NAMESPACE,
      annotations: { ...mapIn(ofGateway, 'annotations'), ...mapIn(asked, 'annotations') },
      labels: mapIn(asked, 'labels'),
      ...mapIn(merged, 'metadata'),
    },
    spec: {
      type: 'LoadBalancer',
      externalTrafficPolicy: 'Local',
      ...spec,
      ...ownValue(FAMILIES, String(mapIn(proxy, 'spec').ipFamily)),
      ...mapIn(merged, 'spec'),
      ports,
      selector: ENVOY_SELECTOR,
    },
  };
}

/** Whether an EnvoyProxy has all Gateways of its class share one Service. */
export function areGatewaysMerged(proxy: Json | undefined): boolean {
  return mapIn(proxy, 'spec').mergeGateways === true;
}

/** What an EnvoyProxy says of IP families; with IPv4 it says nothing of them. */
const FAMILIES: Readonly<Record<string, Json>> = {
  IPv6: { ipFamilies: ['IPv6'], ipFamilyPolicy: 'SingleStack' },
  DualStack: { ipFamilies: ['IPv4', 'IPv6'], ipFamilyPolicy: 'RequireDualStack' },
};

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

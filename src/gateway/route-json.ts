import type { Json } from '../contract/json';
import type { GatewayBackendRef, GatewayParentRef } from './gateway-route-references';
import { parentRefJson } from './parent-ref';

/**
 * What the specifications of all routes have in common. Lists of rules are atomic: defaults that the API server adds within
 * them would look like changes of others to tools that compare or apply, so they are written out.
 */
export function routeJson(parentRefs: readonly GatewayParentRef[], backendRefs: readonly GatewayBackendRef[]): Json {
  return {
    parentRefs: parentRefs.map(({ gateway, sectionName }) => parentRefJson(gateway, sectionName)),
    rules: [{ backendRefs: backendRefs.map(backendJson) }],
  };
}

function backendJson({ name, namespace, port, weight = 1 }: GatewayBackendRef): Json {
  return { group: '', kind: 'Service', name, namespace, port, weight };
}

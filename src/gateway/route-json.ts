import type { Json } from '../contract/late-rendering';
import type { GatewayBackendRef, GatewayParentRef } from './gateway-route-references';
import { parentRefJson } from './parent-ref';

/** What the specifications of all routes have in common. */
export function routeJson(parentRefs: readonly GatewayParentRef[], backendRefs: readonly GatewayBackendRef[]): Json {
  return {
    parentRefs: parentRefs.map(({ gateway, sectionName }) => parentRefJson(gateway, sectionName)),
    rules: [
      { backendRefs: backendRefs.map(({ name, namespace, port, weight }) => ({ name, namespace, port, weight })) },
    ],
  };
}

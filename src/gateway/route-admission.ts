import type { Json } from '../contract/late-rendering';
import { GATEWAY_GROUP, NAMESPACE_NAME_LABEL } from './gateway.facts';
import { isMap, listIn, mapIn, mapsIn } from './gateway-json';
import type { GatewayListener } from './gateway-listener';

// Whether a listener takes a route. What cannot be known at synth, such as the labels of a namespace, counts as admitted.

/** A route, as far as listeners look at it. */
export interface RoutedKind {
  /** A kind of the Gateway API, such as `TLSRoute`. */
  readonly kind: string;
  /** The namespace of the route, where it is known. */
  readonly namespace?: string;
  /** The protocol that routes of this kind need. */
  readonly protocol: string;
}

/** Why a listener does not take a route, or nothing. */
export function routeFault(
  listener: GatewayListener,
  gatewayNamespace: string | undefined,
  route: RoutedKind,
): string | undefined {
  if (listener.protocol.value !== route.protocol) {
    return `has protocol ${listener.protocol.value}`;
  }
  const allowed: Json = listener.allowedRoutes?._toJson() ?? {};
  const kinds = mapsIn(allowed, 'kinds').map(({ group = GATEWAY_GROUP, kind }) => `${group}/${kind}`);
  if (kinds.length > 0 && !kinds.includes(`${GATEWAY_GROUP}/${route.kind}`)) {
    return `admits ${mapsIn(allowed, 'kinds')
      .map(({ kind }) => kind)
      .join(', ')} alone`;
  }
  return namespaceFault(mapIn(allowed, 'namespaces'), gatewayNamespace, route.namespace);
}

function namespaceFault(allowed: Json, own: string | undefined, namespace: string | undefined): string | undefined {
  const { from = 'Same', selector } = allowed;
  if (namespace === undefined) {
    return undefined;
  }
  if (from === 'Same') {
    return own === undefined || own === namespace ? undefined : `admits routes of its own namespace '${own}' alone`;
  }
  return from === 'Selector' && isMap(selector) && !mayHave(selector, namespace)
    ? `admits routes of other namespaces than '${namespace}'`
    : undefined;
}

/** Whether a namespace can have what a selector asks for: of its labels, only the one with its name is known. */
function mayHave(selector: Json, namespace: string): boolean {
  const named = mapIn(selector, 'matchLabels')[NAMESPACE_NAME_LABEL];
  const fits = ({ key, operator, values }: Json) => {
    if (key !== NAMESPACE_NAME_LABEL) {
      return true;
    }
    const isNamed = listIn({ values }, 'values').includes(namespace);
    return operator === 'In' ? isNamed : operator === 'NotIn' ? !isNamed : operator !== 'DoesNotExist';
  };
  return (named === undefined || named === namespace) && mapsIn(selector, 'matchExpressions').every(fits);
}

/** Whether a listener serves a host: `*.example.com` serves all that end with `.example.com`. */
export function servesHost({ hostname }: GatewayListener, host: string): boolean {
  if (!hostname) {
    return true;
  }
  return hostname.startsWith('*.')
    ? host.length > hostname.length - 1 && host.endsWith(hostname.slice(1))
    : host === hostname;
}

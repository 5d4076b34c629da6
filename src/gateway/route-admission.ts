import { isMap, type Json, listIn, mapIn, mapsIn } from '../contract/json';
import { ownValue } from '../contract/own-value';
import { GATEWAY_GROUP, NAMESPACE_NAME_LABEL, ROUTE_KINDS, TCP_ROUTE_KIND, TLS_ROUTE_KIND } from './gateway.facts';
import type { GatewayListener } from './gateway-listener';
import { GatewayTlsMode } from './gateway-tls-mode';

// Whether a listener takes a route. What cannot be known at synth, such as the labels of a namespace, counts as admitted.

/** Kinds of routes that fit a protocol: TLS that is passed through has nothing but the name of its server to route by. */
export function fittingKinds(protocol: string, tlsMode: string | undefined): readonly string[] {
  return protocol === 'TLS' && tlsMode !== GatewayTlsMode.PASSTHROUGH
    ? [TLS_ROUTE_KIND, TCP_ROUTE_KIND]
    : (ownValue(ROUTE_KINDS, protocol) ?? []);
}

/** Whether a kind of routes is one of those whose protocols the API itself names. */
export function isCoreRoute(kind: unknown): boolean {
  return Object.values(ROUTE_KINDS).some((kinds) => kinds.includes(String(kind)));
}

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
    return listener.protocol.value ? `has protocol ${listener.protocol.value}` : 'has no protocol';
  }
  const allowed: Json = listener.allowedRoutes?._toJson() ?? {};
  const kinds = mapsIn(allowed, 'kinds').map(({ group = GATEWAY_GROUP, kind }) => `${group}/${kind}`);
  if (kinds.length > 0 && !kinds.includes(`${GATEWAY_GROUP}/${route.kind}`)) {
    return `admits ${mapsIn(allowed, 'kinds')
      .map(({ kind }) => kind)
      .join(', ')} alone`;
  }
  return namespaceFault('routes', { from: 'Same', ...mapIn(allowed, 'namespaces') }, gatewayNamespace, route.namespace);
}

/** Why a Gateway does not take a ListenerSet, or nothing. */
export function listenerSetFault(gateway: Json, namespace: string | undefined): string | undefined {
  const namespaces = mapIn(mapIn(gateway.spec, 'allowedListeners'), 'namespaces');
  const allowed = { from: 'None', ...namespaces };
  return allowed.from === 'None'
    ? 'admits no ListenerSets'
    : namespaceFault('ListenerSets', allowed, gateway.metadata?.namespace, namespace);
}

function namespaceFault(
  what: string,
  { from, selector }: Json,
  own: string | undefined,
  namespace: string | undefined,
): string | undefined {
  if (namespace === undefined) {
    return undefined;
  }
  if (from === 'Same') {
    return own === undefined || own === namespace ? undefined : `admits ${what} of its own namespace '${own}' alone`;
  }
  return from === 'Selector' && isMap(selector) && !mayHave(selector, namespace)
    ? `admits ${what} of other namespaces than '${namespace}'`
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

/** Why a listener takes no connection for a route with these host names, or nothing. */
export function hostnameFault({ hostname }: GatewayListener, names: readonly unknown[]): string | undefined {
  const meets = (name: string) => !hostname || isWithin(name, hostname) || isWithin(hostname, name);
  return names.length === 0 || names.some((name) => typeof name !== 'string' || meets(name))
    ? undefined
    : `serves '${hostname}' and none of ${names.join(', ')}`;
}

function isWithin(name: string, names: string): boolean {
  return name === names || (names.startsWith('*.') && name.length >= names.length && name.endsWith(names.slice(1)));
}

/** Whether a listener serves a host: `*.example.com` serves all that end with `.example.com`. */
export function servesHost({ hostname }: GatewayListener, host: string): boolean {
  return !hostname || isWithin(host, hostname);
}

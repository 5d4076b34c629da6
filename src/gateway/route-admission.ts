import { isMap, type Json, mapIn, mapsIn, ownValue } from '../contract/json';
import { holds } from '../contract/kubernetes-syntax';
import type { IndexedObject } from '../rules/objects';
import { GATEWAY_GROUP, NAMESPACE_NAME_LABEL, ROUTE_KINDS, TCP_ROUTE_KIND, TLS_ROUTE_KIND } from './gateway.facts';
import { type GatewayListener, GatewayTlsMode } from './options';

// True if a listener takes a route. What is not known, such as the labels of a namespace without a manifest, counts as admitted.

/** Kinds of routes that fit a protocol: TLS that is passed through has nothing but the name of its server to route by. */
export function fittingKinds(protocol: string, tlsMode: string | undefined): readonly string[] {
  return protocol === 'TLS' && tlsMode !== GatewayTlsMode.PASSTHROUGH
    ? [TLS_ROUTE_KIND, TCP_ROUTE_KIND]
    : (ownValue(ROUTE_KINDS, protocol) ?? []);
}

export function isCoreRoute(kind: unknown): boolean {
  return Object.values(ROUTE_KINDS).some((kinds) => kinds.includes(String(kind)));
}

interface RoutedKind {
  readonly kind: string;
  readonly namespace?: string;
  readonly labels?: Json;
  readonly protocol: string;
}

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
  return namespaceFault('routes', { from: 'Same', ...mapIn(allowed, 'namespaces') }, gatewayNamespace, route);
}

export function listenerSetFault(gateway: Json, set: Pick<RoutedKind, 'namespace' | 'labels'>): string | undefined {
  const namespaces = mapIn(mapIn(gateway.spec, 'allowedListeners'), 'namespaces');
  const allowed = { from: 'None', ...namespaces };
  return allowed.from === 'None'
    ? 'admits no ListenerSets'
    : namespaceFault('ListenerSets', allowed, gateway.metadata?.namespace, set);
}

function namespaceFault(
  what: string,
  { from, selector }: Json,
  own: string | undefined,
  { namespace, labels }: Pick<RoutedKind, 'namespace' | 'labels'>,
): string | undefined {
  if (namespace === undefined) {
    return undefined;
  }
  if (from === 'Same') {
    return own === undefined || own === namespace ? undefined : `admits ${what} of its own namespace '${own}' alone`;
  }
  if (from !== 'Selector' || !isMap(selector)) {
    return undefined;
  }
  return !mayHave(selector, { [NAMESPACE_NAME_LABEL]: namespace }, false)
    ? `admits ${what} of other namespaces than '${namespace}'`
    : labels && !mayHave(selector, { ...labels, [NAMESPACE_NAME_LABEL]: namespace }, true)
      ? `admits ${what} of namespaces with labels that Namespace '${namespace}' lacks`
      : undefined;
}

const OPERATORS: readonly unknown[] = ['In', 'NotIn', 'Exists', 'DoesNotExist'];

/** Returns true if a selector may match a namespace; with `areAll` the namespace has no other labels. */
function mayHave(selector: Json, labels: Json, areAll: boolean): boolean {
  const isOpen = (key: string) => !areAll && ownValue(labels, key) === undefined;
  const fits = (expression: Json) =>
    isOpen(String(expression.key)) || holds(expression, labels) || !OPERATORS.includes(expression.operator);
  const isThere = ([key, value]: [string, unknown]) => isOpen(key) || ownValue(labels, key) === value;
  return (
    Object.entries(mapIn(selector, 'matchLabels')).every(isThere) && mapsIn(selector, 'matchExpressions').every(fits)
  );
}

/** The labels of the namespace of an object, where one manifest of it is among the others. */
export function namespaceLabelsOf({ index, namespace }: IndexedObject): Json | undefined {
  const found = index.named('', 'Namespace', { name: namespace });
  return found.length === 1 ? mapIn(found[0].json.metadata, 'labels') : undefined;
}

export function hostnameFault({ hostname }: GatewayListener, names: readonly unknown[]): string | undefined {
  const meets = (name: string) => !hostname || isWithin(name, hostname) || isWithin(hostname, name);
  return names.length === 0 || names.some((name) => typeof name !== 'string' || meets(name))
    ? undefined
    : `serves '${hostname}' and none of ${names.join(', ')}`;
}

function isWithin(name: string, names: string): boolean {
  return name === names || (names.startsWith('*.') && name.length >= names.length && name.endsWith(names.slice(1)));
}

/** True if a listener serves a host: `*.example.com` serves all that end with `.example.com`. */
export function servesHost({ hostname }: GatewayListener, host: string): boolean {
  return !hostname || isWithin(host, hostname);
}

import { isMap, type Json } from '../../contract/json';
import { dnsNameFault, ipFault } from '../../contract/kubernetes-syntax';
import { GATEWAY_GROUP, GATEWAY_KIND } from '../../gateway/gateway.facts';
import { parentRefJson } from '../../gateway/gateway-json';
import type { GatewayParentRef } from '../../gateway/options';
import type { Rule } from '../../rules/rule';
import { bootstrapOf, listAt, listenersOf, listenerTitleOf, textAt } from '../operator/kafka-document';
import { LISTENER_TYPES } from '../strimzi/strimzi.facts';
import {
  advertisedHostOf,
  hostOf,
  idsOf,
  type ListenerRuleContext,
  listenerRules,
  placeholdersIn,
} from './listener-rule';

/** The hosts of the routes of a listener, of bootstrap and of each broker; none of a listener of another type. */
function hostsOf(listener: Json, context: ListenerRuleContext): [whose: string, host: string, id?: number][] {
  if (listener.type !== LISTENER_TYPES.tlsRoute) {
    return [];
  }
  const bootstrap = textAt(bootstrapOf(listener), 'host');
  return [
    ...(bootstrap === undefined ? [] : [['bootstrap', bootstrap] satisfies [string, string]]),
    ...idsOf(listener, context).flatMap((id): [string, string, number][] => {
      const host = hostOf(listener, id);
      return host === undefined ? [] : [[`broker ${id}`, host, id]];
    }),
  ];
}

function mayShareGateway(listener: Json, other: Json, namespace: string | undefined): boolean {
  const [own, others] = [listener, other].map((one) => parentsOf(one, namespace));
  return !own || !others || own.some((parent) => others.includes(parent));
}

/** True if a host is no name of one host; an unknown placeholder is the subject of another rule. */
function isBadHost(host: string): boolean {
  const isName = ipFault(host) !== undefined && !host.includes('*') && dnsNameFault(host) === undefined;
  return placeholdersIn(host).length === 0 && !isName;
}

export const KAFKA_TLS_ROUTE_RULES: readonly Rule<ListenerRuleContext>[] = listenerRules({
  'route-host-invalid': (listener, context) =>
    hostsOf(listener, context)
      .filter(([, host]) => isBadHost(host))
      .map(([whose, value]) => ({ whose, value })),
  'route-host-shared-with-bootstrap': (listener, context) => {
    const [, ...brokers] = hostsOf(listener, context);
    const bootstrap = textAt(bootstrapOf(listener), 'host');
    return brokers
      .filter(([whose, host]) => whose !== 'bootstrap' && host === bootstrap)
      .map(([whose, value]) => ({ whose, value }));
  },
  'route-host-duplicate': (listener, context) => {
    const { kafka } = context;
    const all = listenersOf(kafka);
    const others = all
      .slice(0, all.indexOf(listener))
      .filter((other) => mayShareGateway(listener, other, textAt(kafka, 'metadata.namespace')));
    return hostsOf(listener, context).flatMap(([whose, value]) =>
      others
        .filter((other) => hostsOf(other, context).some(([, taken]) => taken === value))
        .map((other) => ({ whose, value, other: listenerTitleOf(other) })),
    );
  },
  'route-advertised-host-mismatch': (listener, context) =>
    hostsOf(listener, context).flatMap(([, host, id]) => {
      const value = id === undefined ? undefined : advertisedHostOf(listener, id);
      return value === undefined || host === value ? [] : [{ id, host, value }];
    }),
  'route-brokers-without-tls': ({ type, tls }) =>
    type === LISTENER_TYPES.tlsRoute && tls === false ? { value: 'false' } : undefined,
});

// Gateways that a listener refers to. Group and kind are those of a Gateway unless they are set, and the namespace is that of
// the route.

function identityOf({ group, kind, namespace, name }: Json, ofRoute: string | undefined): string {
  return JSON.stringify([group ?? GATEWAY_GROUP, kind ?? GATEWAY_KIND, namespace ?? ofRoute ?? null, name]);
}

function referencesOf(listener: Json): Json[] {
  return listAt<Json>(listener, 'configuration.parentRefs').filter(isMap);
}

export function parentsOf(listener: Json, namespace: string | undefined): readonly string[] | undefined {
  const references = referencesOf(listener);
  return references.length === 0 ? undefined : references.map((one) => identityOf(one, namespace));
}

/** The references of a listener to a Gateway: a section that is not asked for may be there. */
export function referencesTo(
  listener: Json,
  { gateway, sectionName }: GatewayParentRef,
  namespace: string | undefined,
): Json[] {
  const wished = identityOf(parentRefJson(gateway), namespace);
  return referencesOf(listener).filter(
    (one) => identityOf(one, namespace) === wished && (sectionName === undefined || one.sectionName === sectionName),
  );
}

export function parentIn(listener: Json, parent: GatewayParentRef, namespace: string | undefined): GatewayParentRef {
  const references = referencesTo(listener, parent, namespace);
  return references.length === 1
    ? { gateway: parent.gateway, sectionName: textAt(references[0], 'sectionName') }
    : parent;
}

export function namedTwice(
  parents: readonly GatewayParentRef[],
  namespace: string | undefined,
): GatewayParentRef | undefined {
  const identities = parents.map(
    ({ gateway, sectionName }) => `${identityOf(parentRefJson(gateway), namespace)}\n${sectionName ?? ''}`,
  );
  return parents.find((_, i) => identities.indexOf(identities[i]) < i);
}

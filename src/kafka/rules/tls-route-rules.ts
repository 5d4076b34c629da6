import { isMap, type Json } from '../../contract/json';
import { dnsNameFault, ipFault } from '../../contract/kubernetes-syntax';
import { GATEWAY_GROUP, GATEWAY_KIND } from '../../gateway/gateway.facts';
import { parentRefJson } from '../../gateway/gateway-json';
import type { Rule } from '../../rules/rule';
import { bootstrapOf, listAt, listenersOf, listenerTitleOf, textAt } from '../operator/kafka-document';
import type { KafkaTlsRouteGateway } from '../options';
import { LISTENER_TYPES } from '../strimzi/strimzi.facts';
import {
  advertisedHostOf,
  hostOf,
  idsOf,
  type ListenerRuleContext,
  listenerRules,
  placeholdersIn,
} from './listener-rule';

type Judge = Rule<ListenerRuleContext>['judge'];

function ofTlsRoutes(judge: Judge): Judge {
  return (listener, context) => (listener.type === LISTENER_TYPES.tlsRoute ? judge(listener, context) : undefined);
}

function hostsOf(listener: Json, context: ListenerRuleContext): [whose: string, host: string][] {
  const bootstrap = textAt(bootstrapOf(listener), 'host');
  const all: [string, string | undefined][] = [
    ['bootstrap', bootstrap],
    ...idsOf(listener, context).map((id): [string, string | undefined] => [`broker ${id}`, hostOf(listener, id)]),
  ];
  return all.filter((entry): entry is [string, string] => entry[1] !== undefined);
}

function mayShareGateway(listener: Json, other: Json, namespace: string | undefined): boolean {
  const [own, others] = [listener, other].map((one) => parentsOf(one, namespace));
  return !own || !others || own.some((parent) => others.includes(parent));
}

/** What is wrong with a host; an unknown placeholder is the subject of another rule. */
function hostFault(host: string): string | undefined {
  if (placeholdersIn(host).length > 0) {
    return undefined;
  }
  return ipFault(host) !== undefined && !host.includes('*') && dnsNameFault(host) === undefined
    ? undefined
    : 'which is no lower-case name of one host';
}

export const KAFKA_TLS_ROUTE_RULES: readonly Rule<ListenerRuleContext>[] = listenerRules({
  'route-host': ofTlsRoutes((listener, context) =>
    hostsOf(listener, context)
      .filter(([, host]) => hostFault(host) !== undefined)
      .map(([whose, host]) => ({
        what: `the host of ${whose} is '${host}', ${hostFault(host)}`,
        remedy: 'write a name like bootstrap.kafka.example.com, without port, wildcard and capitals',
        value: host,
      })),
  ),
  'route-host-of-bootstrap': ofTlsRoutes((listener, context) => {
    const [, ...brokers] = hostsOf(listener, context);
    const bootstrap = textAt(bootstrapOf(listener), 'host');
    return brokers
      .filter(([whose, host]) => whose !== 'bootstrap' && host === bootstrap)
      .map(([whose, host]) => ({
        what: `bootstrap and ${whose} both have host '${host}', so the Gateway sends the clients of one of them to the other`,
        remedy: 'give bootstrap a host of its own',
        value: host,
      }));
  }),
  'route-host-of-another': ofTlsRoutes((listener, context) => {
    const { kafka } = context;
    const all = listenersOf(kafka);
    const others = all.slice(0, all.indexOf(listener)).filter(({ type }) => type === LISTENER_TYPES.tlsRoute);
    return hostsOf(listener, context).flatMap(([whose, host]) =>
      others
        .filter((other) => mayShareGateway(listener, other, textAt(kafka, 'metadata.namespace')))
        .filter((other) => hostsOf(other, context).some(([, taken]) => taken === host))
        .map((other) => ({
          what: `the host of ${whose} is '${host}', which the earlier ${listenerTitleOf(other)} has too`,
          remedy: 'give each listener hosts of its own',
          value: host,
        })),
    );
  }),
  'route-advertised-host': ofTlsRoutes((listener, context) =>
    idsOf(listener, context)
      .map((id) => [id, hostOf(listener, id), advertisedHostOf(listener, id)] as const)
      .filter(([, host, advertised]) => host !== undefined && advertised !== undefined && host !== advertised)
      .map(([id, host, advertised]) => ({
        what: `broker ${id} advertises '${advertised}', and its route is for '${host}': clients ask for the former, for which the operator makes no route`,
        remedy:
          'leave advertisedHostTemplate and advertisedHost out, so that brokers advertise the hosts of their routes; or acknowledge it where routes of your own serve the others',
        value: advertised,
      })),
  ),
  'route-plain-broker': ofTlsRoutes(({ tls }) =>
    tls === false
      ? {
          what: 'tls is false, but clients use TLS all the same: the Gateway must terminate it with a certificate for all hosts, which not every implementation can, and sends brokers plain text',
          remedy: 'set tls: true and pass TLS through, or acknowledge it where the Gateway terminates TLS',
          value: 'false',
        }
      : undefined,
  ),
});

// Which Gateways a listener names. Group and kind are those of a Gateway unless they are set, and the namespace is that of
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
  { gateway, sectionName }: KafkaTlsRouteGateway,
  namespace: string | undefined,
): Json[] {
  const wished = identityOf(parentRefJson(gateway), namespace);
  return referencesOf(listener).filter(
    (one) => identityOf(one, namespace) === wished && (sectionName === undefined || one.sectionName === sectionName),
  );
}

export function parentIn(
  listener: Json,
  parent: KafkaTlsRouteGateway,
  namespace: string | undefined,
): KafkaTlsRouteGateway {
  const references = referencesTo(listener, parent, namespace);
  return references.length === 1
    ? { gateway: parent.gateway, sectionName: textAt(references[0], 'sectionName') }
    : parent;
}

export function namedTwice(
  parents: readonly KafkaTlsRouteGateway[],
  namespace: string | undefined,
): KafkaTlsRouteGateway | undefined {
  const identities = parents.map(
    ({ gateway, sectionName }) => `${identityOf(parentRefJson(gateway), namespace)}\n${sectionName ?? ''}`,
  );
  return parents.find((_, i) => identities.indexOf(identities[i]) < i);
}

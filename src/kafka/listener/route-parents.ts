import { isMap, type Json } from '../../contract/json';
import { GATEWAY_GROUP, GATEWAY_KIND } from '../../gateway/gateway.facts';
import { parentRefJson } from '../../gateway/parent-ref';
import { listAt, textAt } from '../document/kafka-json';
import type { KafkaTlsRouteGateway } from './kafka-tls-route-gateway';

// Which Gateways a listener names. Group and kind are those of a Gateway unless they are set, and the namespace is that of
// the route.

function identityOf({ group, kind, namespace, name }: Json, ofRoute: string | undefined): string {
  return JSON.stringify([group ?? GATEWAY_GROUP, kind ?? GATEWAY_KIND, namespace ?? ofRoute ?? null, name]);
}

function referencesOf(listener: Json): Json[] {
  return listAt<Json>(listener, 'configuration.parentRefs').filter(isMap);
}

/** What distinguishes the Gateways of a listener from others; nothing where it names none. */
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

/** A Gateway with the section that a listener names of it, where it names one alone. */
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

/** The first Gateway that is listed twice among some. */
export function namedTwice(
  parents: readonly KafkaTlsRouteGateway[],
  namespace: string | undefined,
): KafkaTlsRouteGateway | undefined {
  const identities = parents.map(
    ({ gateway, sectionName }) => `${identityOf(parentRefJson(gateway), namespace)}\n${sectionName ?? ''}`,
  );
  return parents.find((_, i) => identities.indexOf(identities[i]) < i);
}

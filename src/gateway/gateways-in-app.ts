import { type Json, mapIn, mapsIn } from '../contract/json';
import { type IndexedObject, kindAndTitleOf, type ObjectIndex, titleOf } from '../rules/objects';
import { GATEWAY_GROUP, GATEWAY_KIND, LISTENER_SET_KIND } from './gateway.facts';

/** A listener that wants a port of a Gateway. */
export interface ListenerClaim {
  readonly object: IndexedObject;
  readonly listener: Json;
}

/** A Gateway with the ListenerSets that want to join it. */
export interface JoinedGateway {
  /** Nothing where the Gateway is made elsewhere. */
  readonly gateway?: IndexedObject;
  readonly sets: readonly IndexedObject[];
  /** The name in messages. */
  readonly title: string;
}

/** The Gateway that a ListenerSet joins; nothing where that is made elsewhere or in doubt. */
export function gatewayOf(set: IndexedObject): IndexedObject | undefined {
  return set.index.nearest(set, GATEWAY_GROUP, GATEWAY_KIND, keyOfGateway(set));
}

/** The Gateway or the ListenerSet that a route names; nothing where that is made elsewhere or in doubt. */
export function parentOf(route: IndexedObject, parentRef: Json): IndexedObject | undefined {
  const { group = GATEWAY_GROUP, kind = GATEWAY_KIND, namespace = route.namespace, name } = parentRef;
  return group === GATEWAY_GROUP && (kind === GATEWAY_KIND || kind === LISTENER_SET_KIND)
    ? route.index.nearest(route, GATEWAY_GROUP, kind, { namespace, name })
    : undefined;
}

/** Every Gateway with its ListenerSets, and the ListenerSets of Gateways that are made elsewhere. */
export function joinedGateways(index: ObjectIndex): JoinedGateway[] {
  const joining = new Map<IndexedObject, IndexedObject[]>();
  const elsewhere = new Map<string, IndexedObject[]>();
  for (const set of index.of(GATEWAY_GROUP, LISTENER_SET_KIND)) {
    const key = keyOfGateway(set);
    const gateway = gatewayOf(set);
    if (gateway) {
      listAt(joining, gateway).push(set);
    } else if (index.named(GATEWAY_GROUP, GATEWAY_KIND, key).length === 0) {
      listAt(elsewhere, titleOf(key)).push(set);
    }
  }
  return [
    ...index.of(GATEWAY_GROUP, GATEWAY_KIND).map((gateway) => ({
      gateway,
      sets: joining.get(gateway) ?? [],
      title: kindAndTitleOf(gateway),
    })),
    ...[...elsewhere]
      .filter(([, sets]) => !sets.some(isAmbiguous))
      .map(([key, sets]) => ({ sets, title: `${GATEWAY_KIND} ${key}` })),
  ];
}

/** Every listener that wants a port of a Gateway, those of the Gateway itself first. */
export function claimsOf({ gateway, sets }: JoinedGateway): ListenerClaim[] {
  return [...(gateway ? [gateway] : []), ...sets].flatMap((object) =>
    mapsIn(object.json.spec, 'listeners').map((listener) => ({ object, listener })),
  );
}

/** The list at a key, made where there is none. */
export function listAt<K, V>(lists: Map<K, V[]>, key: K): V[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}

function keyOfGateway(set: IndexedObject) {
  const { namespace = set.namespace, name } = mapIn(set.json.spec, 'parentRef');
  return { namespace, name };
}

/** Whether two sets have one name: they are for two clusters. */
function isAmbiguous({ index, namespace, name }: IndexedObject): boolean {
  return index.named(GATEWAY_GROUP, LISTENER_SET_KIND, { namespace, name }).length > 1;
}

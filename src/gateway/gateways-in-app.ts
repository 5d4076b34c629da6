import { type Json, mapIn, mapsIn } from '../contract/json';
import { type IndexedObject, kindAndTitleOf, type ObjectIndex, titleOf } from '../rules/objects';
import { GATEWAY_GROUP, GATEWAY_KIND, HOSTLESS_PROTOCOLS, LISTENER_SET_KIND } from './gateway.facts';

interface ListenerClaim {
  readonly object: IndexedObject;
  readonly listener: Json;
}

interface JoinedGateway {
  /** Nothing where the Gateway is made elsewhere. */
  readonly gateway?: IndexedObject;
  readonly sets: readonly IndexedObject[];
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

/** The Services that an object leads to. */
export function backendsOf({
  json,
  namespace,
}: IndexedObject): { readonly namespace?: string; readonly name: unknown }[] {
  const { name } = mapIn(json.spec, 'serviceRef');
  const ofRules = mapsIn(json.spec, 'rules').flatMap((rule) => mapsIn(rule, 'backendRefs'));
  return [...ofRules, ...(name === undefined ? [] : [{ name } as Json])]
    .filter(({ group = '', kind = 'Service' }: Json) => group === '' && kind === 'Service')
    .map((backend) => ({ namespace: backend.namespace ?? namespace, name: backend.name }));
}

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

export function claimsOf({ gateway, sets }: JoinedGateway): ListenerClaim[] {
  return [...(gateway ? [gateway] : []), ...sets].flatMap((object) =>
    mapsIn(object.json.spec, 'listeners').map((listener) => ({ object, listener })),
  );
}

export function listAt<K, V>(lists: Map<K, V[]>, key: K): V[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}

function keyOfGateway(set: IndexedObject) {
  const { namespace = set.namespace, name } = mapIn(set.json.spec, 'parentRef');
  return { namespace, name };
}

/** True if two sets have one name: they are for two clusters. */
function isAmbiguous({ index, namespace, name }: IndexedObject): boolean {
  return index.named(GATEWAY_GROUP, LISTENER_SET_KIND, { namespace, name }).length > 1;
}

export interface PortConflict {
  readonly earlier: ListenerClaim;
  readonly later: ListenerClaim;
}

const UDP = 'UDP';

class TakenPort {
  private readonly places = new Map<string, ListenerClaim>();
  private hostless?: ListenerClaim;
  private any?: ListenerClaim;

  /** The one with which a claim conflicts, if there is one; TLS and HTTP share a port by their host names. */
  public conflictOf(claim: ListenerClaim): ListenerClaim | undefined {
    const { protocol, hostname } = claim.listener;
    const isHostless = HOSTLESS_PROTOCOLS.includes(protocol);
    const place = `${protocol} ${hostname || ''}`;
    const found = this.hostless ?? (isHostless ? this.any : this.places.get(place));
    this.places.set(place, this.places.get(place) ?? claim);
    this.hostless ??= isHostless ? claim : undefined;
    this.any ??= claim;
    return found;
  }
}

/** The conflicts over the ports of a Gateway. Those that the API server itself sees in one object are left to it. */
export function portConflicts(gateway: JoinedGateway): PortConflict[] {
  const ports = new Map<string, TakenPort>();
  return claimsOf(gateway).flatMap((later) => {
    const { port, protocol } = later.listener;
    const key = `${protocol === UDP ? UDP : ''} ${port}`;
    const taken = ports.get(key) ?? new TakenPort();
    ports.set(key, taken);
    const earlier = taken.conflictOf(later);
    return earlier && !(earlier.object === later.object && earlier.listener.protocol === protocol)
      ? [{ earlier, later }]
      : [];
  });
}

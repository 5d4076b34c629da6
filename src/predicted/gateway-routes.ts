import { groupedByAll, type Json, mapIn, mapsIn } from '../contract/json';
import {
  GATEWAY_GROUP,
  GATEWAY_KIND,
  LISTENER_SET_KIND,
  REFERENCE_GRANT_KIND,
  ROUTE_KINDS,
} from '../gateway/gateway.facts';
import { LISTENER_SET_RULE_SET } from '../gateway/gateway-rules';
import { gatewayOf, parentOf } from '../gateway/gateways-in-app';
import { OTHER_ROUTE_RULE_SET } from '../gateway/route-rules';
import type { IndexedObject, ObjectIndex } from '../rules/objects';
import { type Judgement, NOTHING_FOUND } from '../rules/rule-set';

export { isTaken } from '../gateway/gateway-app-rules';

// What leads from a Gateway to Services, whatever its implementation makes of it.

const ROUTES = Object.values(ROUTE_KINDS).flat();

export function joinedTo(gateway: IndexedObject): readonly IndexedObject[] {
  return gateway.index.once(joinedTo, joinedIn).get(gateway) ?? [];
}

function joinedIn(index: ObjectIndex): ReadonlyMap<IndexedObject, readonly IndexedObject[]> {
  const joining = [LISTENER_SET_KIND, ...ROUTES].flatMap((kind) => index.of(GATEWAY_GROUP, kind));
  return groupedByAll(joining, (one) => [...new Set(parentsOf(one).flatMap(gatewayAbove))]);
}

function gatewayAbove(parent: IndexedObject): IndexedObject[] {
  return parent.kind === GATEWAY_KIND ? [parent] : [gatewayOf(parent) ?? []].flat();
}

function parentsOf(one: IndexedObject): IndexedObject[] {
  return one.kind === LISTENER_SET_KIND
    ? [gatewayOf(one) ?? []].flat()
    : mapsIn(one.json.spec, 'parentRefs').flatMap((reference) => parentOf(one, reference) ?? []);
}

export function decidingFor(one: IndexedObject): readonly IndexedObject[] {
  const { index, namespace } = one;
  const backends = backendsOf(one).map((backend) => backend.namespace);
  const grants = index
    .of(GATEWAY_GROUP, REFERENCE_GRANT_KIND)
    .filter((grant) => grant.namespace !== namespace && backends.includes(grant.namespace));
  const parents = parentsOf(one);
  return [
    ...parents,
    ...parents.flatMap(gatewayAbove),
    ...index.named('', 'Namespace', { name: namespace }),
    ...grants,
  ].filter((other, i, all) => other !== one && all.indexOf(other) === i);
}

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

export function judgeJoined(one: IndexedObject): Judgement {
  const among = { among: one };
  return one.kind === LISTENER_SET_KIND
    ? LISTENER_SET_RULE_SET.judge(one.json, among)
    : one.group === GATEWAY_GROUP
      ? OTHER_ROUTE_RULE_SET.judge(one.json, among)
      : NOTHING_FOUND;
}

import { grouped, groupedByAll, isMap, type Json, mapIn, mapOf, mapsIn, oncePer } from '../contract/json';
import {
  AWS_GATEWAY_GROUP,
  NLB_CONFIGURATION_KIND,
  TARGET_GROUPS_KIND,
} from '../controllers/aws-load-balancer-controller/facts';
import { EDITED_ENVOY_POLICIES } from '../gateway/edits/gateway-edits.facts';
import {
  GATEWAY_CLASS_KIND,
  GATEWAY_GROUP,
  GATEWAY_KIND,
  LISTENER_SET_KIND,
  REFERENCE_GRANT_KIND,
  ROUTE_KINDS,
  TCP_ROUTE_KIND,
  TLS_ROUTE_KIND,
} from '../gateway/gateway.facts';
import { LISTENER_SET_RULE_SET } from '../gateway/gateway-rules';
import { backendsOf, gatewayOf, parentOf } from '../gateway/gateways-in-app';
import { OTHER_ROUTE_RULE_SET } from '../gateway/route-rules';
import type { Manifest } from '../rules/manifest-objects';
import type { IndexedObject, ObjectIndex } from '../rules/objects';
import { type CheckResult, NOTHING_FOUND } from '../rules/rule-set';
import { ENVOY_GATEWAY_GROUP } from '../tenancy/guard/guard.facts';
import { OPERATORS } from './operators/operators.facts';
import { keyOf, type MakerSide } from './predicted';

export { isRouteAttached } from '../gateway/gateway-app-rules';
export { backendsOf } from '../gateway/gateways-in-app';

export const ENVOY_PROXY_KIND = 'EnvoyProxy';

const PARAMETERS = Object.fromEntries(
  OPERATORS.filter(({ gatewayController }) => gatewayController).flatMap(({ resources }) =>
    resources.filter(({ kind }) => kind !== GATEWAY_KIND).map(({ kind = '', group = '' }) => [kind, group]),
  ),
);

const GROUPS: Readonly<Record<string, string>> = {
  [GATEWAY_KIND]: GATEWAY_GROUP,
  [GATEWAY_CLASS_KIND]: GATEWAY_GROUP,
  [LISTENER_SET_KIND]: GATEWAY_GROUP,
  [TCP_ROUTE_KIND]: GATEWAY_GROUP,
  [TLS_ROUTE_KIND]: GATEWAY_GROUP,
  [REFERENCE_GRANT_KIND]: GATEWAY_GROUP,
  [ENVOY_PROXY_KIND]: ENVOY_GATEWAY_GROUP,
  [NLB_CONFIGURATION_KIND]: AWS_GATEWAY_GROUP,
  [TARGET_GROUPS_KIND]: AWS_GATEWAY_GROUP,
  ...PARAMETERS,
  ...Object.fromEntries(EDITED_ENVOY_POLICIES.map(({ kind, group }) => [kind, group])),
};

const objectsAmong = oncePer((manifests: readonly Manifest[]) => {
  const known = manifests.filter(({ object: { kind, apiVersion } }) =>
    String(apiVersion).startsWith(`${GROUPS[String(kind)]}/`),
  );
  return {
    byName: new Map(known.map((one) => [nameIn(one.object), one])),
    /** Relations by target: many Gateways ask, and each has few. */
    joining: groupedByAll(known, ({ object }) => keysOf(object)),
  };
});

function joiningOn(side: MakerSide, keys: readonly string[]): Manifest[] {
  const { joining } = objectsAmong(side.manifests);
  return [...new Set(keys.flatMap((key) => joining.get(key) ?? []))];
}

function keysOf(object: Json): string[] {
  const { kind } = object;
  const spec = mapIn(object, 'spec');
  const { namespace } = place(object);
  if (POLICIES.has(kind)) {
    return [policyKey(namespace)];
  }
  if (kind in PARAMETERS) {
    return [parametersKey(kind, mapIn(object, 'metadata').name)];
  }
  switch (kind) {
    case GATEWAY_KIND:
      return [classKey(spec.gatewayClassName)];
    case REFERENCE_GRANT_KIND:
      return mapsIn(spec, 'from').map((from) => grantKey(from.kind, from.namespace, namespace));
    case ENVOY_PROXY_KIND:
    case NLB_CONFIGURATION_KIND:
      return [parametersKey(kind, mapIn(object, 'metadata').name)];
    case TARGET_GROUPS_KIND:
      return [targetsKey({ namespace, name: mapIn(spec, 'targetReference').name })];
    default:
      return AT_GATEWAYS.has(kind) ? parentsOf(object).map(({ name }) => name) : [];
  }
}

const policyKey = (namespace: unknown) => `policy in ${namespace}`;
const classKey = (name: unknown) => `Gateway of ${name}`;
const parametersKey = (kind: unknown, name: unknown) => `parameters ${kind} ${name}`;
const grantKey = (...of: readonly unknown[]) => `grant ${JSON.stringify(of)}`;
const targetsKey = (metadata: Json) => `targets ${keyOf({ metadata })}`;

/** An object as it is named on both sides: its kind with what distinguishes it. */
export function nameIn(object: Json): string {
  return `${object.kind} ${keyOf(object)}`;
}

export function findOn(side: MakerSide, name: string): Manifest | undefined {
  return objectsAmong(side.manifests).byName.get(name);
}

export function gatewaysOn(side: MakerSide): Manifest[] {
  return [...objectsAmong(side.manifests).byName.values()].filter(({ object }) => object.kind === GATEWAY_KIND);
}

export function classOn(side: MakerSide, gateway: Json): Manifest | undefined {
  const name = mapIn(gateway, 'spec').gatewayClassName;
  return findOn(side, nameIn({ kind: GATEWAY_CLASS_KIND, metadata: { name } }));
}

export interface NamedParameters {
  readonly by: Manifest;
  readonly name: string;
  readonly reference: Json;
  readonly found?: Manifest;
}

export interface RelatedToGateway {
  readonly own?: Manifest;
  /** Of a class whose Gateways share one balancer: these. */
  readonly merged: readonly Manifest[];
  readonly class?: Manifest;
  readonly parameters: readonly NamedParameters[];
  readonly listenerSets: readonly Manifest[];
  readonly routes: readonly Manifest[];
}

/**
 * Relations of a side to a Gateway.
 *
 * @param maker the Gateway as one side has it
 * @param parametersKind the kind of parameters that its controller reads
 */
export function relatedTo(maker: Json, side: MakerSide, parametersKind: string): RelatedToGateway {
  const own = findOn(side, nameIn(maker));
  const gateway = own?.object ?? maker;
  const isClass = maker.kind === GATEWAY_CLASS_KIND;
  const merged = isClass ? joiningOn(side, [classKey(mapIn(maker, 'metadata').name)]) : [];
  const gateways = isClass ? merged.map(({ object }) => object) : [gateway];
  const ownClass = isClass ? own : classOn(side, gateway);
  const below = (parents: readonly Json[]) => joiningOn(side, parents.map(nameIn));
  const listenerSets = below(gateways).filter(({ object }) => object.kind === LISTENER_SET_KIND);
  const routes = below([...gateways, ...listenerSets.map(({ object }) => object)]).filter(
    ({ object }) => object.kind !== LISTENER_SET_KIND,
  );
  const named = (by: Manifest | undefined, reference: Json): NamedParameters[] => {
    const name = nameIn({ kind: parametersKind, metadata: reference });
    const all = joiningOn(side, [parametersKey(parametersKind, reference.name)]);
    return by && reference.kind === parametersKind
      ? [{ by, name, reference, found: inNamespace(all, reference.namespace) }]
      : [];
  };
  const { namespace } = mapIn(gateway, 'metadata');
  return {
    own,
    merged,
    class: ownClass,
    parameters: [
      ...named(own, { ...mapIn(mapIn(mapIn(gateway, 'spec'), 'infrastructure'), 'parametersRef'), namespace }),
      ...named(ownClass, mapIn(mapIn(ownClass?.object ?? {}, 'spec'), 'parametersRef')),
    ],
    listenerSets,
    routes,
  };
}

/**
 * The object that a reference means among those of its name: the one in the namespace, or else the only one that may be in it.
 * Kustomizations give namespaces to objects, and not to what refers to them.
 */
function inNamespace(named: readonly Manifest[], namespace: unknown): Manifest | undefined {
  const namespaceOf = ({ object }: Manifest): unknown => mapIn(object, 'metadata').namespace;
  const [open, ...others] = named.filter((one) => !namespace || !namespaceOf(one));
  return named.find((one) => namespaceOf(one) === namespace) ?? (others.length === 0 ? open : undefined);
}

export function targetGroupsOf(side: MakerSide, routes: readonly Manifest[]): Manifest[] {
  return joiningOn(side, routes.flatMap(({ object }) => servicesOf(object)).map(targetsKey));
}

/**
 * The grants of a side that let some objects of it lead to another namespace.
 *
 * @param from a Gateway, and the listeners and routes at it
 */
export function grantsOf(side: MakerSide, from: readonly Manifest[]): Manifest[] {
  return joiningOn(
    side,
    from.flatMap(({ object }) => grantedPlaces(object)),
  );
}

function grantedPlaces(object: Json): string[] {
  const spec = mapIn(object, 'spec');
  const { namespace } = place(object);
  const references = [
    ...mapsIn(spec, 'rules').flatMap((rule) => mapsIn(rule, 'backendRefs')),
    ...mapsIn(spec, 'listeners').flatMap((listener) => mapsIn(mapIn(listener, 'tls'), 'certificateRefs')),
  ];
  return references.flatMap((one) =>
    one.namespace && one.namespace !== namespace ? [grantKey(object.kind, namespace, one.namespace)] : [],
  );
}

const POLICIES: ReadonlySet<unknown> = new Set(EDITED_ENVOY_POLICIES.map(({ kind }) => kind));

/**
 * The policies of a side that are about some objects of theirs.
 *
 * @param targets a Gateway, and the listeners and routes at it
 */
export function policiesOf(side: MakerSide, targets: readonly Manifest[]): Manifest[] {
  return joiningOn(side, [...members(targets).keys()].map(policyKey)).filter(({ object }) =>
    isAboutSome(object, targets),
  );
}

export function isAboutSome(policy: Json, targets: readonly Manifest[]): boolean {
  const near = members(targets).get(place(policy).namespace) ?? [];
  return near.some(({ object }) => isAbout(policy, object));
}

const members = oncePer((all: readonly Manifest[]) => grouped(all, ({ object }): unknown => place(object).namespace));

function isAbout(policy: Json, target: Json): boolean {
  const { targetRef, targetRefs, targetSelectors } = mapIn(policy, 'spec');
  const { name, labels } = mapIn(target, 'metadata');
  const references = [...mapsIn({ targetRefs }, 'targetRefs'), ...(isMap(targetRef) ? [targetRef] : [])];
  const selectors = mapsIn({ targetSelectors }, 'targetSelectors');
  return (
    references.some((one) => one.kind === target.kind && one.name === name) ||
    selectors.some(({ kind, matchLabels }) => kind === target.kind && selects(matchLabels, labels))
  );
}

function selects(wanted: unknown, labels: unknown): boolean {
  return Object.entries(mapOf(wanted)).every(([key, value]) => mapOf(labels)[key] === value);
}

const AT_GATEWAYS: ReadonlySet<unknown> = new Set([LISTENER_SET_KIND, TCP_ROUTE_KIND, TLS_ROUTE_KIND]);

/** The names of the Gateways that a listener set or a route is at, as far as the side shows it; nothing for other objects. */
export function gatewaysAbove(side: MakerSide, object: Json): readonly string[] | undefined {
  return AT_GATEWAYS.has(object.kind) ? namesAbove(side, object) : undefined;
}

function namesAbove(side: MakerSide, object: Json): string[] {
  return parentsOf(object).flatMap(({ kind, name }) => {
    const set = kind === LISTENER_SET_KIND && object.kind !== LISTENER_SET_KIND ? findOn(side, name) : undefined;
    return set ? namesAbove(side, set.object) : [GATEWAY_KIND, LISTENER_SET_KIND].includes(String(kind)) ? [name] : [];
  });
}

export function parentsOf(object: Json): { readonly kind: unknown; readonly name: string; readonly reference: Json }[] {
  const spec = mapIn(object, 'spec');
  const references = object.kind === LISTENER_SET_KIND ? [mapIn(spec, 'parentRef')] : mapsIn(spec, 'parentRefs');
  return references.map((reference) => {
    const { kind = GATEWAY_KIND, name, namespace } = reference;
    const metadata = { name, namespace: namespace ?? place(object).namespace };
    return { kind, name: nameIn({ kind, metadata }), reference };
  });
}

export function membersOf({ own, merged, listenerSets, routes }: RelatedToGateway): Manifest[] {
  return [...(own ? [own] : []), ...merged, ...listenerSets, ...routes];
}

export function servicesOf(route: Json): Json[] {
  return mapsIn(mapIn(route, 'spec'), 'rules')
    .flatMap((rule) => mapsIn(rule, 'backendRefs'))
    .map(({ name, namespace }) => ({ ...place(route), ...(namespace ? { namespace } : {}), name }));
}

function place(object: Json): Json {
  const { namespace } = mapIn(object, 'metadata');
  return { namespace };
}

// Paths from a Gateway to Services, whatever its implementation makes of it.

const ROUTES = Object.values(ROUTE_KINDS).flat();

export function joinedTo(gateway: IndexedObject): readonly IndexedObject[] {
  return gateway.index.once(joinedTo, joinedIn).get(gateway) ?? [];
}

function joinedIn(index: ObjectIndex): ReadonlyMap<IndexedObject, readonly IndexedObject[]> {
  const joining = [LISTENER_SET_KIND, ...ROUTES].flatMap((kind) => index.of(GATEWAY_GROUP, kind));
  return groupedByAll(joining, (one) => [...new Set(parentsAmong(one).flatMap(gatewayAbove))]);
}

function gatewayAbove(parent: IndexedObject): IndexedObject[] {
  return parent.kind === GATEWAY_KIND ? [parent] : [gatewayOf(parent) ?? []].flat();
}

function parentsAmong(one: IndexedObject): IndexedObject[] {
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
  const parents = parentsAmong(one);
  return [
    ...parents,
    ...parents.flatMap(gatewayAbove),
    ...index.named('', 'Namespace', { name: namespace }),
    ...grants,
  ].filter((other, i, all) => other !== one && all.indexOf(other) === i);
}

export function checkJoined(one: IndexedObject): CheckResult {
  const among = { among: one };
  return one.kind === LISTENER_SET_KIND
    ? LISTENER_SET_RULE_SET.check(one.json, among)
    : one.group === GATEWAY_GROUP
      ? OTHER_ROUTE_RULE_SET.check(one.json, among)
      : NOTHING_FOUND;
}

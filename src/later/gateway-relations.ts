import { isMap, type Json, mapIn, mapsIn } from '../contract/json';
import { EDITED_ENVOY_POLICIES } from '../gateway/edits/envoy-policy-edits.facts';
import {
  GATEWAY_CLASS_KIND,
  GATEWAY_GROUP,
  GATEWAY_KIND,
  LISTENER_SET_KIND,
  REFERENCE_GRANT_KIND,
  TCP_ROUTE_KIND,
  TLS_ROUTE_KIND,
} from '../gateway/gateway.facts';
import type { Manifest } from '../rules/manifest-objects';
import { AWS_GATEWAY_GROUP, ENVOY_GATEWAY_GROUP } from '../tenancy/guard/dangerous-kinds.facts';
import { ENVOY_PROXY_KIND, gatewaysOfClass, leadsTo, NLB_CONFIGURATION_KIND } from './gateway-services';
import { keyOf, type MakerSide } from './maker-edit';

export const TARGET_GROUPS_KIND = 'TargetGroupConfiguration';

/** The kinds that have to do with balancers of Gateways, with their groups. */
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
  ...Object.fromEntries(EDITED_ENVOY_POLICIES.map(({ kind, group }) => [kind, group])),
};

const OBJECTS = new WeakMap<readonly Manifest[], ReadonlyMap<string, Manifest>>();

/** The objects of a side that have to do with Gateways, by their names. */
function objectsOf({ manifests }: MakerSide): ReadonlyMap<string, Manifest> {
  const known =
    OBJECTS.get(manifests) ??
    new Map(
      manifests
        .filter(({ object: { kind, apiVersion } }) => String(apiVersion).startsWith(`${GROUPS[String(kind)]}/`))
        .map((manifest) => [nameIn(manifest.object), manifest]),
    );
  OBJECTS.set(manifests, known);
  return known;
}

/** An object as it is named on both sides: its kind with what distinguishes it. */
export function nameIn(object: Json): string {
  return `${object.kind} ${keyOf(object)}`;
}

/** An object of a side by its name. */
export function findOn(side: MakerSide, name: string): Manifest | undefined {
  return objectsOf(side).get(name);
}

/** All Gateways of a side. */
export function gatewaysOn(side: MakerSide): Manifest[] {
  return [...objectsOf(side).values()].filter(({ object }) => object.kind === GATEWAY_KIND);
}

/** The class of a Gateway, where a side has it. */
export function classOn(side: MakerSide, gateway: Json): Manifest | undefined {
  const name = mapIn(gateway, 'spec').gatewayClassName;
  return findOn(side, nameIn({ kind: GATEWAY_CLASS_KIND, metadata: { name } }));
}

/** The parameters that a Gateway or its class names. */
export interface NamedParameters {
  readonly by: Manifest;
  readonly name: string;
  /** The object, where the side has it. */
  readonly found?: Manifest;
}

/** A Gateway with what leads to it, and what it leads to. */
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
 * What a side has to do with a Gateway.
 *
 * @param maker the Gateway as one side has it
 * @param parametersKind the kind of parameters that its controller reads
 */
export function relatedTo(maker: Json, side: MakerSide, parametersKind: string): RelatedToGateway {
  const all = [...objectsOf(side).values()];
  const ofKind = (...kinds: string[]) => all.filter(({ object }) => kinds.includes(object.kind));
  const own = findOn(side, nameIn(maker));
  const gateway = own?.object ?? maker;
  const isClass = maker.kind === GATEWAY_CLASS_KIND;
  const merged = isClass ? gatewaysOfClass(ofKind(GATEWAY_KIND), maker) : [];
  const gateways = isClass ? merged.map(({ object }) => object) : [gateway];
  const ownClass = isClass ? own : classOn(side, gateway);
  const listenerSets = ofKind(LISTENER_SET_KIND).filter(({ object }) =>
    gateways.some((one) => leadsTo(mapIn(mapIn(object, 'spec'), 'parentRef'), object, one)),
  );
  const parents = [...gateways, ...listenerSets.map(({ object }) => object)];
  const named = (by: Manifest | undefined, reference: Json): NamedParameters[] => {
    const name = nameIn({ kind: parametersKind, metadata: reference });
    return by && reference.kind === parametersKind ? [{ by, name, found: findOn(side, name) }] : [];
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
    routes: ofKind(TCP_ROUTE_KIND, TLS_ROUTE_KIND).filter(({ object }) =>
      mapsIn(mapIn(object, 'spec'), 'parentRefs').some((ref) => parents.some((one) => leadsTo(ref, object, one))),
    ),
  };
}

/** The settings of target groups of the Services that routes lead to. */
export function targetGroupsOf(side: MakerSide, routes: readonly Manifest[]): Manifest[] {
  const led = new Set(routes.flatMap(({ object }) => servicesOf(object)));
  return [...objectsOf(side).values()].filter(({ object }) => {
    const { name } = mapIn(mapIn(object, 'spec'), 'targetReference');
    return object.kind === TARGET_GROUPS_KIND && led.has(keyOf({ metadata: { ...place(object), name } }));
  });
}

/**
 * The grants of a side that let some objects of it lead to another namespace.
 *
 * @param from a Gateway, and the listeners and routes at it
 */
export function grantsOf(side: MakerSide, from: readonly Manifest[]): Manifest[] {
  const wanted = new Set(from.flatMap(({ object }) => grantedPlaces(object)));
  return [...objectsOf(side).values()].filter(
    ({ object }) =>
      object.kind === REFERENCE_GRANT_KIND &&
      mapsIn(mapIn(object, 'spec'), 'from').some(({ kind, namespace }) =>
        wanted.has(JSON.stringify([kind, namespace, place(object).namespace])),
      ),
  );
}

/** Its kind and namespace, with each other namespace that it leads to. */
function grantedPlaces(object: Json): string[] {
  const spec = mapIn(object, 'spec');
  const { namespace } = place(object);
  const references = [
    ...mapsIn(spec, 'rules').flatMap((rule) => mapsIn(rule, 'backendRefs')),
    ...mapsIn(spec, 'listeners').flatMap((listener) => mapsIn(mapIn(listener, 'tls'), 'certificateRefs')),
  ];
  return references.flatMap((one) =>
    one.namespace && one.namespace !== namespace ? [JSON.stringify([object.kind, namespace, one.namespace])] : [],
  );
}

const POLICIES: ReadonlySet<unknown> = new Set(EDITED_ENVOY_POLICIES.map(({ kind }) => kind));

/**
 * The policies of a side that are about some objects of theirs.
 *
 * @param targets a Gateway, and the listeners and routes at it
 */
export function policiesOf(side: MakerSide, targets: readonly Manifest[]): Manifest[] {
  return [...objectsOf(side).values()].filter(
    ({ object }) => POLICIES.has(object.kind) && targets.some((target) => isAbout(object, target.object)),
  );
}

/** Whether a policy is about an object: it is in the namespace of that. */
export function isAbout(policy: Json, target: Json): boolean {
  const { targetRef, targetRefs, targetSelectors } = mapIn(policy, 'spec');
  const { namespace, name, labels } = mapIn(target, 'metadata');
  const references = [...mapsIn({ targetRefs }, 'targetRefs'), ...(isMap(targetRef) ? [targetRef] : [])];
  const selectors = mapsIn({ targetSelectors }, 'targetSelectors');
  return (
    place(policy).namespace === namespace &&
    (references.some((one) => one.kind === target.kind && one.name === name) ||
      selectors.some(({ kind, matchLabels }) => kind === target.kind && selects(matchLabels, labels)))
  );
}

function selects(wanted: unknown, labels: unknown): boolean {
  const own = isMap(labels) ? labels : {};
  return Object.entries(isMap(wanted) ? wanted : {}).every(([key, value]) => own[key] === value);
}

const AT_GATEWAYS: ReadonlySet<unknown> = new Set([LISTENER_SET_KIND, TCP_ROUTE_KIND, TLS_ROUTE_KIND]);

/** The names of the Gateways that a listener set or a route is at, as far as the side shows it; nothing for other objects. */
export function gatewaysAbove(side: MakerSide, object: Json): readonly string[] | undefined {
  return AT_GATEWAYS.has(object.kind) ? namesAbove(side, object) : undefined;
}

function namesAbove(side: MakerSide, object: Json): string[] {
  const spec = mapIn(object, 'spec');
  const references = object.kind === LISTENER_SET_KIND ? [mapIn(spec, 'parentRef')] : mapsIn(spec, 'parentRefs');
  return references.flatMap(({ kind = GATEWAY_KIND, name, namespace = place(object).namespace }) => {
    const above = nameIn({ kind, metadata: { name, namespace } });
    const set = kind === LISTENER_SET_KIND && object.kind !== LISTENER_SET_KIND ? findOn(side, above) : undefined;
    return set ? namesAbove(side, set.object) : [GATEWAY_KIND, LISTENER_SET_KIND].includes(String(kind)) ? [above] : [];
  });
}

/** What policies can be about, and what can lead to other namespaces. */
export function membersOf({ own, merged, listenerSets, routes }: RelatedToGateway): Manifest[] {
  return [...(own ? [own] : []), ...merged, ...listenerSets, ...routes];
}

function servicesOf(route: Json): string[] {
  return mapsIn(mapIn(route, 'spec'), 'rules')
    .flatMap((rule) => mapsIn(rule, 'backendRefs'))
    .map(({ name, namespace }) => keyOf({ metadata: { ...place(route), ...(namespace ? { namespace } : {}), name } }));
}

function place(object: Json): Json {
  const { namespace } = mapIn(object, 'metadata');
  return { namespace };
}

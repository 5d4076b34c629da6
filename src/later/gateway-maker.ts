import { type Json, mapIn, mapsIn } from '../contract/json';
import { objectNameOf } from '../contract/object-title';
import { EDITED_GATEWAY_KINDS } from '../gateway/edits/gateway-edits.facts';
import {
  GATEWAY_CLASS_KIND,
  GATEWAY_GROUP,
  GATEWAY_KIND,
  LISTENER_SET_KIND,
  TCP_ROUTE_KIND,
  TLS_ROUTE_KIND,
} from '../gateway/gateway.facts';
import type { ControllerDefinition } from '../rules/controller-definition';
import { type ObjectEdit, objectEdits } from '../rules/edits-of-values';
import type { Manifest } from '../rules/manifest-objects';
import { ENVOY_GATEWAY_CONTROLLER } from '../tenancy/engines/envoy-gateway/facts';
import { editedKindsOf } from './edited-kinds';
import { ENVOY_PROXY_KIND, gatewaysOfClass, leadsTo } from './gateway-services';
import { keyOf, type MakerEdit, type MakerSide, makerEdit } from './maker-edit';

/** Whether Services are made of it by a controller of Gateways: a Gateway, or a class whose Gateways share one. */
export function isGateway({ kind, apiVersion }: Json): boolean {
  return MAKERS.includes(kind) && String(apiVersion).startsWith(`${GATEWAY_GROUP}/`);
}

const MAKERS: readonly unknown[] = [GATEWAY_KIND, GATEWAY_CLASS_KIND];

/** What edits of a Gateway, its parameters and what joins it do to the balancer of the Service that is made of it. */
export function gatewayMakerEdits(
  gateway: Json,
  before: MakerSide,
  after: MakerSide,
  owner?: ControllerDefinition,
): MakerEdit[] {
  const [old, now] = [relatedTo(gateway, before), relatedTo(gateway, after)];
  const isShown = (step: string | number) =>
    step === 'parametersRef'
      ? old.areParametersKnown && now.areParametersKnown
      : step === 'gatewayClassName' && old.isClassKnown && now.isClassKnown;
  return [...new Set([...old.objects.keys(), ...now.objects.keys()])].flatMap((key) => {
    // what no longer leads to the Gateway may still be there
    const [one, other] = [old.objects.get(key) ?? find(key, before), now.objects.get(key) ?? find(key, after)];
    const { object } = (other ?? one) as Manifest;
    const kind = editedKindsOf(object, EDITED_GATEWAY_KINDS).find(
      ({ who = ENVOY_GATEWAY_CONTROLLER }) => who === ENVOY_GATEWAY_CONTROLLER,
    );
    const isMaker = key === nameIn(gateway);
    const title = isMaker ? undefined : `${object.kind} ${objectNameOf(object)}`;
    const edits = kind ? objectEdits(kind, one?.object, other?.object, owner) : [];
    return edits.map((edit) => ({
      ...makerEdit(edit, { title, before: one, after: other }),
      // references: the Service is made of what they lead to; of several Gateways one that comes or goes has ports of it alone
      isShown: edit.field.path.some(isShown) || (object.kind === GATEWAY_KIND && !isMaker && isWhole(edit)),
    }));
  });
}

/** A whole object, or what it is called. */
function isWhole({ field: { path } }: ObjectEdit): boolean {
  return path.length === 0 || path[0] === 'metadata';
}

const KINDS = [GATEWAY_KIND, GATEWAY_CLASS_KIND, LISTENER_SET_KIND, TCP_ROUTE_KIND, TLS_ROUTE_KIND, ENVOY_PROXY_KIND];

const OBJECTS = new WeakMap<readonly Manifest[], ReadonlyMap<string, Manifest>>();

/** The objects of a side that have to do with Gateways. */
function objectsOf({ manifests }: MakerSide): ReadonlyMap<string, Manifest> {
  const known =
    OBJECTS.get(manifests) ??
    new Map(
      manifests
        .filter(({ object }) => KINDS.includes(object.kind) && editedKindsOf(object, EDITED_GATEWAY_KINDS).length > 0)
        .map((manifest) => [nameIn(manifest.object), manifest]),
    );
  OBJECTS.set(manifests, known);
  return known;
}

function nameIn(object: Json): string {
  return `${object.kind} ${keyOf(object)}`;
}

function find(key: string, side: MakerSide): Manifest | undefined {
  return objectsOf(side).get(key);
}

/** A Gateway with what leads to it, and what it leads to. */
interface Related {
  readonly objects: ReadonlyMap<string, Manifest>;
  readonly isClassKnown: boolean;
  readonly areParametersKnown: boolean;
}

function relatedTo(maker: Json, side: MakerSide): Related {
  const all = [...objectsOf(side).values()];
  const own = find(nameIn(maker), side);
  const ofKind = (...kinds: string[]) => all.filter(({ object }) => kinds.includes(object.kind));
  const isClass = maker.kind === GATEWAY_CLASS_KIND;
  const merged = isClass ? gatewaysOfClass(ofKind(GATEWAY_KIND), maker) : [];
  const gateways = isClass ? merged.map(({ object }) => object) : [own?.object ?? maker];
  const gateway = own?.object ?? maker;
  const spec: Json = isClass ? { gatewayClassName: maker.metadata?.name } : mapIn(gateway, 'spec');
  const sets = ofKind(LISTENER_SET_KIND).filter(({ object }) =>
    gateways.some((one) => leadsTo(mapIn(mapIn(object, 'spec'), 'parentRef'), object, one)),
  );
  const parents = [...gateways, ...sets.map(({ object }) => object)];
  const routes = ofKind(TCP_ROUTE_KIND, TLS_ROUTE_KIND).filter(({ object }) =>
    mapsIn(mapIn(object, 'spec'), 'parentRefs').some((ref) => parents.some((one) => leadsTo(ref, object, one))),
  );
  const classes = ofKind(GATEWAY_CLASS_KIND).filter(({ object }) => object.metadata?.name === spec.gatewayClassName);
  const references = [
    { ...mapIn(mapIn(spec, 'infrastructure'), 'parametersRef'), namespace: gateway.metadata?.namespace } as Json,
    ...classes.map(({ object }) => mapIn(mapIn(object, 'spec'), 'parametersRef')),
  ].filter(({ kind }) => kind === ENVOY_PROXY_KIND);
  const parameters = references.map((metadata) => find(nameIn({ kind: ENVOY_PROXY_KIND, metadata }), side));
  const objects = [own, ...merged, ...classes, ...parameters, ...sets, ...routes].filter((one) => one !== undefined);
  return {
    objects: new Map(objects.map((manifest) => [nameIn(manifest.object), manifest])),
    isClassKnown: classes.length > 0,
    areParametersKnown: !parameters.includes(undefined),
  };
}

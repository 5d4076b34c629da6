import type { Json } from '../contract/json';
import { objectNameOf, objectTitleOf } from '../contract/object-title';
import { EDITED_GATEWAY_KINDS } from '../gateway/edits/gateway-edits.facts';
import { GATEWAY_CLASS_KIND, GATEWAY_GROUP, GATEWAY_KIND } from '../gateway/gateway.facts';
import type { ControllerDefinition } from '../rules/controller-definition';
import { type ObjectEdit, objectEdits } from '../rules/edits-of-values';
import type { Manifest } from '../rules/manifest-objects';
import { ENVOY_GATEWAY_CONTROLLER } from '../tenancy/engines/envoy-gateway/facts';
import { editedKindsOf } from './edited-kinds';
import {
  findOn,
  grantsOf,
  isAboutSome,
  membersOf,
  nameIn,
  policiesOf,
  type RelatedToGateway,
  relatedTo,
} from './gateway-relations';
import { ENVOY_PROXY_KIND } from './gateway-services';
import { type MakerEdit, type MakerSide, makerEdit } from './maker-edit';

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
  const [old, now] = [before, after].map((side) => relatedTo(gateway, side, ENVOY_PROXY_KIND));
  const areParametersKnown = [old, now].every(({ parameters }) => parameters.every(({ found }) => found));
  const isShown = (step: string | number) =>
    step === 'parametersRef'
      ? areParametersKnown
      : step === 'gatewayClassName' && old.class !== undefined && now.class !== undefined;
  const [oldMembers, nowMembers] = [old, now].map(membersOf);
  const policies = [...policiesOf(before, oldMembers), ...policiesOf(after, nowMembers)]
    // without what it is about on both sides, it is that which comes or goes
    .filter(({ object }) => [oldMembers, nowMembers].every((members) => isAboutSome(object, members)));
  const beside = [...policies, ...grantsOf(before, oldMembers), ...grantsOf(after, nowMembers)];
  const names = new Set([...[old, now].flatMap(objectsIn), ...beside.map(({ object }) => nameIn(object))]);
  return [...names].flatMap((key) => {
    // what no longer leads to the Gateway may still be there
    const [one, other] = [findOn(before, key), findOn(after, key)];
    const { object } = (other ?? one) as Manifest;
    const kind = editedKindsOf(object, EDITED_GATEWAY_KINDS).find(
      ({ who = ENVOY_GATEWAY_CONTROLLER }) => who === ENVOY_GATEWAY_CONTROLLER,
    );
    const isMaker = key === nameIn(gateway);
    const title = isMaker ? undefined : titleBeside(gateway, object);
    const edits = kind ? objectEdits(kind, one?.object, other?.object, owner) : [];
    // of several Gateways one that comes or goes has ports of it alone, and parameters have others in their place
    const isReplaceable =
      object.kind === ENVOY_PROXY_KIND ? areParametersKnown : object.kind === GATEWAY_KIND && !isMaker;
    return edits.map((edit) => ({
      ...makerEdit(edit, { title, before: one, after: other }),
      // references: the Service is made of what they lead to
      isShown: edit.field.path.some(isShown) || (isReplaceable && isWhole(edit)),
    }));
  });
}

/** What causes call an object beside a Gateway, which itself needs no name; those of other namespaces can have one name. */
export function titleBeside(gateway: Json, object: Json): string | undefined {
  const [own, other] = [gateway, object].map(({ metadata }) => metadata?.namespace);
  return object.kind === GATEWAY_KIND && gateway.kind === GATEWAY_KIND
    ? undefined
    : own === other || gateway.kind === GATEWAY_CLASS_KIND
      ? `${object.kind} ${objectNameOf(object)}`
      : objectTitleOf(object);
}

/** The names of what has to do with a Gateway on a side. */
function objectsIn({ own, merged, class: ofClass, parameters, listenerSets, routes }: RelatedToGateway): string[] {
  const objects = [own, ...merged, ofClass, ...parameters.map(({ found }) => found), ...listenerSets, ...routes];
  return objects.flatMap((one) => (one ? [nameIn(one.object)] : []));
}

/** A whole object, or what it is called. */
function isWhole({ field: { path } }: ObjectEdit): boolean {
  return path.length === 0 || path[0] === 'metadata';
}

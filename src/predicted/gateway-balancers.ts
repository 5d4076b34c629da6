import { flag } from '../contract/annotation-codec';
import { type Json, mapIn, mapsIn, objectNameOf, objectTitleOf } from '../contract/json';
import { NLB_CONFIGURATION_KIND, NLB_GATEWAY_CONTROLLER } from '../controllers/aws-load-balancer-controller/facts';
import { GATEWAY_CLASS_KIND, GATEWAY_GROUP, GATEWAY_KIND } from '../gateway/gateway.facts';
import type { ControllerDefinition, EditedKind } from '../rules/controller-definition';
import { type ObjectEdit, objectEdits } from '../rules/edits-of-values';
import type { Manifest } from '../rules/manifest-objects';
import { NLB_PROTECTION } from '../tenancy/engines/aws-network-load-balancer/facts';
import { ENVOY_GATEWAY_CONTROLLER } from '../tenancy/engines/envoy-gateway/facts';
import {
  classOn,
  ENVOY_PROXY_KIND,
  findOn,
  gatewaysOn,
  grantsOf,
  isAboutSome,
  membersOf,
  type NamedParameters,
  nameIn,
  policiesOf,
  type RelatedToGateway,
  relatedTo,
  targetGroupsOf,
} from './gateway-relations';
import {
  EDITED_GATEWAY_KINDS,
  editedKindsOf,
  type MakerEdit,
  type MakerObject,
  type MakerSide,
  makerEdit,
  titleOf,
} from './predicted';

// Gateways of which a balancer is made without a Service: the AWS controller makes a Network Load Balancer of each of its class.

/** Controllers that create balancers of Gateways themselves: the controller that reads their parameters. */
export function ownerOfBalanced(kinds: readonly ControllerDefinition[]): ControllerDefinition | undefined {
  return kinds.find(({ editedKinds = [] }) => editedKinds.some(({ kind }) => kind === NLB_CONFIGURATION_KIND));
}

export interface BalancedGateway {
  readonly before?: Manifest;
  readonly after?: Manifest;
  readonly wasMade: boolean;
}

export function balancedGateways(before: MakerSide, after: MakerSide): BalancedGateway[] {
  // the class is of the cluster, and can be among the manifests of one side alone
  const isNlb = ({ object }: Manifest, side: MakerSide, other: MakerSide) =>
    controllerOf(classOn(side, object) ?? classOn(other, object)) === NLB_GATEWAY_CONTROLLER;
  const names = new Set([...gatewaysOn(before), ...gatewaysOn(after)].map(({ object }) => nameIn(object)));
  return [...names].sort().flatMap((name): BalancedGateway[] => {
    const [one, other] = [findOn(before, name), findOn(after, name)];
    const wasMade = one !== undefined && isNlb(one, before, after);
    const isMade = other !== undefined && isNlb(other, after, before);
    return wasMade || isMade ? [{ ...(one && { before: one }), ...(other && { after: other }), wasMade }] : [];
  });
}

/** Deletion protection of a Gateway's balancer: an attribute, and the parameters that set it. */
export function protectionOf(gateway: Json, side: MakerSide): { attribute: string; by: string } | undefined {
  const { parameters } = relatedTo(gateway, side, NLB_CONFIGURATION_KIND);
  const found = parameters.find((one) =>
    mapsIn(mapIn(one.found?.object ?? {}, 'spec'), 'loadBalancerAttributes').some(
      ({ key, value }) => key === NLB_PROTECTION && isTrue(value),
    ),
  )?.found;
  return found && { attribute: NLB_PROTECTION, by: `${NLB_CONFIGURATION_KIND} ${titleOf(found.object)}` };
}

function isTrue(value: unknown): boolean {
  const read = flag().decode(String(value));
  return 'value' in read && read.value;
}

function controllerOf(gatewayClass: Manifest | undefined): unknown {
  return mapIn(gatewayClass?.object ?? {}, 'spec').controllerName;
}

interface EditedSides {
  readonly before: MakerSide;
  readonly after: MakerSide;
  readonly isLeft: boolean;
}

export function balancedGatewayEdits(gateway: Json, owner: ControllerDefinition, sides: EditedSides): MakerEdit[] {
  const { before, after, isLeft } = sides;
  const kinds = [...EDITED_GATEWAY_KINDS.filter(isServed), ...(owner.editedKinds ?? [])];
  const [old, now] = [before, after].map((side) => relatedTo(gateway, side, NLB_CONFIGURATION_KIND));
  const editsOf = (pair: Pair) => editsOfPair(pair, { gateway, kinds, owner });
  const isSameClass = classNameIn(old) === classNameIn(now);
  const areNlbs = [old, now].every((one) => controllerOf(one.class) === NLB_GATEWAY_CONTROLLER);
  const ofGateway = editsOf({ before: old.own, after: now.own }).filter(
    ({ path }) => !(areNlbs && path.includes('gatewayClassName')),
  );
  const ofClass = isSameClass ? editsOf({ before: old.class, after: now.class }) : [];
  const [ownParameters, classParameters] = [
    [old.own, now.own],
    [old.class, now.class],
  ].map((by) => parametersPair([old, now], by));
  const joined = new Set(
    [old, now].flatMap((one, i) =>
      [
        ...one.listenerSets,
        ...one.routes,
        ...grantsOf([before, after][i], membersOf(one)),
        ...targetGroupsOf([before, after][i], one.routes),
      ].map(({ object }) => nameIn(object)),
    ),
  );
  return [
    ...withoutReferences(ofGateway, ownParameters),
    ...withoutReferences(ofClass, classParameters),
    ...[ownParameters, classParameters].flatMap(({ pair }) => (pair ? editsOf(pair) : [])),
    ...[...joined].flatMap((name) => editsOf({ before: findOn(before, name), after: findOn(after, name) })),
  ].filter((edit) => !(isLeft && edit.path.length === 0 && edit.after === undefined));
}

function isServed({ who = NLB_GATEWAY_CONTROLLER }: EditedKind): boolean {
  return who === NLB_GATEWAY_CONTROLLER;
}

function classNameIn({ own }: RelatedToGateway): unknown {
  return mapIn(own?.object ?? {}, 'spec').gatewayClassName;
}

interface Edited {
  readonly gateway: Json;
  readonly kinds: readonly EditedKind[];
  readonly owner: ControllerDefinition;
}

interface Pair {
  readonly before?: Manifest;
  readonly after?: Manifest;
  readonly as?: { readonly before: Json; readonly after: Json };
}

function editsOfPair({ before, after, as }: Pair, { gateway, kinds, owner }: Edited): MakerEdit[] {
  const manifest = after ?? before;
  const [kind] = manifest ? editedKindsOf(manifest.object, kinds) : [];
  if (!manifest || !kind) {
    return [];
  }
  const title = titleInGateway(gateway, manifest.object);
  const object: MakerObject = { title, before, after };
  const { before: one, after: other } = as ?? { before: before?.object, after: after?.object };
  return objectEdits(kind, one, other, owner).map((edit) => makerEdit(edit, object));
}

interface ParametersPair {
  readonly pair?: Pair;
  readonly isKnown: boolean;
}

function parametersPair(related: readonly RelatedToGateway[], by: readonly (Manifest | undefined)[]): ParametersPair {
  const [old, now] = related.map(({ parameters }, i) => parameters.find((one) => one.by === by[i]));
  const isKnown = [old, now].every((one) => one === undefined || one.found !== undefined);
  if (old?.name === now?.name) {
    return { pair: { before: old?.found, after: now?.found }, isKnown };
  }
  return { ...(isKnown && { pair: otherParameters(old, now) }), isKnown };
}

/** Parameters in the place of others, or of none: what they say is compared, and not what they are called. */
function otherParameters(old: NamedParameters | undefined, now: NamedParameters | undefined): Pair {
  const some = (now?.found ?? old?.found)?.object ?? {};
  const [before, after] = [old, now].map((one) => ({ ...some, spec: one?.found?.object.spec ?? {} }));
  return { before: old?.found, after: now?.found, as: { before, after } };
}

function withoutReferences(edits: readonly MakerEdit[], { isKnown }: ParametersPair): MakerEdit[] {
  return edits.filter(({ path }) => !(isKnown && path.includes('parametersRef')));
}

/** True if Services are made of it by a controller of Gateways: a Gateway, or a class whose Gateways share one. */
export function isGateway({ kind, apiVersion }: Json): boolean {
  return MAKERS.includes(kind) && String(apiVersion).startsWith(`${GATEWAY_GROUP}/`);
}

const MAKERS: readonly unknown[] = [GATEWAY_KIND, GATEWAY_CLASS_KIND];

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
    const title = isMaker ? undefined : titleInGateway(gateway, object);
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

/** Names in causes of objects beside a Gateway, which itself needs no name; those of other namespaces can have one name. */
export function titleInGateway(gateway: Json, object: Json): string | undefined {
  const [own, other] = [gateway, object].map(({ metadata }) => metadata?.namespace);
  return object.kind === GATEWAY_KIND && gateway.kind === GATEWAY_KIND
    ? undefined
    : own === other || gateway.kind === GATEWAY_CLASS_KIND
      ? `${object.kind} ${objectNameOf(object)}`
      : objectTitleOf(object);
}

function objectsIn({ own, merged, class: ofClass, parameters, listenerSets, routes }: RelatedToGateway): string[] {
  const objects = [own, ...merged, ofClass, ...parameters.map(({ found }) => found), ...listenerSets, ...routes];
  return objects.flatMap((one) => (one ? [nameIn(one.object)] : []));
}

function isWhole({ field: { path } }: ObjectEdit): boolean {
  return path.length === 0 || path[0] === 'metadata';
}

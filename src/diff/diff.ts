import { isInPlace, OUTCOMES, worstOf } from '../contract/edit';
import { defined, type Json, objectIdOf, sameValue } from '../contract/json';
import { compareTexts } from '../cost/balancers';
import {
  type BalancedGateway,
  balancedGatewayEdits,
  balancedGateways,
  isGateway,
  ownerOfBalanced,
  protectionOf,
} from '../predicted/gateway-balancers';
import { classOn, gatewaysAbove, gatewaysOn, nameIn } from '../predicted/gateway-relations';
import { isKafka } from '../predicted/kafka-services';
import { editedKinds, editedKindsOf, makerEdit, titleOf } from '../predicted/predicted';
import type { ControllerDefinition, EditedKind } from '../rules/controller-definition';
import { fieldEdit, objectEdits } from '../rules/edits-of-values';
import { knownKinds } from '../rules/known-kinds';
import type { Manifest } from '../rules/manifest-objects';
import { classOf } from '../rules/service-json';
import {
  annotationOrField,
  type BalancerChange,
  changedField,
  consequenceOf,
  type Effect,
  effectAt,
  effectIn,
  fieldsInSource,
  placesAt,
  removalFrom,
  sourceRemedy,
  titleOfChange,
  withSourceRemedy,
} from './effect';
import { fieldEffects } from './fields';
import { withFindingsAtGateway, withFindingsOfBinding } from './findings';
import { installationEffects, uninstalledOwner } from './installations';
import { FORCING_MARKS, RECREATING_MARKS } from './marks.facts';
import { classEffects, effectOfUninstalled, finalizerEffects, isByWebhook, ownerEffects } from './owner-changes';
import {
  type ComparedPair,
  type CreatedPair,
  contentOf,
  type LivePair,
  NAME,
  pairBalancers,
  type RemovedPair,
} from './pairs';
import { reconciled } from './reconciled';
import { configurationEffects } from './related-changes';
import {
  guardEffect,
  isTerminating,
  namespaceEffects,
  operatorRecreations,
  protectedFromDeletion,
  recreationEffect,
  removalEffects,
  serviceAtCleanup,
  sourceChangeEffects,
  terminatingEffects,
} from './removals';
import {
  type DiffOptions,
  hasNoBalancer,
  isPruned,
  kindOf,
  leavesOthers,
  markOf,
  type Side,
  type SideBalancer,
  type Sides,
  titled,
} from './side';
import { creationEffects, nodePortEffects, typeEffects } from './types';
import { versionEffects } from './versions';

export function diffOf(before: Side, after: Side, options: DiffOptions = {}): BalancerChange[] {
  const sides = { before, after, options };
  return [
    ...pairBalancers(before, after).map((pair) => comparePair({ ...reconciled(pair, sides), sides })),
    ...[...gatewayChanges(sides), ...bindingChanges(sides)].map(sortEffects),
  ].sort(compareChanges);
}

function comparePair(pair: ComparedPair): BalancerChange {
  const { before, after, movedTo, movedFrom } = pair;
  const removed = before && { ...pair, before };
  const live = removed && after && { ...removed, after };
  const lifecycle = lifecycleEffects(pair);
  const found = [
    ...(removed
      ? lifecycle.map((effect) => protectedFromDeletion(serviceAtCleanup(removed), effect, removed))
      : lifecycle),
    ...fieldEffects(pair),
    ...(live ? versionEffects(live) : []),
  ];
  const all = live ? withRecreationByOperator(withRecreation(found, live), live) : found;
  const isRefused = !before && all.some(({ outcome }) => outcome === 'refused');
  const mayHaveClass = before !== undefined && isByWebhook(before);
  const isWriteRefused = !mayHaveClass && all.some(({ outcome, field }) => outcome === 'refused' && field === CLASS);
  // a refused creation creates nothing; a write that the API server refuses changes no field
  const effects = all.filter(
    ({ outcome, places }) =>
      !(isRefused && outcome === 'created') && !(isWriteRefused && outcome !== 'refused' && places === undefined),
  );
  const outcome = worstOf(effects.map((effect) => effect.outcome));
  return sortEffects({ before, after, movedTo, movedFrom, effects, outcome });
}

/** The API server refuses every edit of it while the type stays. */
const CLASS = 'spec.loadBalancerClass';

function sortEffects(change: BalancerChange): BalancerChange {
  const effects = change.effects
    .map((effect) => ({
      ...effect,
      ...(effect.needs && { needs: effect.needs.map((need) => need.replace(/^needs /, '')) }),
    }))
    .sort((one, other) => OUTCOMES.indexOf(one.outcome) - OUTCOMES.indexOf(other.outcome));
  return { ...change, effects };
}

export function compareChanges(one: BalancerChange, other: BalancerChange): number {
  const weight = OUTCOMES.indexOf(one.outcome) - OUTCOMES.indexOf(other.outcome);
  return weight || compareTexts(titleOfChange(one), titleOfChange(other));
}

type EffectsOf<P> = readonly ((pair: P) => Effect[])[];

const OF_CREATED: EffectsOf<CreatedPair> = [pairingEffects, creationEffects];
const OF_REMOVED: EffectsOf<RemovedPair> = [pairingEffects, removalEffects];
const OF_LIVE: EffectsOf<LivePair> = [
  ...[pairingEffects, sourceChangeEffects, namespaceEffects],
  ...[ownerEffects, installationEffects, configurationEffects],
];
/** With a write of the Service: a writer that only creates Services never writes again. */
const OF_WRITTEN: EffectsOf<LivePair> = [typeEffects, classEffects, finalizerEffects, nodePortEffects];

function lifecycleEffects(pair: ComparedPair): Effect[] {
  const { before, after, sides } = pair;
  if (!before) {
    return after ? OF_CREATED.flatMap((effectsOf) => effectsOf({ ...pair, after })) : [];
  }
  const removed = { ...pair, before };
  if (isTerminating(before)) {
    return terminatingEffects(removed);
  }
  if (!after) {
    return OF_REMOVED.flatMap((effectsOf) => effectsOf(removed));
  }
  const live = { ...removed, after };
  const isWritten = sides.options.writer !== 'create' || after.written.madeOf !== undefined;
  return [
    ...OF_LIVE.flatMap((effectsOf) => effectsOf(live)),
    ...(isWritten ? OF_WRITTEN : []).flatMap((effectsOf) => fieldsInSource(effectsOf(live), live)),
  ];
}

function pairingEffects({ before, after, conflicting = [], assumedNamespace, sides }: ComparedPair): Effect[] {
  const effects: Effect[] = [];
  if (conflicting.length > 1) {
    const side = after && conflicting.includes(after) ? sides.after : sides.before;
    const places = conflicting.map(
      ({ written: { file, line, madeBy } }) => `${side.shown?.(file) ?? file}:${line}${madeBy ? ` (${madeBy})` : ''}`,
    );
    const values = { count: conflicting.length, side: side.name, places: places.join(' and ') };
    effects.push(effectIn('Service written several times', 'unknown', {}, values));
  }
  if (assumedNamespace !== undefined && before && after) {
    const { name } = after.service.metadata?.namespace ? sides.before : sides.after;
    effects.push(effectIn('namespace assumed', 'unknown', {}, { side: name, namespace: assumedNamespace }));
  }
  return effects;
}

function withRecreation(effects: readonly Effect[], pair: LivePair): readonly Effect[] {
  const { before, after } = pair;
  // what is made of other objects is written by what makes it
  if (after.written.madeOf || hasNoBalancer(before)) {
    return effects;
  }
  const always = markOf(after.service, RECREATING_MARKS);
  if (always && contentOf(before.service) !== contentOf(after.service)) {
    const at = { field: always.annotation, path: ['metadata', 'annotations', always.annotation], why: '' };
    return [...effects, recreationEffect('recreated at each apply', at, always, pair)];
  }
  const mark = markOf(after.service, FORCING_MARKS);
  if (mark) {
    return effects.map((effect) =>
      isRefusedByServer(effect) ? recreationEffect('recreated when refused', effect, mark, pair) : effect,
    );
  }
  // a webhook may have given the live Service the class that comes: then nothing is refused
  const isOwned = before.guess !== undefined || before.owner === after.owner;
  const mayHaveClass = classOf(before.service) === undefined && isOwned;
  const isRefused = effects.some(
    (effect) => isRefusedByServer(effect) && !(effect.path[1] === 'loadBalancerClass' && mayHaveClass),
  );
  // of a Service that the API server refuses no field is written
  const isServiceField = ({ field, path, places }: Effect) => !places && field === annotationOrField(path);
  return isRefused ? effects.filter((effect) => isRefusedByServer(effect) || !isServiceField(effect)) : effects;
}

function withRecreationByOperator(effects: readonly Effect[], pair: LivePair): readonly Effect[] {
  // the API server and webhooks may have filled in the same value, and others on a live Service
  const recreated = fieldsInSource(operatorRecreations(pair), pair).filter(({ field }) => {
    const known = effects.find((one) => one.field === field);
    return known ? known.outcome !== 'unknown' : !pair.sides.before.isLive;
  });
  const others = effects.filter(({ field }) => !recreated.some((one) => one.field === field));
  return hasNoBalancer(pair.before) ? others : [...others, ...recreated];
}

const SERVER = fieldEdit('spec.clusterIP').source.repository;

function isRefusedByServer({ outcome, field, source }: Effect): boolean {
  return outcome === 'refused' && (source?.repository === SERVER || field === CLASS);
}

function gatewayChanges(sides: Sides): BalancerChange[] {
  const kind = ownerOfBalanced(knownKinds());
  const { before, after, options } = sides;
  // a cluster has more than the manifests that are compared with it
  const isCompared = (one: BalancedGateway) =>
    one.after !== undefined || before.isLive !== true || options.prune === true;
  const found = kind ? balancedGateways(before, after).filter(isCompared) : [];
  const moves = movesIn(found);
  return found.map((gateway) => {
    const balancerOf = (one: Manifest | undefined) => one && balancerOfObject(one, kind);
    const movedOf = (one: Manifest | undefined) => balancerOf(one && moves.get(one));
    const [old, now] = [balancerOf(gateway.before), balancerOf(gateway.after)];
    const effects = effectsForGateway(gateway, { before: old, after: now, sides }, moves);
    return changeOf(old, now, effects, {
      movedTo: now ? undefined : movedOf(gateway.before),
      movedFrom: old ? undefined : movedOf(gateway.after),
    });
  });
}

function changeOf(
  before: SideBalancer | undefined,
  after: SideBalancer | undefined,
  effects: readonly Effect[],
  moved: Pick<BalancerChange, 'movedTo' | 'movedFrom'> = {},
): BalancerChange {
  const outcome = worstOf(effects.map((effect) => effect.outcome));
  return defined({ before, after, effects, outcome, ...moved }) as unknown as BalancerChange;
}

function movesIn(found: readonly BalancedGateway[]): ReadonlyMap<Manifest, Manifest> {
  const gone = found.flatMap(({ before, after }) => (before && !after ? [before] : []));
  const come = found.flatMap(({ before, after }) => (after && !before ? [after] : []));
  const moves = new Map<Manifest, Manifest>();
  for (const one of gone) {
    const [first, ...others] = come.filter(({ object }) => sameValue(object.spec, one.object.spec));
    if (first && others.length === 0 && !moves.has(first)) {
      moves.set(one, first);
      moves.set(first, one);
    }
  }
  return moves;
}

function balancerOfObject(manifest: Manifest, controller: ControllerDefinition | undefined): SideBalancer {
  const { object } = manifest;
  return {
    id: objectIdOf(object),
    title: `${object.kind} ${titleOf(object)}`,
    service: object,
    written: { ...manifest, madeOf: { object, path: [] } },
    ...(controller && { owner: controller.name, controller }),
  };
}

function effectsForGateway(
  { before, after, wasMade }: BalancedGateway,
  { before: old, after: now, sides }: ComparedPair,
  moves: ReadonlyMap<Manifest, Manifest>,
): Effect[] {
  if (!before || !old || (after && !wasMade)) {
    return [createdGateway(after as Manifest, moves.get(after as Manifest), before)];
  }
  const balancer = { before: old, after: now, sides };
  const uninstalled = uninstalledOwner(balancer);
  const first = 'delete the Gateway first, wait until it is gone';
  const end = { outcome: 'stuck', path: [], kind: 'Gateway', first } as const;
  const byOwner = uninstalled ? [effectOfUninstalled(uninstalled, balancer, end)] : [];
  if (!after || !now) {
    return [...byOwner, removedGateway(before, moves.get(before), sides)];
  }
  const isLeft = !isPruned(sides);
  const edits = balancedGatewayEdits(before.object, kindOf(old) as ControllerDefinition, { ...sides, isLeft });
  const effects = edits
    .filter(({ edit, path }) => !isInPlace(edit) && !(path[1] === 'finalizers' && leavesOthers(sides)))
    .map((edit) => effectAt(changedField(edit), withSourceRemedy(consequenceOf(edit.edit), now)));
  return [
    ...byOwner,
    ...withFindingsAtGateway(effects, after.object, sides),
    ...installationEffects({ before: old, after: now, sides }),
  ];
}

function createdGateway(gateway: Manifest, movedFrom: Manifest | undefined, before: Manifest | undefined): Effect {
  const from = movedFrom && titled(movedFrom.object);
  const places = {
    ...(before && { before: { manifest: before, path: CLASS_NAME } }),
    after: { manifest: gateway, path: NAME },
  };
  const field = before ? { field: 'spec.gatewayClassName', path: CLASS_NAME } : { field: 'metadata.name', path: NAME };
  const at = { ...field, places, from, to: from && titled(gateway.object) };
  return from === undefined
    ? effectIn('created', 'created', at)
    : effectIn('created in the place of another', 'created', at, { id: from });
}

const CLASS_NAME = ['spec', 'gatewayClassName'];

function removedGateway(gateway: Manifest, movedTo: Manifest | undefined, sides: Sides): Effect {
  const { prune } = sides.options;
  const title = titled(gateway.object);
  const to = movedTo && titled(movedTo.object);
  const because =
    to === undefined ? `${title} is no longer in any manifest` : `${to} is a different one, with its own address`;
  const places = placesAt(gateway, undefined, NAME);
  const at = { field: 'metadata.name', path: NAME, places, from: title, ...(to !== undefined && { to }) };
  if (prune === false) {
    const values = { because, it: title, beside: 'with its balancer', what: title };
    return effectIn('removed without prune', 'kept', at, values);
  }
  const guarded = guardEffect(at, gateway.object, because);
  if (guarded) {
    return guarded;
  }
  const when = prune === true ? because : `${because}; with pruning it is deleted`;
  const protection = protectionOf(gateway.object, sides.before);
  return protection === undefined
    ? effectIn('Gateway deleted', to === undefined ? 'deleted' : 'replaced', at, { when, title })
    : effectIn('Gateway deleted', 'stuck', at, { when, ...protection });
}

interface Binding {
  readonly manifest: Manifest;
  readonly edited: EditedKind;
  readonly controller?: ControllerDefinition;
}

/**
 * Effects on targets of balancers that are made elsewhere; where nothing happens to them there is nothing to say. What is
 * at a Gateway whose balancer is compared counts with that.
 */
function bindingChanges(sides: Sides): BalancerChange[] {
  const { before, after, options } = sides;
  // a cluster has those that controllers make by themselves as well
  const isLeft = options.prune === false || before.isLive === true;
  const [old, now] = [bindingsOn(before), bindingsOn(after)];
  const compared = old.size > 0 ? comparedGateways(sides) : new Set();
  const isBeside = (binding: Binding | undefined, side: Side) => {
    const above = binding && gatewaysAbove(side, binding.manifest.object);
    // a route inside the cluster is at none
    return above !== undefined && (above.length === 0 || above.some((name) => compared.has(name)));
  };
  return [...old.keys()].sort().flatMap((key): BalancerChange[] => {
    const [one, other] = [old.get(key) as Binding, now.get(key)];
    if ((!other && isLeft) || isBeside(one, before) || isBeside(other, after)) {
      return [];
    }
    const edits = bindingEffects(one, other, sides);
    const effects = other ? withFindingsOfBinding(edits, other.manifest, other.edited.rules, sides) : edits;
    return effects.length === 0 ? [] : [changeOf(bindingBalancer(one), other && bindingBalancer(other), effects)];
  });
}

function bindingEffects({ edited, manifest }: Binding, other: Binding | undefined, sides: Sides): Effect[] {
  const gone = other ? '' : removalFrom('it', sides.options);
  return (
    objectEdits(edited, manifest.object, other?.manifest.object, undefined, sides.options.writer === 'put')
      .filter(({ edit }) => !isInPlace(edit))
      // webhooks and controllers fill in what is not written
      .filter(({ field }) => field.after !== undefined || !leavesOthers(sides))
      .map((edit) => {
        const { edit: fact } = edit;
        const changed = changedField(makerEdit(edit, { before: manifest, after: other?.manifest }));
        const known = other ? sourceRemedy(fact.outcome, manifest.object) : 'keep it until no client needs it';
        const remedy = fact.remedy === undefined && known !== undefined ? { remedy: known } : {};
        return effectAt(changed, consequenceOf({ ...fact, what: `${gone}${fact.what}` }, remedy));
      })
  );
}

function comparedGateways({ before, after }: Sides): ReadonlySet<unknown> {
  const made = [before, after].flatMap((side) =>
    side.balancers.flatMap(({ written: { madeOf } }) =>
      madeOf === undefined ? [] : gatewaysMadeOf(madeOf.object, side).map(({ object }) => object),
    ),
  );
  const own = balancedGateways(before, after).map((one) => (one.after ?? one.before)?.object ?? {});
  return new Set([...made, ...own].map(nameIn));
}

function gatewaysMadeOf(maker: Json, side: Side): readonly Pick<Manifest, 'object'>[] {
  if (isGateway(maker)) {
    return [{ object: maker }];
  }
  // a Kafka has a balancer for each broker, and no Gateway
  return isKafka(maker) ? [] : gatewaysOn(side).filter(({ object }) => classOn(side, object)?.object === maker);
}

function bindingsOn({ manifests }: Side): ReadonlyMap<string, Binding> {
  const controllers = knownKinds();
  const kinds = editedKinds(controllers)
    .filter(({ isBinding }) => isBinding)
    .map((edited) => ({ edited, controller: controllers.find((one) => one.editedKinds?.includes(edited)) }));
  return new Map(
    manifests.flatMap((manifest): [string, Binding][] => {
      const { kind } = manifest.object;
      const found = kinds.find(({ edited }) => editedKindsOf(manifest.object, [edited]).length > 0);
      return found ? [[`${kind} ${objectIdOf(manifest.object)}`, { manifest, ...found }]] : [];
    }),
  );
}

function bindingBalancer({ manifest, controller }: Binding): SideBalancer {
  return { ...balancerOfObject(manifest, controller), isBinding: true };
}

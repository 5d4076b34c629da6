import { OUTCOMES, type Outcome, worstOf } from '../contract/edit';
import type { Json } from '../contract/json';
import { fieldEdit } from '../rules/edits-of-values';
import { classOf, isService } from '../rules/service-json';
import { type BalancerChange, consequenceIn, type Effect, effectIn, fieldAt, titleOfChange } from './effect';
import { fieldEffects } from './fields';
import { bindingChanges, gatewayChanges } from './gateways';
import { installationEffects } from './installations';
import { FORCING_MARKS, RECREATING_MARKS } from './marks.facts';
import { classEffects, finalizerEffects, isByWebhook, ownerEffects } from './owner-changes';
import { lossOf, queryLifecycle } from './owners';
import {
  type ComparedPair,
  type CreatedPair,
  contentOf,
  type LivePair,
  NAME,
  NAMESPACE,
  pairBalancers,
  type RemovedPair,
} from './pairs';
import { configurationEffects } from './related-objects';
import { isTerminating, namespaceEffects, removalEffects, sourceChangeEffects, terminatingEffects } from './removals';
import { type DiffOptions, hasNoBalancer, kindOf, markOf, type Side, serviceOn, type ToolMark } from './side';
import { fieldsInSource } from './sources';
import { creationEffects, nodePortEffects, typeEffects } from './types';
import { versionEffects } from './versions';

/** What a change does to every balancer of two sides, worst first. */
export function diffOf(before: Side, after: Side, options: DiffOptions = {}): BalancerChange[] {
  const sides = { before, after, options };
  return [
    ...pairBalancers(before, after).map((pair) => comparePair({ ...pair, sides })),
    ...[...gatewayChanges(sides), ...bindingChanges(sides)].map(sortEffects),
  ].sort(compareChanges);
}

function comparePair(pair: ComparedPair): BalancerChange {
  const { before, after, movedTo, movedFrom, sides } = pair;
  const removed = before && { ...pair, before };
  const live = removed && after && { ...removed, after };
  const lifecycle = lifecycleEffects(pair);
  const found = [
    ...(removed
      ? lifecycle.map((effect) => protectedFromDeletion(serviceAtCleanup(removed), effect, removed))
      : lifecycle),
    ...fieldEffects(pair, sides),
    ...(live ? versionEffects(live) : []),
  ];
  const all = live ? withRecreation(found, live) : found;
  const isRefused = !before && all.some(({ outcome }) => outcome === 'refused');
  const mayHaveClass = before !== undefined && isByWebhook(before);
  const isWriteRefused = !mayHaveClass && all.some(({ outcome, field }) => outcome === 'refused' && field === CLASS);
  // what is refused does not come, and of a write that the API server refuses nothing does
  const effects = all.filter(
    ({ outcome, places }) =>
      !(isRefused && outcome === 'created') && !(isWriteRefused && outcome !== 'refused' && places === undefined),
  );
  const outcome = worstOf(effects.map((effect) => effect.outcome));
  return sortEffects({ before, after, movedTo, movedFrom, effects, outcome });
}

/** The API server refuses every edit of it while the type stays. */
const CLASS = 'spec.loadBalancerClass';

/** Worst first, and each need without the word in front of it. */
function sortEffects(change: BalancerChange): BalancerChange {
  const effects = change.effects
    .map((effect) => ({
      ...effect,
      ...(effect.needs && { needs: effect.needs.map((need) => need.replace(/^needs /, '')) }),
    }))
    .sort((one, other) => OUTCOMES.indexOf(one.outcome) - OUTCOMES.indexOf(other.outcome));
  return { ...change, effects };
}

/** Worst first, those of one weight by their titles. */
export function compareChanges(one: BalancerChange, other: BalancerChange): number {
  const weight = OUTCOMES.indexOf(one.outcome) - OUTCOMES.indexOf(other.outcome);
  const [title, another] = [titleOfChange(one), titleOfChange(other)];
  return weight !== 0 ? weight : title < another ? -1 : title > another ? 1 : 0;
}

type EffectsOf<P> = readonly ((pair: P) => Effect[])[];

/** What happens to a Service beside edits of its fields: as it comes, stays and goes. */
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
    effects.push(effectIn('Service written several times', 'unknown', { field: 'metadata.name', path: NAME }, values));
  }
  if (assumedNamespace !== undefined && before && after) {
    const { name } = after.service.metadata?.namespace ? sides.before : sides.after;
    const at = { field: 'metadata.namespace', path: NAMESPACE };
    effects.push(effectIn('namespace assumed', 'unknown', at, { side: name, namespace: assumedNamespace }));
  }
  return effects;
}

/**
 * Causes with those of tools that delete the Service and make it again: always, or where the API server refuses the update.
 * Where it refuses it, and no tool does that, effects of other fields do not come.
 */
function withRecreation(effects: readonly Effect[], pair: LivePair): readonly Effect[] {
  const { before, after } = pair;
  // what is made of other objects is written by what makes it
  if (after.written.madeOf || hasNoBalancer(before)) {
    return effects;
  }
  const always = markOf(after.service, RECREATING_MARKS);
  if (always && contentOf(before.service) !== contentOf(after.service)) {
    const { annotation, tool } = always;
    const path = ['metadata', 'annotations', annotation];
    const why = `by ${annotation} ${tool} deletes the Service and makes it again whenever it applies it: its balancer goes, and its address`;
    return [...effects, recreationEffect({ field: annotation, path, why }, always, pair)];
  }
  const mark = markOf(after.service, FORCING_MARKS);
  if (mark) {
    return effects.map((effect) => {
      const why = `${effect.why}; by ${mark.annotation} ${mark.tool} then deletes the Service and makes it again: its balancer goes, and its address`;
      return isRefusedByServer(effect) ? recreationEffect({ ...effect, why }, mark, pair) : effect;
    });
  }
  // a webhook may have given the live Service the class that comes: then nothing is refused
  const isOwned = before.guess !== undefined || before.owner === after.owner;
  const mayHaveClass = classOf(before.service) === undefined && isOwned;
  const isRefused = effects.some(
    (effect) => isRefusedByServer(effect) && !(effect.path[1] === 'loadBalancerClass' && mayHaveClass),
  );
  // of a Service that the API server refuses no field is written
  return isRefused ? effects.filter((effect) => isRefusedByServer(effect) || !isServiceField(effect)) : effects;
}

function recreationEffect(
  effect: Omit<Effect, 'outcome'>,
  { annotation, source }: ToolMark,
  pair: RemovedPair,
): Effect {
  const { outcome, trace = effect.trace } = lossOf(
    queryLifecycle(pair, { change: 'deleted and created again' }),
    'replaced',
  );
  const remedy = `take ${annotation} out before, or leave the Service as it is`;
  const again = { ...effect, outcome, remedy, source, ...(trace !== undefined && { trace }) };
  return protectedFromDeletion(pair.before.service, again, pair);
}

const SERVER = fieldEdit('spec.clusterIP').source.repository;

function isRefusedByServer({ outcome, field, source }: Effect): boolean {
  return outcome === 'refused' && (source?.repository === SERVER || field === CLASS);
}

function isServiceField({ field, path, places }: Effect): boolean {
  const isAnnotation = path[1] === 'annotations' && path.length === 3;
  return places === undefined && field === (isAnnotation ? path[2] : fieldAt(path));
}

const ENDINGS: ReadonlySet<Outcome> = new Set(['deleted', 'replaced', 'handed over']);

/**
 * An effect by which a balancer goes, of one whose owner does not delete it: a setting of its Service protects it from deletion, as
 * the Service is written by then.
 */
function protectedFromDeletion(service: Json, effect: Effect, { before }: RemovedPair): Effect {
  const edit = ENDINGS.has(effect.outcome) ? kindOf(before)?.protectsFromDeletion?.(service) : undefined;
  if (!edit) {
    return effect;
  }
  const { trace: _, ...rest } = effect;
  const { what, remedy, source } = edit;
  const end = edit.outcome === 'unknown' ? edit.outcome : 'stuck';
  return { ...rest, ...consequenceIn('protected from deletion', end, { what }), remedy, source };
}

/** The Service as its controller sees it when it is to clean up: what is deleted stays as it was. */
function serviceAtCleanup({ before, after, sides }: RemovedPair): Json {
  const typed = after ? undefined : serviceOn(sides.after, before.id, before.written)?.object;
  return after?.service ?? (typed && isService(typed) ? typed : before.service);
}

import { OUTCOMES, type Outcome, worstOf } from '../contract/edit';
import { type Json, printable } from '../contract/json';
import { fieldEdit } from '../rules/edits-of-values';
import { classOf, isService } from '../rules/service-json';
import { creationEffects, nodePortEffects } from './creations';
import { markOf, type ToolMark } from './deletions';
import { type BalancerChange, type Effect, fieldAt, titleOfChange } from './effect';
import { fieldEffects } from './fields';
import { finalizerEffects } from './finalizers';
import { bindingChanges, gatewayChanges } from './gateways';
import { installationEffects } from './installations';
import { FORCING_MARKS, RECREATING_MARKS } from './marks.facts';
import { classEffects, isByWebhook, ownerEffects } from './owner-changes';
import { kindOf, queryLifecycle } from './owners';
import { contentOf, NAME, NAMESPACE, type Pair, pairBalancers } from './pairs';
import { configurationEffects } from './related-objects';
import { isTerminating, namespaceEffects, removalEffects, sourceChangeEffects, terminatingEffects } from './removals';
import { type DiffOptions, hasNoBalancer, type Side, type SideBalancer, type Sides, serviceOn } from './side';
import { fieldsInSource } from './sources';
import { typeEffects } from './types';
import { versionEffects } from './versions';

/** What a change does to every balancer of two sides, worst first. */
export function diffOf(before: Side, after: Side, options: DiffOptions = {}): BalancerChange[] {
  const sides = { before, after, options };
  return [
    ...pairBalancers(before, after).map((pair) => comparePair(pair, sides)),
    ...gatewayChanges(sides).map(sortEffects),
    ...bindingChanges(sides).map(sortEffects),
  ].sort(compareChanges);
}

function comparePair(pair: Pair, sides: Sides): BalancerChange {
  const found = [
    ...withDeletionProtection(lifecycleEffects(pair, sides), pair, sides),
    ...fieldEffects(pair, sides),
    ...versionEffects(pair, sides),
  ];
  const { before, after, movedTo, movedFrom } = pair;
  const all = withRecreation(found, pair, sides);
  const isRefused = !before && all.some(({ outcome }) => outcome === 'refused');
  const mayHaveClass = before !== undefined && isByWebhook(before);
  const isWriteRefused = !mayHaveClass && all.some(({ outcome, field }) => outcome === 'refused' && field === CLASS);
  // what is refused does not come, and of a write that the API server refuses nothing does
  const effects = all.filter(
    ({ outcome, places }) =>
      !(isRefused && outcome === 'created') && !(isWriteRefused && outcome !== 'refused' && places === undefined),
  );
  return sortEffects({
    ...{ before, after, movedTo, movedFrom, effects },
    outcome: worstOf(effects.map(({ outcome }) => outcome)),
  });
}

/** The API server refuses every edit of it while the type stays. */
const CLASS = 'spec.loadBalancerClass';

function sortEffects(change: BalancerChange): BalancerChange {
  const effects = change.effects
    .map(trimNeeds)
    .sort((one, other) => OUTCOMES.indexOf(one.outcome) - OUTCOMES.indexOf(other.outcome));
  return { ...change, effects };
}

function trimNeeds(effect: Effect): Effect {
  return effect.needs ? { ...effect, needs: effect.needs.map((need) => need.replace(/^needs /, '')) } : effect;
}

/** Worst first, those of one weight by their titles. */
export function compareChanges(one: BalancerChange, other: BalancerChange): number {
  const weight = OUTCOMES.indexOf(one.outcome) - OUTCOMES.indexOf(other.outcome);
  const [title, another] = [titleOfChange(one), titleOfChange(other)];
  return weight !== 0 ? weight : title < another ? -1 : title > another ? 1 : 0;
}

/** An event in the life of a Service that is more than the edit of one field. */
interface LifecycleEvent {
  readonly event: string;
  readonly at: readonly Stage[];
  /** True if it happens with a write of the Service: a writer that only creates Services never writes again. */
  readonly isWrite?: true;
  effects(pair: Pair, sides: Sides): Effect[];
}

/** The part of its life that a Service is in: it comes, stays, is being deleted, or goes. */
type Stage = 'created' | 'live' | 'terminating' | 'removed';

const EVENTS: readonly LifecycleEvent[] = [
  { event: 'pairing unknown', at: ['created', 'live', 'removed'], effects: pairingEffects },
  { event: 'created', at: ['created'], effects: creationEffects },
  { event: 'deletion started', at: ['terminating'], effects: terminatingEffects },
  { event: 'deleted', at: ['removed'], effects: removalEffects },
  { event: 'name', at: ['live'], effects: sourceChangeEffects },
  { event: 'namespace', at: ['live'], effects: namespaceEffects },
  { event: 'owner', at: ['live'], effects: ownerEffects },
  { event: 'installation of the owner', at: ['live'], effects: installationEffects },
  { event: 'configuration of the owner', at: ['live'], effects: configurationEffects },
  { event: 'type', at: ['live'], isWrite: true, effects: typeEffects },
  { event: 'class', at: ['live'], isWrite: true, effects: classEffects },
  { event: 'finalizer', at: ['live'], isWrite: true, effects: finalizerEffects },
  { event: 'node port', at: ['live'], isWrite: true, effects: nodePortEffects },
];

function stageOf({ before, after }: Pair): Stage {
  return !before ? 'created' : isTerminating(before) ? 'terminating' : after ? 'live' : 'removed';
}

function lifecycleEffects(pair: Pair, sides: Sides): Effect[] {
  const { before, after } = pair;
  const stage = stageOf(pair);
  const isWritten = sides.options.writer !== 'create' || after?.written.madeOf !== undefined;
  const events = EVENTS.filter(({ at, isWrite }) => at.includes(stage) && (!isWrite || isWritten));
  return events.flatMap(({ isWrite, effects }) => {
    const found = effects(pair, sides);
    const kind = after && before && (kindOf(after) ?? kindOf(before));
    return isWrite && before && after ? fieldsInSource(found, { before, after, sides, kind }) : found;
  });
}

function pairingEffects({ before, after, conflicting = [], assumedNamespace }: Pair, sides: Sides): Effect[] {
  const effects: Effect[] = [];
  if (conflicting.length > 1) {
    const side = after && conflicting.includes(after) ? sides.after : sides.before;
    const places = conflicting.map(
      ({ written: { file, line, madeBy } }) => `${side.shown?.(file) ?? file}:${line}${madeBy ? ` (${madeBy})` : ''}`,
    );
    effects.push({
      outcome: 'unknown',
      field: 'metadata.name',
      path: NAME,
      why: printable(
        `${conflicting.length} Services of this name are in ${side.name}, in ${places.join(' and ')}; who wins is not known`,
      ),
      remedy: 'keep one of them, or name their clusters with their sources in load-balancers.yaml',
      needs: ['one manifest of this Service'],
    });
  }
  if (assumedNamespace !== undefined && before && after) {
    const without = after.service.metadata?.namespace ? sides.before : sides.after;
    effects.push({
      outcome: 'unknown',
      field: 'metadata.namespace',
      path: NAMESPACE,
      why: printable(
        `${without.name} names no namespace: this is the same Service where it is applied to ${assumedNamespace}, and another one elsewhere`,
      ),
      remedy: `write namespace ${printable(assumedNamespace)} into the manifest`,
      needs: ['the namespace that it is applied to'],
    });
  }
  return effects;
}

/**
 * Causes with those of tools that delete the Service and make it again: always, or where the API server refuses the update.
 * Where it refuses it, and no tool does that, effects of other fields do not come.
 */
function withRecreation(effects: readonly Effect[], { before, after }: Pair, sides: Sides): readonly Effect[] {
  // what is made of other objects is written by what makes it
  if (!before || !after || after.written.madeOf || hasNoBalancer(before)) {
    return effects;
  }
  const always = markOf(after.service, RECREATING_MARKS);
  if (always && !isUnchanged(before, after)) {
    const { annotation, tool } = always;
    const path = ['metadata', 'annotations', annotation];
    const why = `by ${annotation} ${tool} deletes the Service and makes it again whenever it applies it: its balancer goes, and its address`;
    return [...effects, recreationEffect({ field: annotation, path, why }, before, always, sides)];
  }
  const mark = markOf(after.service, FORCING_MARKS);
  return mark
    ? effects.map((effect) => {
        const why = `${effect.why}; by ${mark.annotation} ${mark.tool} then deletes the Service and makes it again: its balancer goes, and its address`;
        return isRefusedByServer(effect) ? recreationEffect({ ...effect, why }, before, mark, sides) : effect;
      })
    : withoutRefusedWrites(
        effects,
        (effect) => isRefusedByServer(effect) && !(isClass(effect) && mayHaveClass(before, after)),
      );
}

const isClass = ({ path }: Effect) => path[1] === 'loadBalancerClass';

/** Whether a webhook may have given the live Service the class that comes: then nothing is refused. */
function mayHaveClass(before: SideBalancer, after: SideBalancer): boolean {
  return classOf(before.service) === undefined && (before.guess !== undefined || before.owner === after.owner);
}

function isUnchanged(before: SideBalancer, after: SideBalancer): boolean {
  return contentOf(before.service) === contentOf(after.service);
}

function recreationEffect(
  effect: Omit<Effect, 'outcome'>,
  before: SideBalancer,
  { annotation, source }: ToolMark,
  sides: Sides,
): Effect {
  const answer = queryLifecycle(before, { change: 'deleted and created again' }, sides);
  const outcome = answer?.outcome === 'orphaned' || answer?.outcome === 'stuck' ? answer.outcome : 'replaced';
  const again: Effect = {
    ...effect,
    outcome,
    remedy: `take ${annotation} out before, or leave the Service as it is`,
    source,
    ...(answer?.trace && { trace: answer.trace }),
  };
  return protectedFromDeletion(before.service, again, before);
}

const SERVER = fieldEdit('spec.clusterIP').source.repository;

function isRefusedByServer({ outcome, field, source }: Effect): boolean {
  return outcome === 'refused' && (source?.repository === SERVER || field === 'spec.loadBalancerClass');
}

/**
 * The effects without those that do not come: of a Service that the API server refuses no field is written.
 *
 * @param refuses whether an effect says that it surely refuses it
 */
function withoutRefusedWrites(effects: readonly Effect[], refuses: (effect: Effect) => boolean): readonly Effect[] {
  return effects.some(refuses)
    ? effects.filter((effect) => isRefusedByServer(effect) || !isServiceField(effect))
    : effects;
}

function isServiceField({ field, path, places }: Effect): boolean {
  const isAnnotation = path[1] === 'annotations' && path.length === 3;
  return places === undefined && field === (isAnnotation ? path[2] : fieldAt(path));
}

const ENDINGS: ReadonlySet<Outcome> = new Set(['deleted', 'replaced', 'handed over']);

/**
 * Causes by which a balancer goes, of one whose owner does not delete it: a setting of its Service protects it from deletion, as
 * the Service is written by then.
 */
function withDeletionProtection(effects: readonly Effect[], { before, after }: Pair, sides: Sides): Effect[] {
  return before
    ? effects.map((effect) => protectedFromDeletion(serviceAtCleanup(before, after, sides), effect, before))
    : [...effects];
}

function protectedFromDeletion(service: Json, effect: Effect, before: SideBalancer): Effect {
  const edit = ENDINGS.has(effect.outcome) ? kindOf(before)?.protectsFromDeletion?.(service) : undefined;
  if (!edit) {
    return effect;
  }
  const { trace: _, ...rest } = effect;
  const { outcome, what, remedy, source } = edit;
  return outcome === 'unknown'
    ? { ...rest, outcome: 'unknown', why: `${what} is not known`, needs: [what], remedy, source }
    : { ...rest, outcome: 'stuck', why: `${what}: ${PROTECTED}`, remedy, source };
}

const PROTECTED =
  'the balancer goes on and is paid for, and its Service keeps the finalizer and stays in Terminating if it is deleted';

/** The Service as its controller sees it when it is to clean up: what is deleted stays as it was. */
function serviceAtCleanup(before: SideBalancer, after: SideBalancer | undefined, sides: Sides): Json {
  const typed = after ? undefined : serviceOn(sides.after, before.id, before.written)?.object;
  return after?.service ?? (typed && isService(typed) ? typed : before.service);
}

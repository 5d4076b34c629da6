import { compareVersions } from '../contract/compare-versions';
import type { Outcome } from '../contract/edit';
import { defined, isMap, isSet, type Json, mapIn, mapsIn, printable, sameValue } from '../contract/json';
import { POOLS_MODEL } from '../kafka/strimzi/strimzi.facts';
import { emptyingEdit, isKafka } from '../predicted/kafka-services';
import { keepsFinalizers } from '../predicted/operator-faults';
import { operatorOf, recreationOf, valuesAt } from '../predicted/operator-services';
import { titleOf } from '../predicted/predicted';
import { fieldEdit } from '../rules/edits-of-values';
import type { Manifest } from '../rules/manifest-objects';
import { annotationsOf, isService, labelsOf } from '../rules/service-json';
import {
  addressFate,
  annotationOrField,
  type Consequence,
  changedField,
  consequenceIn,
  consequenceOf,
  type DecidingField,
  decidingField,
  type Effect,
  effectAt,
  effectIn,
  fieldAt,
  remedyToKeep,
  textOf,
  whenReconciled,
} from './effect';
import { IMMORTAL_NAMESPACES } from './fields.facts';
import { PRUNE_GUARDS } from './marks.facts';
import { uninstalledEffect } from './owner-changes';
import { type LivePair, NAME, NAMESPACE, nameOf, namespaceOf, type RemovedPair } from './pairs';
import {
  finalizersFor,
  hasNoBalancer,
  isOn,
  isPruned,
  isShared,
  kindOf,
  type LifecycleResult,
  lossOf,
  markOf,
  namespaceOn,
  queryCleanup,
  queryLifecycle,
  type SideBalancer,
  type Sides,
  serviceOn,
  type ToolMark,
  titled,
} from './side';
import { adoptedThing, lookupEffects, lostBalancerEffect, sameAddress, typeRemovalEffects } from './types';

export function removalEffects(pair: RemovedPair): Effect[] {
  const { before, sides } = pair;
  if (hasNoBalancer(before)) {
    return [effectIn('removed without a balancer', 'kept', {})];
  }
  const flipped = serviceOn(sides.after, before.id, before.written);
  if (flipped) {
    return typeRemovalEffects(pair, flipped);
  }
  const { madeOf } = before.written;
  const emptied = madeOf && isKafka(madeOf.object) && emptyingEdit(madeOf.object, sides.before, sides.after);
  if (emptied) {
    return [effectAt(changedField(emptied), { ...consequenceIn('brokers removed', 'refused'), source: POOLS_MODEL })];
  }
  const removal = removalOf(pair);
  const effect = removalEffect(pair, removal);
  const uninstalled = effect.outcome === 'kept' ? undefined : uninstalledEffect(pair);
  return [...(uninstalled ? [uninstalled] : []), effect, ...(removal.decided?.beside ?? [])];
}

const AT_NAME = { field: 'metadata.name', path: NAME };

interface Removal {
  readonly where: Pick<Effect, 'field' | 'path' | 'places' | 'from' | 'to'>;
  readonly change: 'deleted' | 'namespace deleted';
  readonly because: string;
  readonly byPruning: boolean;
  readonly what: string;
  readonly decided?: DecidingField;
  readonly maker?: Json;
}

function removalEffect(pair: RemovedPair, removal: Removal): Effect {
  const { before, movedTo, renamed, sides } = pair;
  const { where, what, because, byPruning, decided } = removal;
  if (byPruning && sides.options.prune === false) {
    const [it, beside] = movedTo ? ['this one', 'beside it'] : ['it', 'with its balancer'];
    return effectIn('removed without prune', 'kept', where, { because, it, beside, what });
  }
  if (hasUnknownOwner(pair)) {
    return effectIn('removed with an unknown owner', 'unknown', where, { because });
  }
  const guard = byPruning && guardEffect(where, before.written.madeOf?.object ?? before.written.object, because);
  if (guard) {
    return guard;
  }
  const end = decided
    ? deletionBySource(pair, removal, decided)
    : deletionResult(pair, removal, queryCleanup(pair, { change: removal.change }));
  // what belongs to an object that is gone goes with it, whoever is paused
  const isWhole = decided === undefined || decided.path.length === 0;
  const missed = end.outcome === 'kept' || end.outcome === 'orphaned' ? undefined : lostBalancerEffect(pair);
  if (missed) {
    const { outcome, why, remedy, source } = missed;
    return { outcome, ...where, why: `${because}: ${why}`, remedy, source };
  }
  const made = before.written.madeOf;
  const maker = sides.after.manifests.find(
    ({ object }) => made && object.kind === made.object.kind && titleOf(object) === titleOf(made.object),
  );
  const result = isWhole ? end : whenReconciled(maker?.object)({ ...end, field: where.field });
  const source = renamed === 'name' || renamed === 'namespace' ? fieldEdit(`metadata.${renamed}`).source : undefined;
  return { ...(source && { source }), ...result, ...where };
}

/** Annotation that protects an object from being pruned by one tool, if its manifest has one. */
export function guardEffect(where: Removal['where'], object: Json, because: string): Effect | undefined {
  const guard = markOf(object, PRUNE_GUARDS);
  return (
    guard &&
    effectIn('removed, guarded from pruning', 'unknown', { ...where, source: guard.source }, { because, ...guard })
  );
}

function removalOf(pair: RemovedPair): Removal {
  const { before, movedTo, renamed, sides } = pair;
  const { madeOf } = before.written;
  const namespace = vanishedNamespace(pair);
  const isMakerOn = madeOf !== undefined && isOn(sides.after, madeOf.object);
  const at = isMakerOn && madeOf.path.length > 0 ? madeOf.path : undefined;
  const names = { from: oldName(pair), ...(movedTo && { to: newName(pair, movedTo) }) };
  const where = {
    ...(at ? { field: fieldAt(at), path: at } : renamed === 'namespace' ? AT_NAMESPACE : AT_NAME),
    ...names,
  };
  const owner = sides.before.isLive && !madeOf ? ownersOf(before).find((one) => isOn(sides.after, one)) : undefined;
  const decided = isMakerOn ? decidingField(before, sides.before, sides.after, kindOf(before)) : undefined;
  const become = movedTo && printable(renameSentence(pair, movedTo));
  const removal = {
    where,
    change: 'deleted',
    what: printable(`Service ${before.id}`),
    byPruning: false,
    decided,
  } as const;
  const does = decided?.isOtherType ? 'no longer asks for a load balancer' : 'no longer creates this Service';
  if (madeOf && isMakerOn) {
    const because = become ?? `${titled(madeOf.object)} ${does}`;
    return { ...removal, because, maker: madeOf.object, where: decided ? decidedAt(decided, names) : where };
  }
  if (namespace) {
    const name = printable(namespaceOf(before));
    return {
      ...removal,
      ...{ change: 'namespace deleted', byPruning: true, what: `Namespace ${name}`, maker: madeOf?.object },
      where: { ...AT_NAME, places: { before: { manifest: namespace, path: NAME } }, ...names },
      because: become ?? `Namespace ${name} is no longer in any manifest, and all Services in it are deleted with it`,
    };
  }
  if (owner) {
    return { ...removal, because: become ?? `${titled(owner)} ${does}`, maker: owner };
  }
  const what = madeOf ? titled(madeOf.object) : removal.what;
  const because = become ?? `${madeOf ? what : 'the Service'} is no longer in any manifest`;
  return { ...removal, because, byPruning: true, what, maker: madeOf?.object };
}

const AT_NAMESPACE = { field: 'metadata.namespace', path: NAMESPACE };

function decidedAt(
  { field, path, places, from, to }: DecidingField,
  names: Pick<Effect, 'from' | 'to'>,
): Removal['where'] {
  const values = isMap(from) || isMap(to) ? names : { from: textOf(from, to), to: textOf(to, from) };
  return defined({ field, path, places, ...values }) as Removal['where'];
}

function oldName({ before, movedTo, renamed }: RemovedPair): string | undefined {
  if (!movedTo || renamed === 'maker') {
    return before.written.madeBy === undefined ? undefined : printable(sourceTitle(before, movedTo));
  }
  return renamed === 'namespace' ? namespaceOf(before) : nameOf(before);
}

function newName({ renamed, before }: RemovedPair, to: SideBalancer): string {
  const of = renamed === 'namespace' ? namespaceOf : nameOf;
  return renamed === 'maker' ? printable(sourceTitle(to, before)) : of(to);
}

function sourceTitle({ id, written: { madeBy = id } }: SideBalancer, other?: SideBalancer): string {
  return madeBy === other?.written.madeBy ? id : madeBy;
}

function renameSentence({ renamed, before }: RemovedPair, to: SideBalancer): string {
  const of = isShared(to.service) ? 'on the balancer that tenants share' : 'with its own address';
  if (renamed === 'maker') {
    const by = to.written.madeBy ?? 'a separate manifest';
    return by === before.written.madeBy
      ? `${by} creates Service ${to.id} instead, with its own address`
      : `${by} creates it now, as Service ${to.id} with its own address`;
  }
  const where = renamed === 'namespace' ? `in namespace ${namespaceOf(to)}` : 'under its new name';
  return `${where} it is another Service, ${to.id}, ${of}`;
}

/** True if what it belongs to is not among the objects of either side: a cluster shows what others wrote as well. */
function hasUnknownOwner({ before: balancer, sides: { before, after } }: RemovedPair): boolean {
  const owners = ownersOf(balancer);
  return (
    before.isLive === true &&
    balancer.written.madeOf === undefined &&
    owners.length > 0 &&
    !owners.some((owner) => [before, after].some((side) => isOn(side, owner)))
  );
}

function ownersOf({ service }: SideBalancer): Json[] {
  const { namespace, ...metadata } = mapIn(service, 'metadata');
  const owners = mapsIn(metadata, 'ownerReferences');
  return owners.map(({ apiVersion, kind, name }) => ({ apiVersion, kind, metadata: { name, namespace } }));
}

function vanishedNamespace({ before: balancer, sides: { before, after, options } }: RemovedPair): Manifest | undefined {
  const name = namespaceOf(balancer);
  if (before.isLive && options.prune !== true) {
    return undefined; // a cluster has more than the manifests that are applied to it
  }
  return IMMORTAL_NAMESPACES.includes(name) || namespaceOn(after, name) ? undefined : namespaceOn(before, name);
}

function deletionResult(pair: RemovedPair, removal: Removal, answer: LifecycleResult | undefined): Consequence {
  const { trace } = answer ?? {};
  return { ...deletionOf(pair, removal, answer), ...(trace !== undefined && { trace }) };
}

function deletionOf(pair: RemovedPair, removal: Removal, answer: LifecycleResult | undefined): Consequence {
  const { before, movedTo, renamed, sides } = pair;
  const { because, maker, byPruning, decided } = removal;
  const isCertain = !byPruning || sides.options.prune === true;
  const isMakerOn = maker !== undefined && !byPruning;
  const when = isCertain ? '' : 'with pruning ';
  const without = isCertain ? '' : '; without pruning it stays and is billed';
  const next = maker ? 'make the change' : 'remove the Service';
  if (answer?.outcome === 'orphaned') {
    const values = { because, when, next, in: maker ? ` in ${titled(maker)}` : '' };
    return { ...consequenceIn('deleted', 'orphaned', values), ...byOperator(maker, sides, next) };
  }
  if (answer?.outcome === 'stuck') {
    return consequenceIn('deleted', 'stuck', { because, when, next });
  }
  if (!movedTo) {
    const end = isShared(before.service)
      ? consequenceIn('deleted from a shared balancer', 'deleted', { because, when })
      : consequenceIn('deleted', 'deleted', { because, when, without, address: addressFate(before) });
    const remedy = isShared(before.service)
      ? undefined
      : (decided?.remedy ?? (maker && remedyToKeep(maker, isMakerOn)));
    return { ...end, ...(remedy !== undefined && { remedy }) };
  }
  const to = movedTo.id;
  if (isShared(before.service) && isShared(movedTo.service)) {
    return consequenceIn('deleted from a shared balancer', 'interrupted', { because, when, to });
  }
  const adopted = renamed === 'name' ? adoptedThing(before, movedTo) : undefined;
  if (adopted) {
    const { until, source } = adopted;
    const version = sides.after.versions?.[before.owner ?? ''];
    const isRead = version === undefined || compareVersions(version, until) <= 0;
    const pruned = isCertain ? '' : "; without pruning the two remove each other's ports";
    const values = { ...adopted, to, version, without: pruned };
    return { ...consequenceIn('adopted by another Service', isRead ? 'replaced' : 'unknown', values), source };
  }
  const same = renamed === 'name' ? sameAddress(before, movedTo) : undefined;
  if (same) {
    const { edit, addresses } = same;
    const unless = isCertain ? '' : '; without it the other one waits';
    const why = `${to} asks for ${addresses} as well: ${when}this one is deleted, and ${edit.what}${unless}`;
    const remedy = 'leave the name as it is, or make the change when clients can reconnect';
    return { ...consequenceOf(edit, { remedy }), why };
  }
  const what = `${maker ? titled(maker) : 'it'}${isMakerOn ? ' as it is' : ''}`;
  const address = addressFate(before);
  const values = { because, when, without, address, what, to, next: isMakerOn ? 'make the change' : 'remove it' };
  return {
    ...consequenceIn('deleted', 'replaced', values),
    ...(decided?.remedy !== undefined && { remedy: decided.remedy }),
  };
}

/** Resources of operators have no field for finalizers: what to do instead, and which versions lose the balancer. */
function byOperator(maker: Json | undefined, sides: Sides, next: string): Pick<Effect, 'remedy' | 'condition'> {
  const operator = maker && operatorOf(maker);
  const isOpen =
    operator && keepsFinalizers(operator, maker, { ...sides.before.versions, ...sides.after.versions }) === undefined;
  return operator === undefined
    ? {}
    : {
        remedy: `keep the finalizer by admission policies, as docs/how-to/keep-load-balancers.md says, then ${next}`,
        ...(isOpen && { condition: `the ${operator.name} is older than ${operator.fixedIn}` }),
      };
}

function deletionBySource(pair: RemovedPair, removal: Removal, decided: DecidingField): Consequence {
  const { before, movedTo } = pair;
  const { because, maker } = removal;
  if (decided.isOtherType) {
    const lost = lookupEffects(pair, decided.annotations).find((effect) => effect.outcome === 'orphaned');
    if (lost) {
      const { outcome, why, remedy, source } = lost;
      return { outcome, why: `${because}, and ${lost.field} changes in the same write: ${why}`, remedy, source };
    }
    const answer = queryLifecycle(pair, { change: 'type away', after: 'left', foreign: [] });
    const { outcome, trace } = answer ?? {};
    return outcome === 'orphaned'
      ? {
          ...consequenceIn('deleted with another type', outcome, { because }),
          ...byOperator(maker, pair.sides, 'change the type'),
          trace,
        }
      : deletionResult(pair, removal, answer);
  }
  const answer = queryLifecycle(pair, { change: 'deleted' });
  const { own } = finalizersFor(before, decided.dropped);
  const stripped = own.length > 0 && answer?.outcome !== 'orphaned' ? queryLifecycle(pair, DROPPED) : undefined;
  if (stripped?.outcome !== 'orphaned') {
    return deletionResult(pair, removal, answer);
  }
  const goes = movedTo ? `the Service that ${movedTo.id} replaces` : 'the Service';
  const values = { because, own: own.join(', '), goes };
  return { ...consequenceIn('deleted, its finalizer dropped before', 'orphaned', values), trace: stripped.trace };
}

const DROPPED = { change: 'finalizer dropped', before: 'declared', after: 'left', foreign: [] } as const;

export function namespaceEffects(pair: LivePair): Effect[] {
  const { before, sides } = pair;
  const namespace = vanishedNamespace(pair);
  if (!namespace || !isPruned(sides) || hasNoBalancer(before)) {
    return [];
  }
  const { outcome, trace } = lossOf(queryLifecycle(pair, { change: 'namespace deleted' }), 'deleted');
  const [name, isSure] = [printable(namespaceOf(before)), sides.options.prune === true];
  const at = { places: { before: { manifest: namespace, path: NAME } }, from: name, trace };
  const [when, without] = isSure ? ['', ''] : ['with pruning ', ', and without pruning nothing happens'];
  return [effectIn('namespace deleted', outcome, at, { name, when, without, address: addressFate(before) })];
}

export function sourceChangeEffects(pair: LivePair): Effect[] {
  const { before, after, sides } = pair;
  // what it is made for may change, and it stays the same Service
  const [old, now] = [before, after].map(({ written: { madeOf } }) => madeOf && titled(madeOf.object));
  const maker = before.written.madeOf;
  const byPruning = maker === undefined || !isOn(sides.after, maker.object);
  if (sides.before.isLive || hasNoBalancer(before) || old === now || (byPruning && sides.options.prune === false)) {
    return [];
  }
  const { outcome, trace } = lossOf(queryLifecycle(pair, { change: 'deleted and created again' }), 'replaced');
  const [from, to] = [old ?? 'a manifest', now ?? 'a manifest'];
  const when = byPruning && sides.options.prune === undefined ? 'with pruning ' : '';
  return [effectIn('source changed', outcome, { from, to, trace }, { from, to, when, address: addressFate(before) })];
}

export function isTerminating({ service }: SideBalancer): boolean {
  return mapIn(service, 'metadata').deletionTimestamp !== undefined;
}

export function terminatingEffects(pair: RemovedPair): Effect[] {
  const { before, after } = pair;
  const from = printable(String(mapIn(before.service, 'metadata').deletionTimestamp));
  if (hasNoBalancer(before)) {
    return [effectIn('terminating', 'kept', { from })];
  }
  const { outcome, trace } = lossOf(queryCleanup(pair, { change: 'deleted' }), after ? 'replaced' : 'deleted');
  const address = addressFate(before);
  return [uninstalledEffect(pair) ?? effectIn('terminating', outcome, { from, trace }, { address })];
}

const ENDINGS: ReadonlySet<Outcome> = new Set(['deleted', 'replaced', 'handed over']);

/**
 * An effect by which a balancer goes, of one whose owner does not delete it: a setting of its Service protects it from deletion, as
 * the Service is written by then.
 */
export function protectedFromDeletion(service: Json, effect: Effect, { before }: RemovedPair): Effect {
  const edit = ENDINGS.has(effect.outcome) ? kindOf(before)?.protectsFromDeletion?.(service) : undefined;
  if (!edit) {
    return effect;
  }
  const { trace: _, ...rest } = effect;
  const { what, remedy, source, outcome } = edit;
  const end = outcome === 'unknown' ? outcome : 'stuck';
  return { ...rest, ...consequenceIn('protected from deletion', end, { what }), remedy, source };
}

/** The Service as its controller sees it when it is to clean up: what is deleted stays as it was. */
export function serviceAtCleanup({ before, after, sides }: RemovedPair): Json {
  const typed = after ? undefined : serviceOn(sides.after, before.id, before.written)?.object;
  return after?.service ?? (typed && isService(typed) ? typed : before.service);
}

export function recreationEffect(
  change: 'recreated at each apply' | 'recreated when refused' | 'recreated by its operator',
  effect: Omit<Effect, 'outcome'>,
  { annotation, tool, source }: Omit<ToolMark, 'values'>,
  pair: RemovedPair,
): Effect {
  const query = queryLifecycle(pair, { change: 'deleted and created again' });
  const { outcome, trace = effect.trace } = lossOf(query, 'replaced');
  const values = { annotation, tool, why: effect.why, address: addressFate(pair.before) };
  const recreated = consequenceIn(change, outcome, values);
  return protectedFromDeletion(pair.before.service, { ...effect, ...recreated, source, ...defined({ trace }) }, pair);
}

/** Effects of changes for which the operator of a Service deletes it and creates it again. */
export function operatorRecreations(pair: LivePair): Effect[] {
  const { before, after } = pair;
  const [old, now] = [before, after].map(({ written }) => recreationOf(written.madeOf));
  if (!now) {
    return [];
  }
  const [was, is] = [before, after].map(({ service }) => service);
  const isSwitched = before.written.madeOf && !old && now.onlyIf;
  // a label or an annotation that a template no longer has stays on the Service
  const paths = [
    ...(isSwitched ? [[isSwitched.field]] : []),
    ...Object.keys({ ...was.spec, ...is.spec }).map((key) => ['spec', key]),
    ...Object.keys(annotationsOf(is)).map((key) => ['metadata', 'annotations', key]),
    ...Object.keys(labelsOf(is)).map((key) => ['metadata', 'labels', key]),
  ];
  return paths.flatMap((path) => {
    const [from, to] = [was, is].map((object) => valuesAt(object, path)[0]?.value);
    const how = now.fields ? now.fields[path.join('.')] : 'changed';
    const isChanged = !sameValue(from, to) && (how === 'changed' || (how === 'set' && isSet(to)));
    const at = { field: annotationOrField(path), path, from: textOf(from, to), to: textOf(to, from), why: now.if };
    return isChanged || path.length === 1 ? [recreationEffect('recreated by its operator', at, now, pair)] : [];
  });
}

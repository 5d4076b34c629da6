import { isMap, type Json, mapIn, mapsIn, printable } from '../contract/json';
import type { Citation } from '../contract/kubernetes.facts';
import type { YamlPath } from '../contract/kubernetes-yaml';
import { POOLS_MODEL } from '../kafka/strimzi/strimzi.facts';
import { emptyingEdit, isKafka } from '../predicted/kafka-services';
import { titleOf } from '../predicted/predicted';
import { fieldEdit } from '../rules/edits-of-values';
import type { Manifest } from '../rules/manifest-objects';
import { type Deletion, type DeletionResult, deletionEffect, pruneGuardOf, resultBySource } from './deletions';
import { type Consequence, type Effect, effectAt, fieldAt, textOf } from './effect';
import { uninstalledEffect } from './owner-changes';
import { kindOf, queryCleanup, queryLifecycle } from './owners';
import { NAME, NAMESPACE, nameOf, namespaceOf, type Pair } from './pairs';
import {
  hasNoBalancer,
  isOn,
  isShared,
  namespaceOn,
  type Side,
  type SideBalancer,
  type Sides,
  serviceOn,
} from './side';
import { changedField, type DecidingField, decidingField, whenReconciled } from './sources';
import { lostBalancerEffect, typeRemovalEffects } from './types';

/** A balancer that is on the older side alone. */
export interface RemovedPair extends Pair {
  readonly before: SideBalancer;
}

/** What becomes of a balancer that is not on the newer side. */
export function removalEffects(one: Pair, sides: Sides): Effect[] {
  const { before } = one;
  if (!before) {
    return [];
  }
  const pair = { ...one, before };
  if (hasNoBalancer(before)) {
    return [
      { outcome: 'kept', ...AT_NAME, why: 'no controller that is installed claims it, so it has no balancer to lose' },
    ];
  }
  const flipped = serviceOn(sides.after, before.id, before.written);
  if (flipped) {
    return typeRemovalEffects(pair, flipped, sides);
  }
  const emptied = emptiedKafkaEffect(before, sides);
  if (emptied) {
    return [emptied];
  }
  const removal = removalOf(pair, sides);
  const effect = removalEffect(pair, removal, sides);
  const uninstalled = effect.outcome === 'kept' ? undefined : uninstalledEffect(pair, sides);
  return [...(uninstalled ? [uninstalled] : []), effect, ...(removal.decided?.beside ?? [])];
}

/** The edit after which the operator does not reconcile what the Service is made of: the Service stays as it is. */
function emptiedKafkaEffect({ written: { madeOf } }: SideBalancer, { before, after }: Sides): Effect | undefined {
  const edit = madeOf && isKafka(madeOf.object) ? emptyingEdit(madeOf.object, before, after) : undefined;
  return edit && effectAt(changedField(edit), EMPTIED_KAFKA);
}

const EMPTIED_KAFKA: Consequence = {
  outcome: 'refused',
  why: 'without a broker the operator does not reconcile the cluster: its balancers stay, and later edits wait',
  remedy: 'keep a broker, or delete the Kafka when no client uses its balancers',
  source: POOLS_MODEL,
};

const AT_NAME = { field: 'metadata.name', path: NAME };

interface Removal extends Pick<Effect, 'field' | 'path' | 'places' | 'to'> {
  readonly how: 'deleted' | 'namespace deleted';
  /** Who deletes it, as the beginning of a sentence. */
  readonly because: string;
  /** Whether it goes only where what is in no manifest any more is deleted. */
  readonly byPruning: boolean;
  readonly what: string;
  /** The field of what makes it by which it goes. */
  readonly decided?: DecidingField;
  /** What a live Service belongs to, which is on both sides. */
  readonly owner?: Json;
}

function removalEffect(pair: RemovedPair, removal: Removal, sides: Sides): Effect {
  const { before, movedTo } = pair;
  const { options } = sides;
  const { field, path, places, what, because } = removal;
  const where = { field, path, ...(places && { places }), ...valuesOf(pair, removal) };
  if (removal.byPruning && options.prune === false) {
    const why = movedTo
      ? `${because}; without prune this one stays live beside it, and is paid for`
      : `${because}; without prune it stays live with its balancer, and is paid for`;
    return { outcome: 'kept', ...where, why, remedy: `delete ${what} when no client uses its address` };
  }
  if (hasUnknownOwner(before, sides)) {
    const why = `${because}, and it belongs to an object that is on neither side: who deletes it is not known`;
    return { outcome: 'unknown', ...where, why, needs: ['the object that it belongs to'] };
  }
  const guard = removal.byPruning ? pruneGuardOf(before.written.madeOf?.object ?? before.written.object) : undefined;
  if (guard) {
    const why = `${because}, and ${guard.annotation} keeps it from being pruned by ${guard.tool} alone`;
    return { outcome: 'unknown', ...where, why, source: guard.source, needs: [`whether ${guard.tool} applies it`] };
  }
  const isCertain = !removal.byPruning || options.prune === true;
  const { answer, end } = removal.decided
    ? resultBySource(pair, removal.decided, deletionBy(pair, removal, isCertain), sides)
    : deletionResult(pair, removal, isCertain, sides);
  // what belongs to an object that is gone goes with it, whoever is paused
  const isWhole = removal.decided === undefined || removal.decided.path.length === 0;
  const missed = end.outcome === 'kept' || end.outcome === 'orphaned' ? undefined : lostBalancerEffect(before, sides);
  if (missed) {
    const { outcome, why, remedy, source } = missed;
    return { outcome, ...where, why: `${because}: ${why}`, remedy, source };
  }
  const result = isWhole ? end : whenReconciled(sourceOn(sides.after, before))({ ...end, field });
  return { ...citationOf(pair), ...result, ...where, ...(answer?.trace && { trace: answer.trace }) };
}

function sourceOn({ manifests }: Side, { written: { madeOf } }: SideBalancer): Json | undefined {
  const [kind, title] = [madeOf?.object.kind, madeOf && titleOf(madeOf.object)];
  return manifests.find(({ object }) => object.kind === kind && titleOf(object) === title)?.object;
}

function deletionResult(pair: RemovedPair, removal: Removal, isCertain: boolean, sides: Sides): DeletionResult {
  const answer = queryCleanup(pair.before, { change: removal.how }, sides);
  return { answer, end: deletionEffect(pair, answer, deletionBy(pair, removal, isCertain), sides) };
}

function deletionBy(
  { before }: RemovedPair,
  { because, byPruning, decided, owner }: Removal,
  isCertain: boolean,
): Deletion {
  const maker = owner ?? before.written.madeOf?.object;
  const { remedy } = decided ?? {};
  return {
    because,
    isCertain,
    ...(maker && { maker }),
    isMakerOn: maker !== undefined && !byPruning,
    ...(remedy !== undefined && { remedy }),
  };
}

/** The values of the field that decides, or what the balancer and its successor are called. */
function valuesOf(pair: RemovedPair, { decided, to }: Removal): Pick<Effect, 'from' | 'to'> {
  const named = { from: from(pair), ...(to !== undefined && { to }) };
  if (!decided || isMap(decided.from) || isMap(decided.to)) {
    return named;
  }
  const [old, now] = [textOf(decided.from, decided.to), textOf(decided.to, decided.from)];
  return { ...(old !== undefined && { from: old }), ...(now !== undefined && { to: now }) };
}

function from({ before, movedTo, renamed }: RemovedPair): string | undefined {
  if (!movedTo || renamed === 'maker') {
    return before.written.madeBy === undefined ? undefined : printable(sourceTitle(before, movedTo));
  }
  return renamed === 'namespace' ? namespaceOf(before) : nameOf(before);
}

function citationOf({ renamed }: RemovedPair): { readonly source?: Citation } {
  return renamed === 'name' || renamed === 'namespace' ? { source: fieldEdit(`metadata.${renamed}`).source } : {};
}

/** What goes, and by what: its namespace, what makes it, or its manifest. */
function removalOf(pair: RemovedPair, sides: Sides): Removal {
  const { before, movedTo } = pair;
  const maker = before.written.madeOf;
  const namespace = vanishedNamespace(before, sides);
  const isMakerOn = maker !== undefined && isOn(sides.after, maker.object);
  const at = placeOf(pair, maker && isMakerOn ? maker.path : undefined);
  const to = movedTo && titleIn(pair, movedTo);
  const become = movedTo && renameSentence(pair, movedTo);
  if (maker && isMakerOn) {
    const by = `${maker.object.kind} ${titleOf(maker.object)}`;
    const decided = decidingField(before, sides.before, sides.after, kindOf(before));
    const does = decided?.isOtherType ? 'asks for no load balancer any more' : 'makes this Service no more';
    const because = become ?? `${by} ${does}`;
    const { field = at.field, path = at.path, places } = decided ?? {};
    return {
      field,
      path,
      ...(places && { places }),
      ...(decided && { decided }),
      to,
      how: 'deleted',
      because: printable(because),
      byPruning: false,
      what: `Service ${before.id}`,
    };
  }
  if (namespace) {
    const name = namespaceOf(before);
    return {
      field: 'metadata.name',
      path: NAME,
      places: { before: { manifest: namespace, path: NAME } },
      how: 'namespace deleted',
      because: printable(become ?? `Namespace ${name} is in no manifest any more, and all Services in it go with it`),
      byPruning: true,
      what: `Namespace ${printable(name)}`,
      to,
    };
  }
  const owner = sides.before.isLive && !maker ? ownersOf(before).find((one) => isOn(sides.after, one)) : undefined;
  if (owner) {
    const by = printable(`${owner.kind} ${titleOf(owner)}`);
    return {
      ...at,
      to,
      how: 'deleted',
      because: become ?? `${by} makes this Service no more`,
      byPruning: false,
      what: `Service ${before.id}`,
      owner,
    };
  }
  const what = maker ? `${maker.object.kind} ${titleOf(maker.object)}` : `Service ${before.id}`;
  const because = become ?? `${maker ? what : 'the Service'} is in no manifest any more`;
  return { ...at, to, how: 'deleted', because: printable(because), byPruning: true, what: printable(what) };
}

function placeOf({ renamed }: RemovedPair, path: YamlPath | undefined): Pick<Effect, 'field' | 'path'> {
  if (path && path.length > 0) {
    return { field: fieldAt(path), path };
  }
  return renamed === 'namespace' ? { field: 'metadata.namespace', path: NAMESPACE } : AT_NAME;
}

function titleIn({ renamed, before }: RemovedPair, to: SideBalancer): string {
  if (renamed === 'maker') {
    return printable(sourceTitle(to, before));
  }
  return renamed === 'namespace' ? namespaceOf(to) : nameOf(to);
}

/** What makes it, where that tells it from the other one. */
function sourceTitle({ id, written: { madeBy = id } }: SideBalancer, other?: SideBalancer): string {
  return madeBy === other?.written.madeBy ? id : madeBy;
}

function renameSentence({ renamed, before }: RemovedPair, to: SideBalancer): string {
  const of = isShared(to.service) ? 'on the balancer that tenants share' : 'with an address of its own';
  switch (renamed) {
    case 'namespace':
      return `in namespace ${namespaceOf(to)} it is another Service, ${to.id}, ${of}`;
    case 'maker': {
      const by = to.written.madeBy ?? 'a manifest of its own';
      return by === before.written.madeBy
        ? `${by} makes Service ${to.id} in its place, with an address of its own`
        : `it is made by ${by} now, as Service ${to.id} with an address of its own`;
    }
    default:
      return `under its new name it is another Service, ${to.id}, ${of}`;
  }
}

/** Whether what it belongs to is not among the objects of either side: a cluster shows what others wrote as well. */
function hasUnknownOwner(balancer: SideBalancer, { before, after }: Sides): boolean {
  const owners = ownersOf(balancer);
  return (
    before.isLive === true &&
    balancer.written.madeOf === undefined &&
    owners.length > 0 &&
    !owners.some((owner) => [before, after].some((side) => isOn(side, owner)))
  );
}

function ownersOf({ service }: SideBalancer): Json[] {
  const { namespace } = mapIn(service, 'metadata');
  const owners = mapsIn(mapIn(service, 'metadata'), 'ownerReferences');
  return owners.map(({ apiVersion, kind, name }) => ({ apiVersion, kind, metadata: { name, namespace } }));
}

/** Namespaces that the API server does not delete. kubernetes/kubernetes v1.36.3, pkg/kubeapiserver/admission/config.go */
const IMMORTAL: readonly string[] = ['default', 'kube-system', 'kube-public'];

/** The Namespace of a balancer, where the newer side does not have it any more. */
function vanishedNamespace(balancer: SideBalancer, { before, after, options }: Sides): Manifest | undefined {
  const name = namespaceOf(balancer);
  if (before.isLive && options.prune !== true) {
    return undefined; // a cluster has more than the manifests that are applied to it
  }
  return IMMORTAL.includes(name) || namespaceOn(after, name) ? undefined : namespaceOn(before, name);
}

/** What becomes of a Service that is on both sides while its Namespace is not. */
export function namespaceEffects({ before }: Pair, sides: Sides): Effect[] {
  const namespace = before && vanishedNamespace(before, sides);
  const { prune } = sides.options;
  if (!namespace || prune === false || hasNoBalancer(before)) {
    return [];
  }
  const answer = queryLifecycle(before, { change: 'namespace deleted' }, sides);
  const outcome = answer?.outcome === 'orphaned' || answer?.outcome === 'stuck' ? answer.outcome : 'deleted';
  const name = printable(namespaceOf(before));
  const goes = outcome === 'deleted' ? 'this Service goes with it, and its address' : 'this Service goes with it';
  const end = { orphaned: ', while its balancer stays in the cloud', stuck: ', and stays in Terminating', deleted: '' }[
    outcome
  ];
  return [
    {
      outcome,
      field: 'metadata.namespace',
      path: ['metadata', 'namespace'],
      places: { before: { manifest: namespace, path: NAME } },
      from: name,
      why: `Namespace ${name} is in no manifest any more: ${prune ? '' : 'with prune '}${goes}${end}${prune ? '' : ', and without prune nothing happens'}`,
      remedy: `leave Namespace ${name} in the manifests`,
      ...(answer?.trace && { trace: answer.trace }),
    },
  ];
}

/** A Service of one name that is made by another one than before: who made it deletes it, and it is made again. */
export function sourceChangeEffects({ before, after }: Pair, sides: Sides): Effect[] {
  if (!before || !after || sides.before.isLive || hasNoBalancer(before)) {
    return [];
  }
  const [old, now] = [sourceOf(before), sourceOf(after)];
  const { prune } = sides.options;
  const maker = before.written.madeOf;
  const byPruning = maker === undefined || !isOn(sides.after, maker.object);
  if (old === now || (byPruning && prune === false)) {
    return [];
  }
  const answer = queryLifecycle(before, { change: 'deleted and created again' }, sides);
  const outcome = answer?.outcome === 'orphaned' || answer?.outcome === 'stuck' ? answer.outcome : 'replaced';
  const [from, to] = [old, now].map((one) => printable(one ?? 'a manifest'));
  const when = byPruning && prune === undefined ? 'with prune it' : 'it';
  return [
    {
      outcome,
      field: 'metadata.name',
      path: NAME,
      from,
      to,
      why: `${to} makes it in place of ${from}: ${when} is deleted with its address and made again with another one`,
      remedy: 'give the new one another name, and take the old one out when clients have moved',
      ...(answer?.trace && { trace: answer.trace }),
    },
  ];
}

/** What makes it: what it is made for may change, and it stays the same Service. */
function sourceOf({ written: { madeOf } }: SideBalancer): string | undefined {
  return madeOf && `${madeOf.object.kind} ${titleOf(madeOf.object)}`;
}

/** Whether a Service of a cluster is being deleted. */
export function isTerminating({ service }: SideBalancer): boolean {
  return mapIn(service, 'metadata').deletionTimestamp !== undefined;
}

/** Sentences on a Service that is being deleted, by what becomes of its balancer. */
const TERMINATING: Readonly<Record<'stuck' | 'orphaned' | 'replaced' | 'deleted', Pick<Effect, 'why' | 'remedy'>>> = {
  stuck: {
    why: 'it is in Terminating, and nothing that runs removes its finalizer',
    remedy: 'let the controller of the finalizer run until the Service is gone',
  },
  orphaned: {
    why: 'it is in Terminating without the finalizer of its controller, which does not clean up: its balancer stays in the cloud',
    remedy: 'move its clients, and delete the balancer in the cloud when the Service is gone',
  },
  replaced: {
    why: 'it is in Terminating: what is applied changes a Service that goes, and a later apply makes another one with another address',
    remedy: 'wait until it is gone, then apply',
  },
  deleted: {
    why: 'it is in Terminating already: its balancer is deleted with its address, whatever is applied',
    remedy: 'move its clients now: a deletion cannot be taken back',
  },
};

/** What becomes of a Service that is being deleted already: it goes, whatever is applied to it. */
export function terminatingEffects({ before, after }: Pair, sides: Sides): Effect[] {
  if (!before) {
    return [];
  }
  const since = printable(String(mapIn(before.service, 'metadata').deletionTimestamp));
  const base = { field: 'metadata.deletionTimestamp', path: ['metadata', 'deletionTimestamp'], from: since };
  if (hasNoBalancer(before)) {
    return [{ outcome: 'kept', ...base, why: 'it is in Terminating, and no controller has made a balancer for it' }];
  }
  const uninstalled = uninstalledEffect({ before, after }, sides);
  if (uninstalled) {
    return [uninstalled];
  }
  const answer = queryCleanup(before, { change: 'deleted' }, sides);
  const isWorse = answer?.outcome === 'stuck' || answer?.outcome === 'orphaned';
  const outcome = isWorse ? answer.outcome : after ? 'replaced' : 'deleted';
  return [{ outcome, ...base, ...(answer?.trace && { trace: answer.trace }), ...TERMINATING[outcome] }];
}

import { isMap, type Json, mapIn, mapsIn } from '../contract/json';
import type { Citation } from '../contract/kubernetes.facts';
import { printable } from '../contract/printable';
import type { YamlPath } from '../contract/yaml-source';
import { POOLS_MODEL } from '../kafka/strimzi/node-pool.facts';
import { emptyingEdit, isKafka } from '../later/kafka-maker';
import { titleOf } from '../later/later';
import { fieldEdit } from '../rules/service-edits.facts';
import { askCleanup } from './ask-model';
import type { Cause } from './balancer-change';
import { type Deletion, type End, endByMaker, endOf } from './end-of-deletion';
import { hasNoBalancer, isShared } from './has-no-balancer';
import { changedBy, type Deciding, decidingField, whenReached } from './maker-causes';
import { type Matched, NAME, NAMESPACE, nameOf, namespaceOf } from './match';
import { isOn, serviceOn } from './objects-on-side';
import { kindOf } from './owners';
import { pruneGuardOf } from './pruning';
import { causeOf, fieldAt, type Said, textOf } from './said';
import type { Side, SideBalancer, Sides } from './side';
import { missedCause, typeAwayCauses } from './type-causes';
import { uninstalledCause } from './uninstalled-cause';
import { vanishedNamespace } from './vanished-namespace';

/** A balancer that is on the older side alone. */
export interface Gone extends Matched {
  readonly before: SideBalancer;
}

/** What becomes of a balancer that is not on the newer side. */
export function goneCauses(pair: Gone, sides: Sides): Cause[] {
  const { before } = pair;
  if (hasNoBalancer(before)) {
    return [
      { outcome: 'kept', ...AT_NAME, why: 'no controller that is installed claims it, so it has no balancer to lose' },
    ];
  }
  const flipped = serviceOn(sides.after, before.id, before.written);
  if (flipped) {
    return typeAwayCauses(pair, flipped, sides);
  }
  const emptied = emptiedCause(before, sides);
  if (emptied) {
    return [emptied];
  }
  const going = goingOf(pair, sides);
  const cause = vanishedCause(pair, going, sides);
  const uninstalled = cause.outcome === 'kept' ? undefined : uninstalledCause(pair, sides);
  return [...(uninstalled ? [uninstalled] : []), cause, ...(going.decided?.beside ?? [])];
}

/** The edit after which the operator does not reconcile what the Service is made of: the Service stays as it is. */
function emptiedCause({ written: { madeOf } }: SideBalancer, { before, after }: Sides): Cause | undefined {
  const edit = madeOf && isKafka(madeOf.object) ? emptyingEdit(madeOf.object, before, after) : undefined;
  return edit && causeOf(changedBy(edit), EMPTIED);
}

const EMPTIED: Said = {
  outcome: 'refused',
  why: 'without a broker the operator does not reconcile the cluster: its balancers stay, and later edits wait',
  remedy: 'keep a broker, or delete the Kafka when no client uses its balancers',
  source: POOLS_MODEL,
};

const AT_NAME = { field: 'metadata.name', path: NAME };

/** How it goes: by what, and whether that is sure. */
interface Going extends Pick<Cause, 'field' | 'path' | 'places' | 'to'> {
  readonly how: 'deleted' | 'namespace deleted';
  /** Who deletes it, as the beginning of a sentence. */
  readonly because: string;
  /** Whether it goes only where what is in no manifest any more is deleted. */
  readonly byPruning: boolean;
  /** What is in no manifest any more. */
  readonly what: string;
  /** The field of what makes it by which it goes. */
  readonly decided?: Deciding;
  /** What a live Service belongs to, which is on both sides. */
  readonly owner?: Json;
}

function vanishedCause(pair: Gone, going: Going, sides: Sides): Cause {
  const { before, movedTo } = pair;
  const { options } = sides;
  const { field, path, places, what, because } = going;
  const where = { field, path, ...(places && { places }), ...valuesOf(pair, going) };
  if (going.byPruning && options.prune === false) {
    const why = movedTo
      ? `${because}; without prune this one stays live beside it, and is paid for`
      : `${because}; without prune it stays live with its balancer, and is paid for`;
    return { outcome: 'kept', ...where, why, remedy: `delete ${what} when no client uses its address` };
  }
  if (isOfOthers(before, sides)) {
    const why = `${because}, and it belongs to an object that is on neither side: who deletes it is not known`;
    return { outcome: 'unknown', ...where, why, needs: ['the object that it belongs to'] };
  }
  const guard = going.byPruning ? pruneGuardOf(before.written.madeOf?.object ?? before.written.object) : undefined;
  if (guard) {
    const why = `${because}, and ${guard.annotation} keeps it from being pruned by ${guard.tool} alone`;
    return { outcome: 'unknown', ...where, why, source: guard.source, needs: [`whether ${guard.tool} applies it`] };
  }
  const isCertain = !going.byPruning || options.prune === true;
  const { answer, end } = going.decided
    ? endByMaker(pair, going.decided, deletionBy(pair, going, isCertain), sides)
    : endOfDeletion(pair, going, isCertain, sides);
  // what belongs to an object that is gone goes with it, whoever is paused
  const isWhole = going.decided === undefined || going.decided.path.length === 0;
  const missed = end.outcome === 'kept' || end.outcome === 'orphaned' ? undefined : missedCause(before, sides);
  if (missed) {
    const { outcome, why, remedy, source } = missed;
    return { outcome, ...where, why: `${because}: ${why}`, remedy, source };
  }
  const told = isWhole ? end : whenReached(makerOn(sides.after, before))({ ...end, field });
  return { ...sourceOf(pair), ...told, ...where, ...(answer?.trace && { trace: answer.trace }) };
}

/** What makes a Service, as it is on a side. */
function makerOn({ manifests }: Side, { written: { madeOf } }: SideBalancer): Json | undefined {
  const [kind, title] = [madeOf?.object.kind, madeOf && titleOf(madeOf.object)];
  return manifests.find(({ object }) => object.kind === kind && titleOf(object) === title)?.object;
}

function endOfDeletion(pair: Gone, going: Going, isCertain: boolean, sides: Sides): End {
  const answer = askCleanup(pair.before, { change: going.how }, sides);
  return { answer, end: endOf(pair, answer, deletionBy(pair, going, isCertain)) };
}

function deletionBy({ before }: Gone, { because, byPruning, decided, owner }: Going, isCertain: boolean): Deletion {
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
function valuesOf(pair: Gone, { decided, to }: Going): Pick<Cause, 'from' | 'to'> {
  const named = { from: from(pair), ...(to !== undefined && { to }) };
  if (!decided || isMap(decided.from) || isMap(decided.to)) {
    return named;
  }
  const [old, now] = [textOf(decided.from), textOf(decided.to)];
  return { ...(old !== undefined && { from: old }), ...(now !== undefined && { to: now }) };
}

function from({ before, movedTo, story }: Gone): string | undefined {
  if (!movedTo || story === 'maker') {
    return before.written.madeBy === undefined ? undefined : printable(makerIn(before, movedTo));
  }
  return story === 'namespace' ? namespaceOf(before) : nameOf(before);
}

function sourceOf({ story }: Gone): { readonly source?: Citation } {
  return story === 'name' || story === 'namespace' ? { source: fieldEdit(`metadata.${story}`).source } : {};
}

/** What goes, and by what: its namespace, what makes it, or its manifest. */
function goingOf(pair: Gone, sides: Sides): Going {
  const { before, movedTo } = pair;
  const maker = before.written.madeOf;
  const namespace = vanishedNamespace(before, sides);
  const isMakerOn = maker !== undefined && isOn(sides.after, maker.object);
  const at = placeOf(pair, maker && isMakerOn ? maker.path : undefined);
  const to = movedTo && titleIn(pair, movedTo);
  const become = movedTo && becomes(pair, movedTo);
  if (maker && isMakerOn) {
    const by = `${maker.object.kind} ${titleOf(maker.object)}`;
    const because = become ?? `${by} makes this Service no more`;
    const decided = decidingField(before, sides.before, sides.after, kindOf(before));
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

function placeOf({ story }: Gone, path: YamlPath | undefined): Pick<Cause, 'field' | 'path'> {
  if (path && path.length > 0) {
    return { field: fieldAt(path), path };
  }
  return story === 'namespace' ? { field: 'metadata.namespace', path: NAMESPACE } : AT_NAME;
}

function titleIn({ story, before }: Gone, to: SideBalancer): string {
  if (story === 'maker') {
    return printable(makerIn(to, before));
  }
  return story === 'namespace' ? namespaceOf(to) : nameOf(to);
}

/** What makes it, where that tells it from the other one. */
function makerIn({ id, written: { madeBy = id } }: SideBalancer, other?: SideBalancer): string {
  return madeBy === other?.written.madeBy ? id : madeBy;
}

/** How a sentence says that another one takes its place. */
function becomes({ story, before }: Gone, to: SideBalancer): string {
  const of = isShared(to.service) ? 'on the balancer that tenants share' : 'with an address of its own';
  switch (story) {
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
function isOfOthers(balancer: SideBalancer, { before, after }: Sides): boolean {
  const owners = ownersOf(balancer);
  return (
    before.isLive === true &&
    balancer.written.madeOf === undefined &&
    owners.length > 0 &&
    !owners.some((owner) => [before, after].some((side) => isOn(side, owner)))
  );
}

/** What a Service of a cluster belongs to. */
function ownersOf({ service }: SideBalancer): Json[] {
  const { namespace } = mapIn(service, 'metadata');
  const owners = mapsIn(mapIn(service, 'metadata'), 'ownerReferences');
  return owners.map(({ apiVersion, kind, name }) => ({ apiVersion, kind, metadata: { name, namespace } }));
}

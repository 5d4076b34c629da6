import { type Outcome, worstOf } from '../contract/edit';
import { isSet, type Json, keysChanged, mapIn, ownValue, printable } from '../contract/json';
import { LOAD_BALANCER_CLEANUP_FINALIZER, STANDARD_FINALIZERS } from '../contract/kubernetes.facts';
import { labelKeyFault } from '../contract/kubernetes-syntax';
import { HAND_OVER_PAGE, unlessLive } from '../contract/rule';
import { OwnershipState } from '../controllers/options';
import { operatorOfSource, recreationOf } from '../predicted/operator-services';
import { editOfAnnotation, fieldEdit } from '../rules/edits-of-values';
import { isOfController } from '../rules/known-kinds';
import { Applied, annotationsOf, classOf, finalizersOf, isLocal, portsOf } from '../rules/service-json';
import { addressFate, type Effect, effectIn, kindToAdd, placesAt, textOf } from './effect';
import { effectsOfInstallation, type Uninstalled, uninstalledOwner } from './installations';
import { type LivePair, NAME, type RemovedPair } from './pairs';
import {
  type BalancerInSides,
  declaredFinalizers,
  finalizersFor,
  hasNoBalancer,
  installedOf,
  isKept,
  isPruned,
  isStripped,
  kindOf,
  type LifecycleResult,
  queryLifecycle,
  queryRelease,
  type SideBalancer,
  titled,
  writersOf,
} from './side';

type Place = Pick<Effect, 'field' | 'path' | 'from' | 'to'>;

export function ownerEffects(pair: LivePair): Effect[] {
  const { before, after } = pair;
  const [was, owner] = [before.owner, after.owner];
  const at = { field: 'owner', path: ['metadata', 'annotations'], from: was, to: owner };
  const isOther = was !== owner || before.ownership !== after.ownership;
  const uninstalled = uninstalledEffect(pair);
  if (uninstalled) {
    return isOther && owner !== undefined
      ? [uninstalled, effectIn('claimed now', 'handed over', at, { owner, was })]
      : [uninstalled];
  }
  if (!isOther || classOf(before.service) !== classOf(after.service) || isLeftRunning(pair)) {
    return [];
  }
  const claimedAt = { ...at, ...claimedPlace(before, after) };
  const guess = after.guess ?? before.guess;
  if (guess !== undefined) {
    return [unknownOwner(claimedAt, guess)];
  }
  if (hasNoBalancer(before)) {
    return owner === undefined ? [] : [effectIn('claimed now', 'created', at, { owner })];
  }
  if (was === undefined) {
    const isOpen = owner === undefined && after.ownership !== OwnershipState.UNCLAIMED;
    return isOpen ? [] : [unknownOwner(at, before.unowned)];
  }
  if ([before, after].some(isByWebhook)) {
    return []; // who gives a class to new Services leaves those that are there
  }
  const bySetting = owner === undefined ? effectsOfInstallation(was, pair) : [];
  const isKnown = bySetting.some(({ outcome }) => outcome !== 'kept' && outcome !== 'unknown');
  return isKnown ? bySetting : [handOverEffect(pair, claimedAt)];
}

/** True if what shows the owner is no longer in any manifest, and stays in the cluster since nothing prunes it. */
function isLeftRunning({ before, after, sides }: LivePair): boolean {
  const shows = ({ controller }: { readonly controller: string }) => controller === before.owner;
  const isGone = after.owner === undefined && after.ownership === OwnershipState.UNKNOWN;
  const [old, now] = [sides.before, sides.after].map(({ installs }) => installs?.some(shows) === true);
  return !isPruned(sides) && isGone && old && !now;
}

export function isHandedOver({ before, after }: LivePair): boolean {
  return (
    before.owner !== undefined &&
    before.owner !== after.owner &&
    (after.owner !== undefined || after.ownership === OwnershipState.UNCLAIMED) &&
    [before, after].every(({ guess }) => guess === undefined) &&
    classOf(before.service) === classOf(after.service) &&
    !hasNoBalancer(before) &&
    ![before, after].some(isByWebhook)
  );
}

export function mayBeHandedOver({ before, after }: LivePair): boolean {
  return before.owner !== after.owner && [before, after].some(({ guess }) => guess !== undefined);
}

function claimedPlace(before: SideBalancer, after: SideBalancer): Place | undefined {
  const [key] = claimingAnnotations(before, after);
  const [from, to] = [before, after].map(({ service }) => textOf(annotationsOf(service)[key]));
  return key === undefined ? undefined : { field: key, path: ['metadata', 'annotations', key], from, to };
}

function unknownOwner(at: Place, needed = 'who owns it'): Effect {
  const isGuess = at.from !== undefined && at.from === at.to;
  return effectIn(isGuess ? 'owner a guess' : 'owner unknown on one side', 'unknown', at, { needs: needed });
}

function handOverEffect(pair: LivePair, at: Place): Effect {
  const { before, after } = pair;
  const { owner, ownership, unowned, guess } = after;
  const was = before.owner;
  if (ownership === OwnershipState.CONTESTED) {
    return effectIn('claimed by several', 'unknown', at, { needs: unowned ?? 'one owner' });
  }
  if (owner === undefined && ownership !== OwnershipState.UNCLAIMED) {
    return unknownOwner(at, unowned ?? guess);
  }
  const answer = queryRelease(pair, { change: 'annotation away' }, finalizersOf(after.service));
  const by =
    owner === undefined
      ? 'no installed controller claims it any more'
      : `${owner} claims it now, and creates another balancer`;
  if (answer) {
    const end = answer.outcome === 'orphaned' ? 'orphaned' : owner === undefined ? 'deleted' : 'handed over';
    return effectIn('owner changed', end, { ...at, trace: answer.trace }, { by, was, address: addressFate(before) });
  }
  // what the older owner's table says of the annotation by which it loses the Service
  const [key] = claimingAnnotations(before, after);
  const kind = kindOf(before);
  const around = { before: annotationsOf(before.service), after: annotationsOf(after.service) };
  const objects = { before: before.service, after: after.service };
  const values = { before: ownValue(around.before, key), after: ownValue(around.after, key) };
  const edit =
    key && kind?.catalogue.find(key) ? editOfAnnotation(kind, key, { ...values, around, objects }) : undefined;
  const end = owner === undefined ? 'unknown' : 'handed over';
  const effect = effectIn('owner changed, its cleanup unknown', end, at, { by, was });
  return edit?.outcome === 'orphaned'
    ? { ...effectIn('owner changed', 'orphaned', at, { by, was }), why: `${by}: ${edit.what}`, source: edit.source }
    : effect;
}

export function isByWebhook(balancer: SideBalancer): boolean {
  const kind = kindOf(balancer);
  return kind?.claim(balancer.service, installedOf(balancer)).byDefaultingTheClass === true;
}

export function classEffects(pair: LivePair): Effect[] {
  const { before, after, sides } = pair;
  const [old, now] = [before, after].map(({ service }) => classOf(service));
  if (old === now || [before, after].some(({ service }) => service.spec?.type !== 'LoadBalancer')) {
    return [];
  }
  const [from, to] = [old, now].map((one) => (one === undefined ? one : printable(one)));
  const at = { from, to };
  const writers = writersOf(after, sides);
  const applied = new Applied(before.service);
  const isLeft = sides.before.isLive && !writers.includes('put') && !applied.hasInSpec('loadBalancerClass');
  const isNulled = operatorOfSource(after.written.madeOf)?.drops.includes('class') === true;
  // a live class that no manifest shows may be a controller's, which apply leaves
  if (to === undefined && isLeft && !isNulled) {
    return applied.isKnown ? [] : [effectIn('class dropped, its writer unknown', 'unknown', at)];
  }
  const maker = after.written.madeBy;
  const isCopied = recreationOf(after.written.madeOf)?.fields?.['spec.loadBalancerClass'] === 'set';
  const isPut = writers.every((writer) => writer === 'put');
  if (to === undefined && maker !== undefined && !isNulled && (isCopied || isPut)) {
    // strimzi/strimzi-kafka-operator 0.36.0, operator-common, ServiceOperator.java (patchLoadBalancerClass)
    return [effectIn('class copied', 'kept', { ...at, notApplied: true })];
  }
  const { source } = fieldEdit('spec.loadBalancerClass', kindOf(before));
  const second = kindToAdd(after.written.madeOf?.object);
  const answer = writers.includes('recreate') ? queryLifecycle(pair, { change: 'class changed' }) : undefined;
  if (answer && answer.outcome !== 'refused') {
    const { outcome, trace } = answer;
    const values = { second, address: addressFate(before) };
    return [effectIn('class changed by creating it again', 'replaced', { ...at, outcome, source, trace }, values)];
  }
  // to make it again, as some tools do, is no way out
  const isUnserved = to !== undefined && after.ownership === OwnershipState.UNCLAIMED;
  const change = isUnserved ? 'class changed to an unserved one' : 'class changed';
  const verb = from === undefined ? 'added to' : to === undefined ? 'taken from' : 'changed on';
  const waits = maker === undefined ? '' : ', at every reconciliation, and other changes of it wait behind that';
  return [effectIn(change, 'refused', { ...at, source }, { verb, waits, second })];
}

export function claimingAnnotations(before: SideBalancer, after: SideBalancer): string[] {
  const keys = keysChanged(annotationsOf(before.service), annotationsOf(after.service));
  const leaves = keys.filter((key) => isClaimed(before) && !isClaimed(before, key, after));
  const comes = keys.filter((key) => isClaimed(after) && !isClaimed(after, key, before));
  const both = leaves.filter((key) => comes.includes(key));
  return [both, leaves, comes].find(({ length }) => length > 0) ?? [];
}

export function claimedBy(balancer: SideBalancer): string[] {
  const without = { ...balancer, service: {} };
  return Object.keys(annotationsOf(balancer.service)).filter((key) => !isClaimed(balancer, key, without));
}

/** True if the owner claims its Service, with one annotation as it is on the other side. */
function isClaimed(balancer: SideBalancer, key?: string, other = balancer): boolean {
  const { service } = balancer;
  if (key === undefined) {
    return kindOf(balancer)?.claim(service, installedOf(balancer)).claimed === 'yes';
  }
  const { [key]: _, ...annotations } = annotationsOf(service);
  const value = annotationsOf(other.service)[key];
  const metadata = { ...service.metadata, annotations: { ...annotations, ...(isSet(value) && { [key]: value }) } };
  return isClaimed({ ...balancer, service: { ...service, metadata } });
}

export function uninstalledEffect(pair: RemovedPair): Effect | undefined {
  const { before, after } = pair;
  const uninstalled = uninstalledOwner(pair);
  if (!uninstalled || hasNoBalancer(before)) {
    return undefined;
  }
  const answer = queryLifecycle(pair, { change: 'owner uninstalled' });
  const isLost = isStripped(pair) && finalizersOf(before.service).length === 0;
  return effectOfUninstalled(uninstalled, pair, {
    outcome: isLost ? 'orphaned' : outcomeOfUninstalled(before, answer),
    path: ['spec', 'loadBalancerClass'],
    kind: 'Service',
    first: firstStep(before.written.madeOf?.object, after !== undefined),
    trace: isLost ? undefined : answer?.trace,
  });
}

interface UninstalledEnd extends Pick<Effect, 'outcome' | 'path' | 'trace'> {
  readonly kind: string;
  readonly first: string;
}

export function effectOfUninstalled(
  { install, isByPruning }: Uninstalled,
  { before, after }: BalancerInSides & { readonly after?: unknown },
  { outcome, path, trace, kind, first }: UninstalledEnd,
): Effect {
  const { owner } = before;
  const gone = `${owner} is ${isByPruning ? 'no longer in any manifest and is deleted by pruning' : 'removed in the same change'}`;
  const until = after ? `nothing updates the balancer any more, and when the ${kind} is deleted ` : '';
  const from = install && titled(install.manifest.object);
  const places = install && placesAt(install.manifest, undefined, NAME);
  const said = outcome === 'stuck' || outcome === 'orphaned' || outcome === 'deleted' ? outcome : 'kept';
  const at = { outcome, field: 'controllers', path, places, from, trace };
  const values = { gone, until, it: after ? 'it' : `the ${kind}`, first, owner, address: addressFate(before) };
  return effectIn('owner uninstalled', said, at, values);
}

function firstStep(maker: Json | undefined, isListed: boolean): string {
  if (maker === undefined) {
    return isListed
      ? `hand the Service over first as ${HAND_OVER_PAGE} says`
      : 'delete the Service first, wait until it is gone';
  }
  const another = kindToAdd(maker);
  return isListed
    ? `add another ${another} first that another controller serves, move clients and DNS to it, remove this ${another}, wait until its Services are gone`
    : `make this change alone first, wait until the Services of the ${another} are gone`;
}

/** Without a model, a finalizer that is left holds the Service, and without one the balancer stays behind. */
function outcomeOfUninstalled(before: SideBalancer, answer: LifecycleResult | undefined): Outcome {
  if (answer) {
    return worstOf([answer.outcome, answer.anyway ?? answer.outcome]);
  }
  const hasFinalizer = (kindOf(before)?.finalizers.length ?? 0) > 0 || finalizersFor(before).own.length > 0;
  return hasFinalizer ? 'stuck' : 'orphaned';
}

export function finalizerEffects(pair: LivePair): Effect[] {
  const { before, after, sides } = pair;
  const now = finalizersOf(after.service);
  const live = finalizersOf(before.service);
  const isReplaced = !isGenerated(after) && writersOf(after, sides).some((writer) => writer.startsWith('put'));
  const known = isReplaced ? live : declaredFinalizers(pair);
  const declared = known ?? live;
  const dropped = declared.filter((one) => !now.includes(one));
  const added = now.filter((one) => !declared.includes(one) && !live.includes(one));
  const isUnsure = known === undefined && !isGenerated(after);
  return [
    (isUnsure ? unknownFinalizerWriter : droppedEffect)(pair, dropped) ?? [],
    invalidEffect(added) ?? [],
    ownAddedEffect(pair, added) ?? [],
    foreignAddedEffect(pair, added, declared) ?? [],
    strangeAddedEffect(before, added) ?? [],
  ].flat();
}

function isGenerated({ written }: SideBalancer): boolean {
  return written.madeOf !== undefined;
}

const inWords = (finalizers: readonly string[]) => finalizers.map(printable).join(', ');

/** Live fields that are not in the manifest: apply leaves what it did not set. */
function unknownFinalizerWriter(pair: LivePair, dropped: readonly string[]): Effect | undefined {
  const { untouchableFinalizers = [] } = kindOf(pair.before) ?? {};
  // those that mark an owner are in no manifest
  const own = finalizersFor(pair.before, dropped).own.filter((one) => !untouchableFinalizers.includes(one));
  return own.length === 0 || queryLifecycle(pair, dropping([]))?.outcome === 'kept'
    ? undefined
    : effectIn('finalizer dropped, its writer unknown', 'unknown', { from: own.join(', ') });
}

const dropping = (foreign: readonly string[]) =>
  ({ change: 'finalizer dropped', before: 'declared', after: 'left', foreign }) as const;

function droppedEffect(pair: LivePair, dropped: readonly string[]): Effect | undefined {
  const { before, after, sides } = pair;
  const { own } = finalizersFor(before, dropped);
  const { owner, guess, unowned } = before;
  const needs = unowned ?? guess ?? `what ${owner} does with its finalizer`;
  if (own.length === 0) {
    const [unsure] = owner === undefined || guess !== undefined ? dropped.filter(isOfController) : [];
    return unsure === undefined
      ? unsure
      : effectIn('finalizer dropped', 'unknown', { from: printable(unsure) }, { needs });
  }
  const from = inWords(own);
  if (isKept(after, sides)) {
    return effectIn('finalizer dropped, and kept', 'kept', { from });
  }
  const left = finalizersFor(before, finalizersOf(after.service));
  const at = { from, source: fieldEdit('metadata.finalizers', kindOf(before)).source };
  if (uninstalledOwner(pair)) {
    return effectIn('finalizer dropped with its owner', 'orphaned', at, { owner });
  }
  if (left.own.length > 0) {
    return undefined;
  }
  const { outcome, trace } = queryLifecycle(pair, dropping(left.foreign)) ?? {};
  if (outcome === undefined) {
    return effectIn('finalizer dropped', 'unknown', at, { needs });
  }
  if (outcome === 'kept') {
    return effectIn('finalizer dropped', outcome, at);
  }
  if (outcome === 'orphaned' && isReconciledByEdit(pair)) {
    return effectIn('finalizer dropped, and put back', 'kept', at, { owner, finalizers: from });
  }
  const isOpen = !isGenerated(after) && sides.options.writer === undefined;
  const condition = isOpen ? 'applied with --server-side or replace' : undefined;
  const or = isOpen ? '; where all of it is applied without --server-side, write --writer client-apply' : '';
  const end = outcome === 'orphaned' ? outcome : 'stuck';
  return effectIn('finalizer dropped', end, { ...at, outcome, condition, trace }, { owner, finalizers: from, or });
}

function isReconciledByEdit({ before, after, sides }: LivePair): boolean {
  const [old, now] = [before, after].map(({ service }) => reconciledFields(service));
  // what the newer side does not have may be of others on a live Service, and stays
  const keys = Object.keys(sides.before.isLive ? now : { ...old, ...now });
  const isEdited = keys.some((key) => old[key] !== now[key]);
  return isEdited && writersOf(after, sides).every((writer) => writer.endsWith('apply'));
}

function reconciledFields(service: Json): Record<string, unknown> {
  const { loadBalancerSourceRanges: ranges } = mapIn(service, 'spec');
  const ports = portsOf(service).map(({ port }) => port);
  return {
    ...annotationsOf(service),
    'spec.ports': ports.join(),
    'spec.externalTrafficPolicy': isLocal(service),
    ...(isSet(ranges) && { 'spec.loadBalancerSourceRanges': JSON.stringify(ranges) }),
  };
}

function isValid(finalizer: string): boolean {
  return STANDARD_FINALIZERS.includes(finalizer) || (finalizer.includes('/') && labelKeyFault(finalizer) === undefined);
}

function invalidEffect(added: readonly string[]): Effect | undefined {
  const wrong = added.filter((one) => !isValid(one));
  const at = { to: inWords(wrong), source: fieldEdit('metadata.finalizers').source };
  return wrong.length === 0 ? undefined : effectIn('finalizer invalid', 'refused', at);
}

function ownAddedEffect(pair: LivePair, added: readonly string[]): Effect | undefined {
  const { own } = finalizersFor(pair.before, added);
  const asked = { change: 'finalizer added', after: 'declared' } as const;
  const { outcome, trace } = (own.length > 0 ? queryLifecycle(pair, asked) : undefined) ?? {};
  return outcome === undefined || outcome === 'kept' || outcome === 'refused'
    ? undefined
    : effectIn('finalizer added', 'interrupted', { outcome, to: inWords(own), trace });
}

function foreignAddedEffect(pair: LivePair, added: readonly string[], declared: readonly string[]): Effect | undefined {
  const { before, sides } = pair;
  const { foreign } = finalizersFor(before, added);
  const was = finalizersFor(before, declared).own.length > 0 ? 'declared' : 'left';
  const asked = { change: 'finalizer wrong', before: was, after: 'wrong', foreign } as const;
  const answer = foreign.length === 0 ? undefined : queryLifecycle(pair, asked);
  if (foreign.length === 0 || answer?.outcome === 'kept') {
    return undefined;
  }
  const remedy = unlessLive('remove it from the manifest, and declare the finalizer of the owner');
  const at = { to: inWords(foreign), remedy };
  const isOfServiceController = foreign.every((one) => one === LOAD_BALANCER_CLEANUP_FINALIZER);
  if (isOfServiceController && sides.after.controllers === undefined) {
    return effectIn('foreign finalizer added', 'unknown', at);
  }
  const { outcome = 'stuck', trace } = answer ?? {};
  const end = outcome === 'orphaned' || outcome === 'interrupted' ? outcome : 'stuck';
  return effectIn('foreign finalizer added', end, { ...at, outcome, trace }, { owner: before.owner });
}

function strangeAddedEffect(before: SideBalancer, added: readonly string[]): Effect | undefined {
  const { strange } = finalizersFor(before, added);
  const removed = strange.filter((one) => isValid(one) && !STANDARD_FINALIZERS.includes(one));
  const to = inWords(removed);
  const change = before.owner === undefined ? 'strange finalizer added without an owner' : 'strange finalizer added';
  return removed.length === 0 ? undefined : effectIn(change, 'unknown', { to }, { finalizers: to });
}

import { isSet, type Json, mapIn, printable } from '../contract/json';
import { LOAD_BALANCER_CLEANUP_FINALIZER, STANDARD_FINALIZERS } from '../contract/kubernetes.facts';
import { labelKeyFault } from '../contract/kubernetes-syntax';
import { unlessLive } from '../contract/rule';
import { fieldEdit } from '../rules/edits-of-values';
import { annotationsOf, finalizersOf, isLocal, portsOf } from '../rules/service-json';
import { type Effect, effectIn } from './effect';
import { uninstalledOwner } from './installations';
import { declaredFinalizers, finalizersFor, isKept, isOfController, queryLifecycle, writersOf } from './owners';
import type { LivePair } from './pairs';
import { kindOf, type SideBalancer } from './side';

const AT = { field: 'metadata.finalizers', path: ['metadata', 'finalizers'] };

/** What becomes of a balancer whose finalizers are declared, or no longer declared. */
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

/** What is live and not in the manifest: apply leaves what it did not set. */
function unknownFinalizerWriter(pair: LivePair, dropped: readonly string[]): Effect | undefined {
  const { untouchableFinalizers = [] } = kindOf(pair.before) ?? {};
  // those that mark an owner are in no manifest
  const own = finalizersFor(pair.before, dropped).own.filter((one) => !untouchableFinalizers.includes(one));
  return own.length === 0 || queryLifecycle(pair, dropping([]))?.outcome === 'kept'
    ? undefined
    : effectIn('finalizer dropped, its writer unknown', 'unknown', { ...AT, from: own.join(', ') });
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
    const from = unsure && printable(unsure);
    return from === undefined ? from : effectIn('finalizer dropped', 'unknown', { ...AT, from }, { needs });
  }
  const from = inWords(own);
  if (isKept(after, sides)) {
    return effectIn('finalizer dropped, and kept', 'kept', { ...AT, from });
  }
  const left = finalizersFor(before, finalizersOf(after.service));
  const at = { ...AT, from, source: fieldEdit('metadata.finalizers', kindOf(before)).source };
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
  const isOrphaned = outcome === 'orphaned';
  if (isOrphaned && isReconciledByEdit(pair)) {
    return effectIn('finalizer dropped, and put back', 'kept', at, { owner, finalizers: from });
  }
  const isOpen = !isGenerated(after) && sides.options.writer === undefined;
  const condition = isOpen ? 'applied with --server-side or replace' : undefined;
  const or = isOpen ? '; where all of it is applied without --server-side, write --writer client-apply' : '';
  const written = { ...at, outcome, condition, trace };
  return effectIn('finalizer dropped', isOrphaned ? 'orphaned' : 'stuck', written, { owner, finalizers: from, or });
}

/** Whether a write that takes the finalizer off also edits what every owner looks at, by a writer that leaves it when it is back. */
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
  const at = { ...AT, to: inWords(wrong), source: fieldEdit('metadata.finalizers').source };
  return wrong.length === 0 ? undefined : effectIn('finalizer invalid', 'refused', at);
}

function ownAddedEffect(pair: LivePair, added: readonly string[]): Effect | undefined {
  const { own } = finalizersFor(pair.before, added);
  const asked = { change: 'finalizer added', after: 'declared' } as const;
  const { outcome, trace } = (own.length > 0 ? queryLifecycle(pair, asked) : undefined) ?? {};
  return outcome === undefined || outcome === 'kept' || outcome === 'refused'
    ? undefined
    : effectIn('finalizer added', 'interrupted', { ...AT, outcome, to: inWords(own), trace });
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
  const remedy = unlessLive("take it out of the manifest, and declare the owner's own");
  const at = { ...AT, to: inWords(foreign), remedy };
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
  return removed.length === 0 ? undefined : effectIn(change, 'unknown', { ...AT, to }, { finalizers: to });
}

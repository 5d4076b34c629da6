import { isMap, isSet, type Json, list, listIn, mapIn, mapOf, printable, stepsOf } from '../../contract/json';
import {
  FOREGROUND_FINALIZER,
  LAST_APPLIED_ANNOTATION,
  LOAD_BALANCER_CLEANUP_FINALIZER,
} from '../../contract/kubernetes.facts';
import type { LoadBalancerFinding } from '../../contract/options';
import { isProtected } from '../../controllers/aws-load-balancer-controller/model';
import type { LoadBalancerOwner } from '../../controllers/load-balancer-owner';
import { METALLB_CONTROLLER } from '../../controllers/metal-lb/annotations';
import { OwnershipState } from '../../controllers/options';
import { ownerEvidence } from '../../controllers/other-controller';
import { VENDOR_MARKS } from '../../controllers/vendors/marks.facts';
import { compareTexts } from '../../cost/balancers';
import { METALLB_GROUP, METALLB_POOL } from '../../installations/metal-lb/facts';
import { definitionOf, isRemovedBy } from '../../rules/controller-definition';
import { likelyClaimants } from '../../rules/known-kinds';
import { groupOf } from '../../rules/objects';
import { annotationsOf, classOf, finalizersOf, portsOf, wantsLoadBalancer } from '../../rules/service-json';
import type { CheckContext } from '../context/check-context';
import { CLOUDS } from '../context/evidence.facts';
import { providerIdOf } from '../context/observed-cluster';
import { classLike, isAboutFinalizers } from '../owners-in-words';
import { PENDING_CAUSES, READ_FOR_DELETION, SERVICE_LB, SUCCESSES, TERMINATING_CAUSES } from './causes.facts';
import type { Cause, EventPattern } from './explanation';
import { finalizerFact } from './words';

export type LikelyCause = ReturnType<typeof inOrder>[number];

export interface StuckService {
  readonly service: Json;
  readonly owner: LoadBalancerOwner;
  readonly reported: readonly ControllerReport[];
  readonly errors: readonly LoadBalancerFinding[];
  readonly warnings: readonly LoadBalancerFinding[];
  readonly objects?: readonly Json[];
  readonly controllers?: CheckContext['controllers'];
}

interface Hint {
  readonly cause: string;
  readonly weight: number;
  readonly evidence: string;
  /** True if a report fits this cause and not others: those that nothing speaks for are left out. */
  readonly isExact?: boolean;
}

const REPORTED = 1_000;
const SEEN = 100;
const USUAL = 10;

export function whyPending(stuck: StuckService): LikelyCause[] {
  const hints = [
    ...hintsReported(stuck.reported, PENDING_CAUSES),
    ...hintsOfOwner(stuck),
    ...stuck.errors
      .filter(({ ruleId, at }) => !OF_OWNERS.includes(ruleId) && !isAboutFinalizers(at))
      .map((finding) => ({ cause: 'manifest-refused', weight: SEEN, evidence: inWords(finding) })),
    ...hintsOfFinalizer(stuck),
    ...hintsOfPools(stuck),
    ...hintsOfPorts(stuck),
  ];
  const isSeen = ({ id }: Cause) => hints.some(({ cause, weight }) => cause === id && weight >= SEEN);
  return inOrder(
    PENDING_CAUSES.filter((cause) => isSeen(cause) || isLeftOpen(cause, stuck)),
    hints,
    stuck,
  );
}

const WITHOUT_OWNER: readonly string[] = ['class-typo', 'no-controller', 'webhook', 'denied'];

function isLeftOpen({ id }: Cause, { service, owner: { state } }: StuckService): boolean {
  if (id === 'class-typo') {
    return classOf(service) !== undefined && state !== OwnershipState.OWNED;
  }
  if (ONLY_SEEN.includes(id)) {
    return false;
  }
  if (state === OwnershipState.UNCLAIMED) {
    return WITHOUT_OWNER.includes(id);
  }
  return id !== 'manifest-refused' || hasMoreThanPorts(service);
}

const ONLY_SEEN: readonly string[] = ['status-refused', 'host-port'];

function hasMoreThanPorts(service: Json): boolean {
  const { loadBalancerIP, loadBalancerSourceRanges } = service.spec ?? {};
  const isPlain = portsOf(service).every(({ protocol = 'TCP' }) => protocol === 'TCP');
  const keys = Object.keys(annotationsOf(service)).filter((key) => key !== LAST_APPLIED_ANNOTATION);
  return keys.length > 0 || isSet(loadBalancerIP) || isSet(loadBalancerSourceRanges) || !isPlain;
}

/** Causes why a deleted Service still exists, the likeliest first; empty if no finalizer keeps it. */
export function whyTerminating(stuck: StuckService): LikelyCause[] {
  const finalizers = finalizersOf(stuck.service);
  if (finalizers.length === 0) {
    return [];
  }
  const hints = [...hintsReported(stuck.reported, TERMINATING_CAUSES), ...hintsOfDeletion(stuck)];
  // what the live Service shows not to be so is no cause, unless an event reports it
  const isSeen: Readonly<Record<string, boolean | undefined>> = {
    foreground: finalizers.includes(FOREGROUND_FINALIZER),
    'foreign-finalizer': foreign(stuck).length > 0,
    'deletion-protection': isProtected(stuck.service),
    'manifest-refused': READ_FOR_DELETION in annotationsOf(stuck.service),
  };
  const isReported = (id: string) => hints.some(({ cause, weight }) => cause === id && weight >= REPORTED);
  return inOrder(
    TERMINATING_CAUSES.filter(({ id }) => isSeen[id] !== false || isReported(id)),
    hints,
    stuck,
  );
}

const SILENT: readonly string[] = ['class-typo', 'no-controller', 'owner-away'];

function inOrder(causes: readonly Cause[], hints: readonly Hint[], stuck: StuckService) {
  const names = concerned(stuck);
  // who reports something runs, and takes the Service
  const unlikely = stuck.reported.some(({ from }) => from === 'event')
    ? SILENT
    : isTaken(stuck)
      ? ['no-controller']
      : [];
  const least = hints.some(({ isExact }) => isExact) ? SEEN : -1;
  return causes
    .map((cause, i) => {
      const own = hints.filter((hint) => hint.cause === cause.id).sort((a, b) => b.weight - a.weight);
      return { cause, i, own, weight: unlikely.includes(cause.id) ? -1 : (own[0]?.weight ?? 0) };
    })
    .filter(({ cause, weight }) => weight >= least && (weight >= REPORTED || isOf(cause, names)))
    .sort((a, b) => b.weight - a.weight || a.i - b.i)
    .map(({ cause: { id, title, what, checks, remedy }, own, weight }) => ({
      id,
      title,
      what,
      evidence: [...new Set(own.map(({ evidence }) => evidence))],
      isReported: weight >= REPORTED,
      checks: checks.filter((check) => isOf(check, names)).map(({ command, shows }) => ({ command, shows })),
      remedy,
    }));
}

function isOf({ of }: { readonly of?: readonly string[] }, names: readonly string[] | undefined): boolean {
  return of === undefined || names === undefined || names.some((name) => of.includes(name));
}

/** The controllers that may own a Service, as far as it, its cluster and the Nodes of the dump show them; undefined if any may. */
function concerned({ service, owner, objects = [], controllers }: StuckService): readonly string[] | undefined {
  if (owner.name !== undefined) {
    return [owner.name];
  }
  const signs = ownerEvidence(service).map(({ other }) => other.id);
  const likely = signs.length > 0 ? signs : likelyClaimants(service).map(({ kind }) => kind.name);
  return controllers?.map(({ name }) => name) ?? (likely.length > 0 ? likely : controllersOfNodes(objects));
}

function isTaken({ service, owner, objects = [] }: StuckService): boolean {
  const isOpen = owner.state !== OwnershipState.UNCLAIMED && classOf(service) === undefined;
  return isOpen && (hasEvents(service, objects) || finalizersOf(service).length > 0);
}

function hintsReported(reported: readonly ControllerReport[], causes: readonly Cause[]): Hint[] {
  return reported.flatMap((one, i) => {
    const special = causes.filter(({ signs }) => signs.some((sign) => shows(sign, one)));
    const found =
      special.length > 0
        ? special
        : causes.filter(({ generalSigns = [] }) => generalSigns.some((sign) => shows(sign, one)));
    const weight = REPORTED + reported.length - i;
    return found.map(({ id }) => ({
      cause: id,
      weight,
      evidence: reportedInWords(one),
      isExact: special.length === 1,
    }));
  });
}

function shows({ reason, message }: EventPattern, reported: ControllerReport): boolean {
  return (reason?.test(reported.reason) ?? true) && (message?.test(reported.message) ?? true);
}

function hintsOfOwner({ service, owner }: StuckService): Hint[] {
  const loadBalancerClass = classOf(service);
  const near = loadBalancerClass === undefined ? undefined : classLike(String(loadBalancerClass));
  const typo: Hint[] =
    near !== undefined && owner.state !== OwnershipState.OWNED
      ? [{ cause: 'class-typo', weight: SEEN + 1, evidence: `class '${loadBalancerClass}' is near to ${near}` }]
      : [];
  const isTaken =
    owner.state !== OwnershipState.UNCLAIMED && !(owner.state === OwnershipState.UNKNOWN && loadBalancerClass);
  return isTaken ? typo : [...typo, { cause: 'no-controller', weight: SEEN, evidence: owner.because }];
}

const OF_OWNERS = ['service-without-controller', 'owner-ambiguous', 'owner-does-not-claim-service'];

/** A live Service without the finalizer that its owner adds first: the owner has not come so far. */
function hintsOfFinalizer({ service, owner }: StuckService): Hint[] {
  const kind = owner.controller && definitionOf(owner.controller);
  if (!kind || kind.finalizers.some((finalizer) => finalizersOf(service).includes(finalizer))) {
    return [];
  }
  const evidence = `finalizer ${kind.finalizers.join(' or ')} is missing, which ${kind.name} adds before it makes anything`;
  return PENDING_CAUSES.filter(({ beforeFinalizerOf = [] }) => beforeFinalizerOf.includes(kind.name)).map(({ id }) => ({
    cause: id,
    weight: USUAL,
    evidence,
  }));
}

function hintsOfDeletion(stuck: StuckService): Hint[] {
  const { errors, warnings, owner } = stuck;
  const finalizers = finalizersOf(stuck.service);
  const hint = (cause: string, weight: number) => (evidence: string) => ({ cause, weight, evidence });
  return [
    ...finalizers
      .filter((finalizer) => finalizer === FOREGROUND_FINALIZER)
      .map((finalizer) => `finalizer ${finalizer} is set`)
      .map(hint('foreground', finalizers.length === 1 ? SEEN + 1 : 0)),
    ...foreign(stuck)
      .map((finalizer) => ({ finalizer, who: finalizerFact(finalizer)?.who ?? 'a controller that is not known here' }))
      .map(
        ({ finalizer, who }) =>
          `finalizer ${finalizer} is removed by ${who}, and the owner of the balancer is ${owner.name ?? 'not known'}`,
      )
      .map(hint('foreign-finalizer', SEEN)),
    ...[...errors, ...warnings]
      .filter(({ ruleId }) => ruleId === PROTECTED)
      .map(inWords)
      .map(hint('deletion-protection', SEEN)),
    ...errors
      .filter(({ at }) => stepsOf(at).at(-1) === READ_FOR_DELETION)
      .map(inWords)
      .map(hint('manifest-refused', USUAL)),
  ];
}

function inWords({ what, ruleId }: LoadBalancerFinding): string {
  return `${what} (${ruleId})`;
}

function hintsOfPools({ objects = [] }: StuckService): Hint[] {
  const evidence = emptyPools(objects);
  return evidence ? [{ cause: 'address-pool', weight: SEEN, evidence }] : [];
}

function hintsOfPorts(stuck: StuckService): Hint[] {
  const { service, objects = [] } = stuck;
  const evidence = concerned(stuck)?.includes(SERVICE_LB) ? portConflict(service, objects) : undefined;
  return evidence ? [{ cause: 'host-port', weight: SEEN + 1, evidence }] : [];
}

const PROTECTED = 'deletion-protection-blocks-deletion';

/**
 * The finalizers that neither the owner nor a controller that runs here removes. Where it is not known what runs, a service
 * controller may: it adds its finalizer to Services of others as well.
 */
function foreign({ service, owner, controllers }: StuckService): string[] {
  const kinds = (controllers ?? (owner.controller ? [owner.controller] : [])).map(definitionOf);
  if (kinds.length === 0 || kinds.some((kind) => kind === undefined)) {
    return [];
  }
  const removed = [FOREGROUND_FINALIZER, ...(controllers ? [] : [LOAD_BALANCER_CLEANUP_FINALIZER])];
  return finalizersOf(service).filter(
    (finalizer) => !removed.includes(finalizer) && !kinds.some((kind) => kind && isRemovedBy(finalizer, kind)),
  );
}

// Reports about an object, and other evidence of a dump.

export interface ControllerReport {
  readonly from: 'event' | 'condition';
  readonly reason: string;
  readonly message: string;
  readonly at?: string;
}

const LONGEST = 400;

export function reportedInWords({ from, reason, message, at }: ControllerReport): string {
  const cut = message.length > LONGEST ? `${message.slice(0, LONGEST)}…` : message;
  const words = cut.replace(/\s+/g, ' ').trim();
  return printable(`${from} ${reason}${at ? ` at ${at}` : ''}${words && `: ${words}`}`);
}

/**
 * Reports about an object that still hold, the newest first: what goes before the last success is history, and for an
 * object that is being deleted also what goes before its deletion.
 */
export function reportedOf(object: Json, objects: readonly Json[]): ControllerReport[] {
  const { kind, metadata = {} } = object;
  const events = objects
    .filter((event) => event.kind === 'Event' && isAbout(event, kind, metadata))
    .map(eventOf)
    .sort((a, b) => compareTexts(b.at ?? '', a.at ?? ''));
  const success = events.findIndex(({ reason }) => (SUCCESSES as readonly string[]).includes(reason));
  const deleted = text(metadata.deletionTimestamp);
  const fresh = events
    .slice(0, success < 0 || deleted !== '' ? undefined : success)
    .filter(({ at, isWarning }) => isWarning && (deleted === '' || at === undefined || at >= deleted))
    .map(({ isWarning: _, ...event }) => event);
  return [...conditionsOf(object), ...fresh];
}

export function hasEvents({ kind, metadata = {} }: Json, objects: readonly Json[]): boolean {
  return objects.some((event) => event.kind === 'Event' && isAbout(event, kind, metadata));
}

function isAbout(event: Json, kind: string, { name, namespace, uid }: Json): boolean {
  const about = event.involvedObject ?? event.regarding;
  return (
    isMap(about) &&
    about.kind === kind &&
    about.name === name &&
    (about.namespace ?? event.metadata?.namespace) === namespace &&
    (about.uid === undefined || uid === undefined || about.uid === uid)
  );
}

function eventOf(event: Json): ControllerReport & { readonly isWarning: boolean } {
  const series = mapOf(event.series);
  const at = [series.lastObservedTime, event.lastTimestamp, event.eventTime, event.firstTimestamp]
    .map(text)
    .find(Boolean);
  return {
    from: 'event',
    reason: text(event.reason),
    message: text(event.message ?? event.note),
    ...(at !== undefined && { at }),
    isWarning: event.type !== 'Normal',
  };
}

function conditionsOf({ status }: Json): ControllerReport[] {
  return list<Json>(isMap(status) ? status.conditions : undefined)
    .filter((condition) => isMap(condition) && isWrong(condition))
    .map(({ type, reason, message, lastTransitionTime }) => ({
      from: 'condition' as const,
      reason: text(reason) || text(type),
      message: text(message),
      ...(text(lastTransitionTime) !== '' && { at: text(lastTransitionTime) }),
    }));
}

function isWrong({ type, status }: Json): boolean {
  const isBad = /Error$|^NotReady$|^Warning$|Failed$|Conflict/.test(text(type));
  return isBad ? status !== 'False' : status === 'False';
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function emptyPools(objects: readonly Json[]): string | undefined {
  const pools = objects.filter((object) => object.kind === METALLB_POOL && groupOf(object) === METALLB_GROUP);
  const isEmpty = ({ status }: Json) =>
    isMap(status) && status.availableIPv4 === 0 && (status.availableIPv6 === undefined || status.availableIPv6 === 0);
  return pools.length > 0 && pools.every(isEmpty)
    ? `no pool of these files has a free address: ${pools.map(namedIn).join(', ')}`
    : undefined;
}

export function controllersOfNodes(objects: readonly Json[]): readonly string[] | undefined {
  const ids = objects
    .filter(({ kind }) => kind === 'Node')
    .map((json) => providerIdOf({ json }))
    .filter((id) => id !== '');
  const isOf = (start: string) => ids.some((id) => id.startsWith(start));
  const known = CLOUDS.filter(({ providerId }) => isOf(providerId)).flatMap(({ own, others }) => [own, ...others]);
  const others = VENDOR_MARKS.filter(({ providerIds = [] }) => providerIds.some(isOf)).map(({ id }) => id);
  return ids.length === 0 ? undefined : [...known, METALLB_CONTROLLER, ...others];
}

/** Evidence of a node port that is taken: another Service without a class has it, and has an address. */
export function portConflict(service: Json, objects: readonly Json[]): string | undefined {
  const wanted = portsOf(service).map(portInWords);
  for (const other of objects) {
    const isSame =
      other.metadata?.name === service.metadata?.name && other.metadata?.namespace === service.metadata?.namespace;
    const isServed = wantsLoadBalancer(other) && listIn(mapIn(other.status, 'loadBalancer'), 'ingress').length > 0;
    const port =
      isServed && !isSame && classOf(other) === undefined
        ? portsOf(other)
            .map(portInWords)
            .find((one) => wanted.includes(one))
        : undefined;
    if (port !== undefined) {
      const { namespace } = mapIn(other, 'metadata');
      return `port ${port} is taken by Service ${typeof namespace === 'string' ? `${namespace}/` : ''}${namedIn(other)}, which has an address`;
    }
  }
  return undefined;
}

function portInWords({ port, protocol = 'TCP' }: Json): string {
  return `${port}/${protocol}`;
}

const COUNTED = 'services.loadbalancers';

export function fullQuota(namespace: unknown, objects: readonly Json[]): string | undefined {
  const full = objects.find(
    ({ kind, metadata, status }) =>
      kind === 'ResourceQuota' &&
      isMap(metadata) &&
      metadata.namespace === namespace &&
      isMap(status) &&
      isMap(status.hard) &&
      isMap(status.used) &&
      Number(textOrNumber(status.used[COUNTED])) >= Number(textOrNumber(status.hard[COUNTED])),
  );
  return full && `quota ${namedIn(full)} allows ${full.status.hard[COUNTED]} ${COUNTED}, and as many are used`;
}

function textOrNumber(value: unknown): string | number {
  return typeof value === 'string' || typeof value === 'number' ? value : Number.NaN;
}

function namedIn({ metadata }: Json): string {
  const { name } = mapOf(metadata);
  return typeof name === 'string' ? name : 'without a name';
}

import { type Edit, OUTCOMES, type Outcome } from '../contract/edit';
import { isSet, type Json, keysChanged, ownValue, printable } from '../contract/json';
import { HAND_OVER_PAGE } from '../contract/rule';
import { OwnershipState } from '../controllers/load-balancer-owner';
import { titleOf } from '../predicted/predicted';
import { editOfAnnotation, fieldEdit } from '../rules/edits-of-values';
import { Applied, annotationsOf, classOf, finalizersOf } from '../rules/service-json';
import { type Effect, textOf } from './effect';
import { effectsOfInstallation } from './installations';
import {
  declaredFinalizers,
  finalizersFor,
  installedOf,
  isStripped,
  kindOf,
  policyFor,
  queryCleanup,
  queryLifecycle,
  uninstalledOwner,
  writersOf,
} from './owners';
import type { Pair } from './pairs';
import { hasNoBalancer, isPruned, type SideBalancer, type Sides } from './side';
import { kindToAdd } from './sources';

const AT = { field: 'owner', path: ['metadata', 'annotations'] };

/** A balancer whose owner is another one, or none any more, while its class stays. */
export function ownerEffects({ before, after }: Pair, sides: Sides): Effect[] {
  if (!before || !after) {
    return [];
  }
  const isOther = before.owner !== after.owner || before.ownership !== after.ownership;
  const uninstalled = uninstalledEffect({ before, after }, sides);
  if (uninstalled) {
    return isOther && after.owner !== undefined ? [uninstalled, secondBalancer(before, after)] : [uninstalled];
  }
  if (!isOther || classOf(before.service) !== classOf(after.service) || isLeftRunning({ before, after }, sides)) {
    return [];
  }
  const words = {
    ...AT,
    ...(before.owner !== undefined && { from: before.owner }),
    ...(after.owner !== undefined && { to: after.owner }),
  };
  if (after.guess !== undefined || before.guess !== undefined) {
    return [unknownOwner({ ...words, ...annotationOf(before, after) }, { guess: after.guess ?? before.guess })];
  }
  if (hasNoBalancer(before)) {
    return after.owner === undefined
      ? []
      : [{ outcome: 'created', ...words, why: `${after.owner} claims it now, and makes a balancer for it` }];
  }
  if (before.owner === undefined && after.owner === undefined) {
    return after.ownership === OwnershipState.UNCLAIMED ? [unknownOwner(words, before)] : [];
  }
  if (before.owner === undefined) {
    return [unknownOwner(words, before)];
  }
  if ([before, after].some(isByWebhook)) {
    return []; // who gives a class to new Services leaves those that are there
  }
  const bySetting = after.owner === undefined ? effectsOfInstallation(before.owner, { before, after }, sides) : [];
  const isKnown = bySetting.some(({ outcome }) => outcome !== 'kept' && outcome !== 'unknown');
  return isKnown ? bySetting : [handOverEffect(before, after, { ...words, ...annotationOf(before, after) }, sides)];
}

/** True if what shows the owner is in no manifest any more, and stays in the cluster since nothing prunes it. */
function isLeftRunning(
  { before, after }: { readonly before: SideBalancer; readonly after: SideBalancer },
  sides: Sides,
): boolean {
  const { before: old, after: now } = sides;
  const shows = ({ controller }: { readonly controller: string }) => controller === before.owner;
  const isGone = after.owner === undefined && after.ownership === OwnershipState.UNKNOWN;
  return !isPruned(sides) && isGone && old.installs?.some(shows) === true && now.installs?.some(shows) !== true;
}

/** Whether another one owns it now, or nobody, for sure: what was made of it is the older owner's, whatever else is edited. */
export function isHandedOver(before: SideBalancer, after: SideBalancer): boolean {
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

/** Whether another one may own it now: the owner of one side is a guess, so that nothing is lost for sure. */
export function mayBeHandedOver(before: SideBalancer, after: SideBalancer): boolean {
  return before.owner !== after.owner && [before, after].some(({ guess }) => guess !== undefined);
}

function annotationOf(
  before: SideBalancer,
  after: SideBalancer,
): Pick<Effect, 'field' | 'path' | 'from' | 'to'> | undefined {
  const [key] = claimingAnnotations(before, after);
  return key === undefined
    ? undefined
    : {
        field: key,
        path: ['metadata', 'annotations', key],
        from: textOf(annotationsOf(before.service)[key]),
        to: textOf(annotationsOf(after.service)[key]),
      };
}

/** What the older owner's table says of the annotation by which it loses the Service. */
function editOf(before: SideBalancer, after: SideBalancer): Edit | undefined {
  const [key] = claimingAnnotations(before, after);
  const kind = kindOf(before);
  if (key === undefined || !kind?.catalogue.find(key)) {
    return undefined;
  }
  const [old, now] = [before, after].map(({ service }) => annotationsOf(service));
  const edited = { before: ownValue(old, key), after: ownValue(now, key), around: { before: old, after: now } };
  return editOfAnnotation(kind, key, { ...edited, objects: { before: before.service, after: after.service } });
}

function unknownOwner(
  words: Pick<Effect, 'field' | 'path' | 'from' | 'to'>,
  { unowned, guess }: Pick<SideBalancer, 'unowned' | 'guess'>,
): Effect {
  return {
    outcome: 'unknown',
    ...words,
    why:
      words.from !== undefined && words.from === words.to
        ? 'whether its owner still claims it is a guess, so what becomes of its balancer is not known'
        : 'who owns it is known on one side alone, so what becomes of its balancer is not',
    needs: [printable(unowned ?? guess ?? 'who owns it')],
  };
}

function handOverEffect(
  before: SideBalancer,
  after: SideBalancer,
  words: Pick<Effect, 'field' | 'path'>,
  sides: Sides,
): Effect {
  const remedy = `leave it as it is, and make a second Service for the other owner as ${HAND_OVER_PAGE} says`;
  if (after.ownership === OwnershipState.CONTESTED) {
    return {
      outcome: 'unknown',
      ...words,
      why: 'several controllers claim it now: they make two balancers, or write over each other',
      remedy,
      needs: [printable(after.unowned ?? 'one owner')],
    };
  }
  if (after.owner === undefined && after.ownership !== OwnershipState.UNCLAIMED) {
    return unknownOwner(words, after);
  }
  const now = policyFor(before, finalizersOf(after.service));
  const declared = declaredFinalizers(before, sides.before);
  const policy = declared === undefined ? now : policyFor(before, declared);
  const answer = queryCleanup(before, { change: 'annotation away', before: policy, after: now }, sides);
  const trace = answer?.trace ? { trace: answer.trace } : {};
  const by =
    after.owner === undefined
      ? 'no controller that is installed claims it any more'
      : `${after.owner} claims it now, and makes another balancer`;
  switch (answer?.outcome) {
    case undefined: {
      const edit = editOf(before, after);
      if (edit?.outcome === 'orphaned') {
        const { what, source } = edit;
        return { outcome: 'orphaned', ...words, why: `${by}: ${what}`, remedy, source };
      }
      const own = `whether ${before.owner} deletes its own`;
      return {
        outcome: after.owner === undefined ? 'unknown' : 'handed over',
        ...words,
        why: `${by}: ${own}, which no object leads to any more, is not known`,
        remedy,
        ...(after.owner === undefined && { needs: [own] }),
      };
    }
    case 'orphaned':
      return {
        outcome: 'orphaned',
        ...words,
        ...trace,
        why: `${by}: the one of ${before.owner} stays in the cloud with no object that leads to it`,
        remedy,
      };
    default:
      return {
        outcome: after.owner === undefined ? 'deleted' : 'handed over',
        ...words,
        ...trace,
        why: `${by}: the one of ${before.owner} is deleted with its address`,
        remedy,
      };
  }
}

/** Whether it is claimed by a class that is written into it when it is created. */
export function isByWebhook(balancer: SideBalancer): boolean {
  const kind = kindOf(balancer);
  return kind?.claim(balancer.service, installedOf(balancer)).byDefaultingTheClass === true;
}

/** What the next owner makes beside a balancer that has lost its own. */
function secondBalancer(before: SideBalancer, after: SideBalancer): Effect {
  return {
    outcome: 'handed over',
    ...AT,
    from: before.owner,
    to: after.owner,
    why: `${after.owner} claims it now, and makes a second balancer with another address`,
    remedy: `hand the Service over as ${HAND_OVER_PAGE} says, while ${before.owner} runs`,
  };
}

/** strimzi/strimzi-kafka-operator 0.36.0, operator-common, ServiceOperator.java (patchLoadBalancerClass) */
const COPIED_CLASS =
  'the operator takes the class of the live Service where the listener names none, so the class and the balancer stay';

/** A class that is added, removed or changed while the type stays. */
export function classEffects({ before, after }: Pair, sides: Sides): Effect[] {
  if (!before || !after) {
    return [];
  }
  const [from, to] = [classOf(before.service), classOf(after.service)];
  if (from === to || [before, after].some(({ service }) => service.spec?.type !== 'LoadBalancer')) {
    return [];
  }
  const base = {
    field: 'spec.loadBalancerClass',
    path: ['spec', 'loadBalancerClass'],
    ...(from !== undefined && { from: printable(from) }),
    ...(to !== undefined && { to: printable(to) }),
  };
  if (to === undefined && sides.before.isLive && !writersOf(after, sides).includes('put')) {
    const applied = new Applied(before.service);
    if (!applied.hasInSpec('loadBalancerClass')) {
      return applied.isKnown ? [] : [unknownClassWriter(base)];
    }
  }
  const source = fieldEdit('spec.loadBalancerClass', kindOf(before)).source;
  const maker = after.written.madeBy;
  if (to === undefined && maker !== undefined && writersOf(after, sides).every((writer) => writer === 'put')) {
    return [{ outcome: 'kept', ...base, notApplied: true, why: COPIED_CLASS }];
  }
  const second = kindToAdd(after.written.madeOf?.object);
  const answer = writersOf(after, sides).includes('recreate')
    ? queryLifecycle(before, { change: 'class changed' }, sides)
    : undefined;
  if (answer && answer.outcome !== 'refused') {
    return [
      {
        outcome: answer.outcome,
        ...base,
        why: 'the Service is deleted and created again to change its class: its balancer and its address go, and there is none meanwhile',
        remedy: `make a second ${second} with the other class, as ${HAND_OVER_PAGE} says`,
        source,
        ...(answer.trace && { trace: answer.trace }),
      },
    ];
  }
  // to make it again, as some tools do, is no way out
  const pending =
    to !== undefined && after.ownership === OwnershipState.UNCLAIMED
      ? '; made again with it, the Service has no controller that runs here, and loses its balancer'
      : '';
  const verb = from === undefined ? 'added to' : to === undefined ? 'taken from' : 'changed on';
  const waits = maker === undefined ? '' : ', at every reconciliation, and other changes of it wait behind that';
  return [
    {
      outcome: 'refused',
      ...base,
      why: `a class cannot be ${verb} a Service of type LoadBalancer: the API server refuses the update${waits}${pending}`,
      remedy: `leave the class, and make a second ${second} with the other one as ${HAND_OVER_PAGE} says`,
      source,
    },
  ];
}

/** A live class that no manifest shows may be a controller's, which apply leaves. */
function unknownClassWriter(base: Pick<Effect, 'field' | 'path'>): Effect {
  return {
    outcome: 'unknown',
    ...base,
    why: 'the manifest does not have the class of the live Service: apply leaves what it did not set, and is refused where it did',
    remedy: 'dump the Services with kubectl get --show-managed-fields, or write the class into the manifest',
    needs: ['who wrote the class'],
  };
}

/** The annotations by which a Service leaves its owner, or comes to the next one; none where it is something else. */
export function claimingAnnotations(before: SideBalancer, after: SideBalancer): string[] {
  const keys = keysChanged(annotationsOf(before.service), annotationsOf(after.service));
  const leaves = keys.filter((key) => isClaimed(before) && !isClaimed(before, key, after));
  const comes = keys.filter((key) => isClaimed(after) && !isClaimed(after, key, before));
  const both = leaves.filter((key) => comes.includes(key));
  return [both, leaves, comes].find(({ length }) => length > 0) ?? [];
}

/** The annotations without each of which its owner does not claim a Service. */
export function claimedBy(balancer: SideBalancer): string[] {
  const without = { ...balancer, service: {} };
  return Object.keys(annotationsOf(balancer.service)).filter((key) => !isClaimed(balancer, key, without));
}

/** Whether the owner claims its Service, with one annotation as it is on the other side. */
function isClaimed(balancer: SideBalancer, key?: string, other = balancer): boolean {
  const { service } = balancer;
  if (key === undefined) {
    return kindOf(balancer)?.claim(service, installedOf(balancer)).claimed === 'yes';
  }
  const { [key]: _, ...annotations } = annotationsOf(service);
  const value = annotationsOf(other.service)[key];
  const metadata = { ...service.metadata, annotations: { ...annotations, ...(isSet(value) && { [key]: value }) } };
  return kindOf(balancer)?.claim({ ...service, metadata }, installedOf(balancer)).claimed === 'yes';
}

/** What becomes of a balancer whose owner is taken away in the same change; nothing where it stays. */
export function uninstalledEffect(
  { before, after }: Pair & { readonly before: SideBalancer },
  sides: Sides,
): Effect | undefined {
  const uninstalled = uninstalledOwner(before, sides);
  if (!uninstalled || hasNoBalancer(before)) {
    return undefined;
  }
  const answer = queryLifecycle(before, { change: 'owner uninstalled' }, sides);
  const isLost = isStripped(before, sides.before) && finalizersOf(before.service).length === 0;
  const outcome = isLost ? 'orphaned' : answer ? worse(answer.outcome, answer.anyway) : withoutModel(before);
  const { install, isByPruning } = uninstalled;
  const place = install && {
    places: { before: { manifest: install.manifest, path: ['metadata', 'name'] } },
    from: printable(`${install.manifest.object.kind} ${titleOf(install.manifest.object)}`),
  };
  const gone = `${before.owner} is ${isByPruning ? 'in no manifest any more and goes with prune' : 'taken away in the same change'}`;
  return {
    outcome,
    field: 'controllers',
    path: ['spec', 'loadBalancerClass'],
    ...place,
    why: `${gone}: ${uninstalledSentence(outcome, after !== undefined)}`,
    remedy: `${firstStep(before.written.madeOf?.object, after !== undefined)}, and take ${before.owner} away last`,
    ...(answer?.trace && !isLost && { trace: answer.trace }),
  };
}

function firstStep(maker: Json | undefined, isListed: boolean): string {
  if (maker === undefined) {
    return isListed
      ? `hand the Service over first as ${HAND_OVER_PAGE} says`
      : 'delete the Service first, wait until it is gone';
  }
  const another = kindToAdd(maker);
  return isListed
    ? `add another ${another} first that another controller serves, move clients and DNS to it, take this ${another} out, wait until its Services are gone`
    : `make this change alone first, wait until the Services of the ${another} are gone`;
}

function worse(outcome: Outcome, anyway: Outcome = outcome): Outcome {
  return OUTCOMES.indexOf(anyway) < OUTCOMES.indexOf(outcome) ? anyway : outcome;
}

/** A finalizer that is left holds the Service, and without one the balancer stays behind. */
function withoutModel(before: SideBalancer): Outcome {
  const hasFinalizer = (kindOf(before)?.finalizers.length ?? 0) > 0 || finalizersFor(before).own.length > 0;
  return hasFinalizer ? 'stuck' : 'orphaned';
}

function uninstalledSentence(outcome: Outcome, isListed: boolean): string {
  const until = isListed ? 'nothing changes the balancer any more, and when the Service is deleted ' : '';
  switch (outcome) {
    case 'stuck':
      return `${until}${isListed ? 'it' : 'the Service'} stays in Terminating, because nothing removes the finalizer`;
    case 'orphaned':
      return `${until}the balancer stays in the cloud with no object that leads to it`;
    case 'deleted':
      return 'the address is gone with it';
    default:
      return 'nothing changes the balancer any more';
  }
}

import type { Edit } from '../contract/edit';
import { HAND_OVER_PAGE } from '../contract/hand-over';
import { ownValue } from '../contract/own-value';
import { printable } from '../contract/printable';
import { OwnershipState } from '../controllers/load-balancer-owner';
import { editOfAnnotation } from '../rules/edits-of-values';
import { annotationsOf, classOf, finalizersOf } from '../rules/service-json';
import { askCleanup, policyFor } from './ask-model';
import type { Cause } from './balancer-change';
import { claimingAnnotations } from './claiming-annotations';
import { hasNoBalancer } from './has-no-balancer';
import { declaredFinalizers } from './live-object';
import type { Matched } from './match';
import { installedOf, kindOf } from './owners';
import { textOf } from './said';
import type { SideBalancer, Sides } from './side';
import { uninstalledCause } from './uninstalled-cause';

const AT = { field: 'owner', path: ['metadata', 'annotations'] };

/** A balancer whose owner is another one, or none any more, while its class stays. */
export function ownerCauses({ before, after }: Matched, sides: Sides): Cause[] {
  if (!before || !after) {
    return [];
  }
  const isOther = before.owner !== after.owner || before.ownership !== after.ownership;
  const uninstalled = uninstalledCause({ before, after }, sides);
  if (uninstalled) {
    return isOther && after.owner !== undefined ? [uninstalled, beside(before, after)] : [uninstalled];
  }
  if (!isOther || classOf(before.service) !== classOf(after.service)) {
    return [];
  }
  const words = {
    ...AT,
    ...(before.owner !== undefined && { from: before.owner }),
    ...(after.owner !== undefined && { to: after.owner }),
  };
  if (after.guess !== undefined || before.guess !== undefined) {
    return [unknown({ ...words, ...annotationOf(before, after) }, { guess: after.guess ?? before.guess })];
  }
  if (hasNoBalancer(before)) {
    return after.owner === undefined
      ? []
      : [{ outcome: 'created', ...words, why: `${after.owner} claims it now, and makes a balancer for it` }];
  }
  if (before.owner === undefined && after.owner === undefined) {
    return after.ownership === OwnershipState.UNCLAIMED ? [unknown(words, before)] : [];
  }
  if (before.owner === undefined) {
    return [unknown(words, before)];
  }
  if ([before, after].some(isByWebhook)) {
    return []; // who gives a class to new Services leaves those that are there
  }
  return [handedOver(before, after, { ...words, ...annotationOf(before, after) }, sides)];
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

/** The annotation that decides who the owner is. */
function annotationOf(
  before: SideBalancer,
  after: SideBalancer,
): Pick<Cause, 'field' | 'path' | 'from' | 'to'> | undefined {
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

function unknown(
  words: Pick<Cause, 'field' | 'path'>,
  { unowned, guess }: Pick<SideBalancer, 'unowned' | 'guess'>,
): Cause {
  return {
    outcome: 'unknown',
    ...words,
    why: 'who owns it is known on one side alone, so what becomes of its balancer is not',
    needs: [printable(unowned ?? guess ?? 'who owns it')],
  };
}

function handedOver(
  before: SideBalancer,
  after: SideBalancer,
  words: Pick<Cause, 'field' | 'path'>,
  sides: Sides,
): Cause {
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
    return unknown(words, after);
  }
  const now = policyFor(before, finalizersOf(after.service));
  const declared = declaredFinalizers(before, sides.before);
  const policy = declared === undefined ? now : policyFor(before, declared);
  const answer = askCleanup(before, { change: 'annotation away', before: policy, after: now }, sides);
  const trace = answer?.trace ? { trace: answer.trace } : {};
  const by =
    after.owner === undefined
      ? 'no controller that is installed claims it any more'
      : `${after.owner} claims it now, and makes another balancer`;
  switch (answer?.outcome) {
    case undefined: {
      const edit = editOf(before, after);
      if (edit?.onEdit === 'orphans') {
        const { what, source } = edit;
        return { outcome: 'orphaned', ...words, why: `${by}: ${what}`, remedy, source };
      }
      return {
        outcome: after.owner === undefined ? 'orphaned' : 'handed over',
        ...words,
        why: `${by}: whether ${before.owner} deletes its own, which no object leads to any more, is not known`,
        remedy,
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
function isByWebhook(balancer: SideBalancer): boolean {
  const kind = kindOf(balancer);
  return kind?.claim(balancer.service, installedOf(balancer)).byDefaultingTheClass === true;
}

/** What the next owner makes beside a balancer that has lost its own. */
function beside(before: SideBalancer, after: SideBalancer): Cause {
  return {
    outcome: 'handed over',
    ...AT,
    from: before.owner,
    to: after.owner,
    why: `${after.owner} claims it now, and makes a second balancer with another address`,
    remedy: `hand the Service over as ${HAND_OVER_PAGE} says, while ${before.owner} runs`,
  };
}

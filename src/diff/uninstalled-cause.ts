import { HAND_OVER_PAGE } from '../contract/hand-over';
import type { Json } from '../contract/json';
import { printable } from '../contract/printable';
import { titleOf } from '../later/later';
import { finalizersOf } from '../rules/service-json';
import { askModel } from './ask-model';
import type { Cause } from './balancer-change';
import { hasNoBalancer } from './has-no-balancer';
import { isStripped } from './live-object';
import { anotherOf } from './made-remedies';
import type { Matched } from './match';
import { OUTCOMES, type Outcome } from './outcome';
import { finalizersFor, kindOf, uninstalledOwner } from './owners';
import type { SideBalancer, Sides } from './side';

/** What becomes of a balancer whose owner is taken away in the same change; nothing where it stays. */
export function uninstalledCause(
  { before, after }: Matched & { readonly before: SideBalancer },
  sides: Sides,
): Cause | undefined {
  const uninstalled = uninstalledOwner(before, sides);
  if (!uninstalled || hasNoBalancer(before)) {
    return undefined;
  }
  const answer = askModel(before, { change: 'owner uninstalled' }, sides);
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
    why: `${gone}: ${ends(outcome, after !== undefined)}`,
    remedy: `${firstOf(before.written.madeOf?.object, after !== undefined)}, and take ${before.owner} away last`,
    ...(answer?.trace && !isLost && { trace: answer.trace }),
  };
}

/** What to do before the owner is taken away. */
function firstOf(maker: Json | undefined, isListed: boolean): string {
  if (maker === undefined) {
    return isListed
      ? `hand the Service over first as ${HAND_OVER_PAGE} says`
      : 'delete the Service first, wait until it is gone';
  }
  const another = anotherOf(maker);
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

function ends(outcome: Outcome, isListed: boolean): string {
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

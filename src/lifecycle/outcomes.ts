import type { Outcome } from '../contract/edit';
import { BROKEN_SAYS, CHANGE_OUTCOME_SAYS } from './changes.facts';
import type { Actor } from './machine';
import { is, numberOf, PLACE } from './state';

export type Property = keyof typeof BROKEN_SAYS;
export const PROPERTIES = Object.keys(BROKEN_SAYS) as Property[];

const isMade = is('balancer', 'made');
const isLeft = (state: Uint8Array) => state[PLACE.leftover] > 0;
const isAbsent = is('object', 'absent');
const isLive = is('object', 'live');
const isDying = is('object', 'dying');
const ASKS_OWNER = [numberOf('asks', 'owner'), numberOf('asks', 'in vain')];
const asksOwner = (state: Uint8Array) => ASKS_OWNER.includes(state[PLACE.asks]);
const hasAddress = is('address', 'yes');
const isPromised = is('promised', 'yes');
const isIdle = is('owner', 'idle');
const runs = is('process', 'runs');
const OWN = PLACE.own;

const STRIPPERS: readonly Actor[] = ['writer', 'other controller'];

export function propertiesViolatedAtRest(state: Uint8Array): Property[] {
  const broken: Property[] = [];
  if (isLeft(state) || (isMade(state) && (isAbsent(state) || (isLive(state) && !asksOwner(state))))) {
    broken.push('orphan');
  }
  if (isDying(state)) {
    broken.push('hang');
  }
  if (isLive(state) && asksOwner(state) && runs(state) && !(isMade(state) && hasAddress(state))) {
    broken.push(isPromised(state) ? 'address-lost' : 'unserved');
  }
  if (runs(state) && !isIdle(state)) {
    broken.push('no-rest');
  }
  return broken;
}

export function lostProperty(state: Uint8Array): Property | undefined {
  return isPromised(state) && !isMade(state) ? 'address-lost' : undefined;
}

export function propertyViolatedByStep(actor: Actor, before: Uint8Array, after: Uint8Array): Property | undefined {
  return before[OWN] > 0 && after[OWN] === 0 && STRIPPERS.includes(actor) ? 'foreign-strip' : undefined;
}

export type ChangeOutcome = keyof typeof CHANGE_OUTCOME_SAYS;
export const CHANGE_OUTCOMES = Object.keys(CHANGE_OUTCOME_SAYS) as ChangeOutcome[];

/** The outcome as the public API names it. */
export function outcomeOf(end: ChangeOutcome): Outcome {
  return end === 'lost' ? 'deleted' : end === 'unfinished' ? 'refused' : end;
}

export function rank(outcome: ChangeOutcome): number {
  return CHANGE_OUTCOMES.indexOf(outcome);
}

const asksTheOwner = is('asks', 'owner');
const asksNothing = is('asks', 'nothing');

export function labelAtRest(state: Uint8Array, isAtRest: boolean): string | undefined {
  return isAtRest ? `${worthOf(state)} at ${state.join()}` : undefined;
}

/** Like `labelAtRest`, but also reports an address or a balancer that is lost on the way. */
export function labelOfTheServed(state: Uint8Array, isAtRest: boolean): string | undefined {
  if (!isAtRest && isPromised(state) && asksTheOwner(state)) {
    if (!isMade(state)) {
      return 'replaced';
    }
    return hasAddress(state) ? undefined : 'interrupted';
  }
  return labelAtRest(state, isAtRest);
}

export function finalLabel(state: Uint8Array, isAtRest: boolean): string | undefined {
  const outcome = isAtRest ? worthOf(state) : undefined;
  return outcome === 'orphaned' || outcome === 'stuck' ? outcome : undefined;
}

function worthOf(state: Uint8Array): ChangeOutcome {
  if (propertiesViolatedAtRest(state).includes('orphan')) {
    return 'orphaned';
  }
  if (isDying(state)) {
    return 'stuck';
  }
  if (isAbsent(state) || asksNothing(state)) {
    return 'deleted';
  }
  if (!asksOwner(state)) {
    return 'handed over';
  }
  if (!isMade(state)) {
    return 'lost';
  }
  return hasAddress(state) ? 'kept' : 'interrupted';
}

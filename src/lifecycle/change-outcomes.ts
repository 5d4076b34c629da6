import type { Outcome } from '../contract/edit';
import { brokenAtRest, is } from './properties';

export const CHANGE_OUTCOMES: readonly ChangeOutcome[] = [
  'orphaned',
  'stuck',
  'lost',
  'replaced',
  'interrupted',
  'unfinished',
  'handed over',
  'deleted',
  'refused',
  'kept',
];

/** An outcome; `lost` is a deletion and `unfinished` a refusal that nobody asked for. */
export type ChangeOutcome = Exclude<Outcome, 'unknown' | 'created'> | 'lost' | 'unfinished';

/** The outcome for the balancer, whether or not it was asked for. */
export function outcomeOf(end: ChangeOutcome): Outcome {
  return end === 'lost' ? 'deleted' : end === 'unfinished' ? 'refused' : end;
}

export const CHANGE_OUTCOME_SAYS: Readonly<Record<ChangeOutcome, string>> = {
  orphaned: 'the balancer stays in the cloud, and neither an object nor a queue will ever delete it',
  stuck: 'the Service stays in Terminating, because its finalizer is removed by no actor that runs',
  lost: 'the balancer is deleted although the Service still asks for one',
  replaced: 'the balancer is deleted and another is made: its address changes',
  interrupted: 'the balancer stays, and the status of the Service has no address meanwhile',
  unfinished: 'the actors never come to rest: what one of them writes is refused or taken back',
  'handed over': 'the balancer is deleted, and another controller is asked for one: its address changes',
  deleted: 'the balancer is deleted',
  refused: 'the API server refuses the change, and the balancer stays as it is',
  kept: 'the balancer stays, with its address',
};

export function rank(outcome: ChangeOutcome): number {
  return CHANGE_OUTCOMES.indexOf(outcome);
}

const isDying = is('object', 'dying');
const isAbsent = is('object', 'absent');
const asksOwner = is('asks', 'owner');
const asksNothing = is('asks', 'nothing');
const asksInVain = is('asks', 'in vain');
const isPromised = is('promised', 'yes');
const isMade = is('balancer', 'made');
const hasAddress = is('address', 'yes');

/** What a state is worth; a state of rest has a label of its own, for what follows it. */
export function labelAtRest(state: Uint8Array, isAtRest: boolean): string | undefined {
  return isAtRest ? `${worthOf(state)} at ${state.join()}` : undefined;
}

/** The same, with what is lost on the way for a Service that is to have its balancer. */
export function labelOfTheServed(state: Uint8Array, isAtRest: boolean): string | undefined {
  if (!isAtRest && isPromised(state) && asksOwner(state)) {
    if (!isMade(state)) {
      return 'replaced';
    }
    return hasAddress(state) ? undefined : 'interrupted';
  }
  return labelAtRest(state, isAtRest);
}

export function labelLater(state: Uint8Array, isAtRest: boolean): string | undefined {
  const outcome = isAtRest ? worthOf(state) : undefined;
  return outcome === 'orphaned' || outcome === 'stuck' ? outcome : undefined;
}

function worthOf(state: Uint8Array): ChangeOutcome {
  if (brokenAtRest(state).includes('orphan')) {
    return 'orphaned';
  }
  if (isDying(state)) {
    return 'stuck';
  }
  if (isAbsent(state) || asksNothing(state)) {
    return 'deleted';
  }
  if (!asksOwner(state) && !asksInVain(state)) {
    return 'handed over';
  }
  if (!isMade(state)) {
    return 'lost';
  }
  return hasAddress(state) ? 'kept' : 'interrupted';
}

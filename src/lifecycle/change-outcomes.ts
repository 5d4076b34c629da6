import { brokenAtRest, is } from './properties';

/** What comes of a change, the worst first. */
export const CHANGE_OUTCOMES = [
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
] as const;
export type ChangeOutcome = (typeof CHANGE_OUTCOMES)[number];

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

/** How bad an outcome is: the worst is 0. */
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

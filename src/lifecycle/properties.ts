import { type Field, numberOf, PLACE, type Value } from './state';
import type { Actor } from './transition';

/** What may be wrong with a life, the worst first. */
export const PROPERTIES = ['orphan', 'hang', 'address-lost', 'unserved', 'foreign-strip', 'no-rest'] as const;
export type Property = (typeof PROPERTIES)[number];

/** What each of them means, as a law. */
export const PROPERTY_SAYS: Readonly<Record<Property, string>> = {
  orphan: 'no balancer is left that neither an object nor a queue will ever delete',
  hang: 'no Service stays in Terminating because its finalizer is removed by no actor that runs',
  'address-lost': 'a published address stays as long as its Service asks for a load balancer',
  unserved: 'a Service that asks for a balancer has one, with its address',
  'foreign-strip': 'the finalizer of the owner is removed by the owner alone',
  'no-rest': 'the actors come to rest, with nothing half done',
};

export const is = <F extends Field>(field: F, value: Value<F>) => {
  const place = PLACE[field];
  const number = numberOf(field, value);
  return (state: Uint8Array): boolean => state[place] === number;
};

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

/** Whether a state breaks a property, where every actor is at rest. */
export function brokenAtRest(state: Uint8Array): Property[] {
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

/** Whether a state breaks a property although actors have things to do. */
export function brokenAtOnce(state: Uint8Array): Property | undefined {
  return isPromised(state) && !isMade(state) ? 'address-lost' : undefined;
}

export function brokenByStep(actor: Actor, before: Uint8Array, after: Uint8Array): Property | undefined {
  return before[OWN] > 0 && after[OWN] === 0 && STRIPPERS.includes(actor) ? 'foreign-strip' : undefined;
}

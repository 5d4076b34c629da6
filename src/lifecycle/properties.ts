import { type Field, numberOf, PLACE, type Value } from './state';
import type { Actor } from './transition';

/** What may be wrong with a life, the worst first. */
export const PROPERTIES = ['orphan', 'hang', 'address-lost', 'unserved', 'foreign-strip', 'no-rest'] as const;
export type Property = (typeof PROPERTIES)[number];

/** What has become of the balancer or the Service where each of them is broken. */
export const BROKEN_SAYS: Readonly<Record<Property, string>> = {
  orphan: 'orphaned: the balancer stays, and neither a Service nor a queue will ever delete it',
  hang: 'stuck: the Service stays in Terminating, because no actor that runs removes its finalizer',
  'address-lost': 'address lost: the Service still asks for a load balancer, and its published address is gone',
  unserved: 'unserved: the Service asks for a load balancer, and has none or no address',
  'foreign-strip': 'stripped: the finalizer of the owner was removed by another actor',
  'no-rest': 'unsettled: the actors never come to rest, or leave something half done',
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

import type { Json } from '../contract/json';
import { printable } from '../contract/printable';
import { isKafka } from '../later/kafka-maker';
import { titleOf } from '../later/later';
import type { Outcome } from './outcome';

// What to do about a balancer whose Service an operator or a controller writes: nobody else can keep that Service, or make another one.

/** What to do instead of a change of what makes a Service, by what would happen. */
export function madeRemedy(outcome: Outcome, maker: Json): string | undefined {
  const another = anotherOf(maker);
  switch (outcome) {
    case 'orphaned':
      return 'leave it as it is';
    case 'replaced':
      return `add another ${another} with the new value, move clients and DNS to it, then take this one out`;
    case 'refused':
      return `take it back, and add another ${another} with the new value where it is needed`;
    case 'interrupted':
      return 'make the change when clients can reconnect';
    case 'kept':
      return `take it back, or add another ${another} where the new value is needed`;
    default:
      return undefined;
  }
}

/** What a second balancer is made of: a Service, unless something makes it. */
export function anotherOf(maker: Json | undefined): string {
  return maker === undefined ? 'Service' : isKafka(maker) ? 'listener' : printable(String(maker.kind));
}

/** What keeps a balancer that what makes it lets go, or that goes with what makes it. */
export function remedyToKeep(maker: Json, isMakerOn: boolean): string {
  const by = printable(`${maker.kind} ${titleOf(maker)}`);
  return isMakerOn
    ? `leave ${by} as it is until no client uses the address`
    : `keep ${by} until no client uses its balancers, and leave their controller running until they are gone`;
}

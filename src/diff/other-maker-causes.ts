import { printable } from '../contract/printable';
import { titleOf } from '../later/later';
import { askModel } from './ask-model';
import type { Cause } from './balancer-change';
import { hasNoBalancer } from './has-no-balancer';
import { type Matched, NAME } from './match';
import { isOn } from './objects-on-side';
import type { SideBalancer, Sides } from './side';

/** A Service of one name that is made by another one than before: who made it deletes it, and it is made again. */
export function otherMakerCauses({ before, after }: Matched, sides: Sides): Cause[] {
  if (!before || !after || sides.before.isLive || hasNoBalancer(before)) {
    return [];
  }
  const [old, now] = [makerOf(before), makerOf(after)];
  const { prune } = sides.options;
  const maker = before.written.madeOf;
  const byPruning = maker === undefined || !isOn(sides.after, maker.object);
  if (old === now || (byPruning && prune === false)) {
    return [];
  }
  const answer = askModel(before, { change: 'deleted and created again' }, sides);
  const outcome = answer?.outcome === 'orphaned' || answer?.outcome === 'stuck' ? answer.outcome : 'replaced';
  const [from, to] = [old, now].map((one) => printable(one ?? 'a manifest'));
  const when = byPruning && prune === undefined ? 'with prune it' : 'it';
  return [
    {
      outcome,
      field: 'metadata.name',
      path: NAME,
      from,
      to,
      why: `${to} makes it in place of ${from}: ${when} is deleted with its address and made again with another one`,
      remedy: 'give the new one another name, and take the old one out when clients have moved',
      ...(answer?.trace && { trace: answer.trace }),
    },
  ];
}

/** What makes it: what it is made for may change, and it stays the same Service. */
function makerOf({ written: { madeOf } }: SideBalancer): string | undefined {
  return madeOf && `${madeOf.object.kind} ${titleOf(madeOf.object)}`;
}

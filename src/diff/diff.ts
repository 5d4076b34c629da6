import { type BalancerChange, type Cause, titleOfChange } from './balancer-change';
import { bindingChanges } from './binding-changes';
import type { DiffOptions } from './diff-options';
import { fieldCauses } from './field-causes';
import { forced } from './forced';
import { gatewayChanges } from './gateway-changes';
import { heldBack } from './held-back';
import { lifeCauses } from './life-causes';
import { type Matched, matched } from './match';
import { OUTCOMES, worstOf } from './outcome';
import type { Side, Sides } from './side';
import { versionCauses } from './version-causes';

/** What a change does to every balancer of two sides, worst first. */
export function diffOf(before: Side, after: Side, options: DiffOptions = {}): BalancerChange[] {
  const sides = { before, after, options };
  return [
    ...matched(before, after).map((pair) => changeOf(pair, sides)),
    ...gatewayChanges(sides).map(worstFirst),
    ...bindingChanges(sides).map(worstFirst),
  ].sort(byWeight);
}

function changeOf(pair: Matched, sides: Sides): BalancerChange {
  const found = [
    ...heldBack(lifeCauses(pair, sides), pair, sides),
    ...fieldCauses(pair, sides),
    ...versionCauses(pair, sides),
  ];
  const { before, after, movedTo, movedFrom } = pair;
  const all = forced(found, pair, sides);
  const isRefused = !before && all.some(({ outcome }) => outcome === 'refused');
  // what is refused does not come
  const causes = isRefused ? all.filter(({ outcome }) => outcome !== 'created') : all;
  return worstFirst({
    ...{ before, after, movedTo, movedFrom, causes },
    outcome: worstOf(causes.map(({ outcome }) => outcome)),
  });
}

/** A change with its causes in order. */
export function worstFirst(change: BalancerChange): BalancerChange {
  const causes = change.causes
    .map(plainly)
    .sort((one, other) => OUTCOMES.indexOf(one.outcome) - OUTCOMES.indexOf(other.outcome));
  return { ...change, causes };
}

/** What is needed is said after `needs`. */
function plainly(cause: Cause): Cause {
  return cause.needs ? { ...cause, needs: cause.needs.map((need) => need.replace(/^needs /, '')) } : cause;
}

/** Worst first, those of one weight by their titles. */
export function byWeight(one: BalancerChange, other: BalancerChange): number {
  const weight = OUTCOMES.indexOf(one.outcome) - OUTCOMES.indexOf(other.outcome);
  const [title, another] = [titleOfChange(one), titleOfChange(other)];
  return weight !== 0 ? weight : title < another ? -1 : title > another ? 1 : 0;
}

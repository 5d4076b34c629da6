import { defined } from '../contract/json';
import { type BalancerChange, type Cause, titleOfChange } from './balancer-change';
import type { LoadBalancerChange, LoadBalancerChangeCause } from './load-balancer-change';
import { LoadBalancerOutcome } from './load-balancer-outcome';
import type { Outcome } from './outcome';
import type { SideBalancer } from './side';

const OUTCOME_OF = new Map<Outcome, LoadBalancerOutcome>(
  Object.values(LoadBalancerOutcome).map((each) => [each, each]),
);

/** A change as users see it. */
export function publicChange(change: BalancerChange): LoadBalancerChange {
  const { before, after, outcome, causes } = change;
  const balancer = after ?? before;
  return defined({
    outcome: publicOutcomeOf(outcome),
    service: balancer?.id ?? '',
    title: titleOfChange(change),
    ownerBefore: before?.owner,
    ownerAfter: after?.owner,
    path: balancer && placeOf(balancer),
    causes: causes.map(publicCause),
  }) as LoadBalancerChange;
}

/** A cause as users see it. */
export function publicCause({
  outcome,
  field,
  from,
  to,
  why,
  condition,
  whom,
  lasts,
  remedy,
  notApplied,
  trace,
  needs,
}: Cause): LoadBalancerChangeCause {
  return defined({
    outcome: publicOutcomeOf(outcome),
    field,
    before: from,
    after: to,
    why: condition === undefined ? why : `if ${condition}, ${why}`,
    whom,
    lasts,
    remedy,
    notApplied,
    trace,
    needs: needs && [...needs],
  }) as LoadBalancerChangeCause;
}

/** The construct path, or the file with the line. */
export function placeOf({ written: { file, line } }: SideBalancer): string {
  return line > 0 ? `${file}:${line}` : file;
}

function publicOutcomeOf(outcome: Outcome): LoadBalancerOutcome {
  return OUTCOME_OF.get(outcome) ?? LoadBalancerOutcome.UNKNOWN;
}

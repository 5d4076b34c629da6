import type { Outcome } from '../../contract/outcome';
import { type BalancerChange, type Effect, titleOfChange } from '../../diff/effect';
import { hasNoBalancer, type SideBalancer } from '../../diff/side';
import { listenersIn } from '../../report/listeners';
import type { BalancerToReport } from '../../report/report-options';
import { classOf } from '../../rules/service-json';
import { SHARED_CLASS } from '../../tenancy/tenancy.facts';
import { balancerOfGateway } from '../gateway-balancers';
import type { DiffedSide } from './sides';

/** What is paid for on one side in the place of a change: a balancer, nothing, or what is not known and why. */
export type Paid = PaidBalancer | 'nothing' | Unpriced;

/** A balancer with what its price is made with. */
export interface PaidBalancer extends Pick<BalancerToReport, 'owner' | 'namespace' | 'name' | 'tenant'> {
  readonly made: NonNullable<BalancerToReport['made']>;
  readonly ports: ReturnType<typeof listenersIn>;
}

/**
 * Why there is no price.
 *
 * - `not counted`: it is not known what is made
 * - `not clear`: it is not known whether it is there
 * - `can stay`: it can stay in the cloud with no object that leads to it
 * - `decides`: it is no balancer, and decides of some
 */
export type Unpriced = 'not counted' | 'not clear' | 'can stay' | 'decides';

/** What is paid for before and after a change, by what becomes of the balancer. */
export interface PaidChange {
  readonly title: string;
  readonly outcome: Outcome;
  readonly before: Paid;
  /** What stays behind is beside what takes its place. */
  readonly after: readonly Paid[];
}

/** What is paid for on both sides of a difference. */
export function paidIn(before: DiffedSide, after: DiffedSide, changes: readonly BalancerChange[]): PaidChange[] {
  return changes
    .filter((change) => ![change.before, change.after].some((one) => one && classOf(one.service) === SHARED_CLASS))
    .map((change) => paidChange(change, { before, after }));
}

function paidChange(
  change: BalancerChange,
  sides: { readonly before: DiffedSide; readonly after: DiffedSide },
): PaidChange {
  const { outcome, before, after, effects: causes } = change;
  const title = titleOfChange(change);
  const old = before === undefined ? 'nothing' : paidFor(before, sides.before);
  const now = after === undefined ? 'nothing' : paidFor(after, sides.after);
  switch (outcome) {
    case 'kept':
      return { title, outcome, before: old, after: [after && !causes.some(isAsMade) ? now : old] };
    case 'refused':
      return { title, outcome, before: old, after: [old] };
    case 'orphaned':
    case 'stuck':
      return { title, outcome, before: old, after: [now, 'can stay'] };
    case 'unknown':
      return { title, outcome, ...unclear(before && old, after && now) };
    default:
      return { title, outcome, before: old, after: [now] };
  }
}

/** Whether the live balancer goes on with what was written of it before. */
function isAsMade({ staysAsMade }: Effect): boolean {
  return staysAsMade === true;
}

/** What one side alone shows may be on the other one as well; what both have alike is paid for whatever becomes of it. */
function unclear(old: Paid | undefined, now: Paid | undefined): Pick<PaidChange, 'before' | 'after'> {
  if (old === undefined) {
    return { before: now !== undefined && isPriced(now) ? 'not clear' : 'nothing', after: [now ?? 'nothing'] };
  }
  const isKnown = now === undefined ? !isPriced(old) : old === now || areAlike(old, now);
  return { before: old, after: [isKnown ? (now ?? old) : 'not clear'] };
}

/** Whether there is a balancer that has a price, or none of its vendor. */
export function isPriced(paid: Paid): paid is PaidBalancer {
  return typeof paid !== 'string';
}

function paidFor(balancer: SideBalancer, { reported, files }: DiffedSide): Paid {
  if (balancer.isBinding || hasNoBalancer(balancer)) {
    return 'nothing';
  }
  const nlb = files.later.nlbs?.find(({ gateway }) => gateway.object === balancer.service);
  const known = nlb ? balancerOfGateway(nlb) : reported.get(balancer);
  if (!known) {
    return 'decides';
  }
  const { made, owner, namespace, name, tenant, service } = known;
  return made
    ? { made, owner, namespace, name, ports: listenersIn(service), ...(tenant === undefined ? {} : { tenant }) }
    : 'not counted';
}

function areAlike(one: Paid, other: Paid): boolean {
  return isPriced(one) && isPriced(other) && JSON.stringify(one) === JSON.stringify(other);
}

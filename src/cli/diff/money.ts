import type { Outcome } from '../../contract/edit';
import { printable } from '../../contract/json';
import { count } from '../../contract/rule';
import { type Bill, billOf, differenceOf } from '../../cost/bill';
import type { BillOptions } from '../../cost/charges';
import { type BalancerChange, titleOfChange } from '../../diff/effect';
import { hasNoBalancer, type SideBalancer } from '../../diff/side';
import { listenersIn } from '../../report/make-report';
import type { BalancerToReport } from '../../report/paths';
import { classOf } from '../../rules/service-json';
import { SHARED_CLASS } from '../../tenancy/tenancy.facts';
import { balancerOfGateway } from '../balancers';
import type { Both, DiffedSide } from './sides';

/** Monthly cost of the compared balancers before and after; undefined if no vendor bills any of them. */
export function moneyOf({ before, after }: Both, changes: readonly BalancerChange[], prune?: boolean) {
  const options = optionsOf(before, after);
  const paid = changes
    .filter((change) => ![change.before, change.after].some((one) => one && classOf(one.service) === SHARED_CLASS))
    .map((change) => paidChange(change, { before, after }));
  const old = paidSide(before, paid, (change) => [change.before], options);
  const now = paidSide(after, paid, (change) => change.after, options);
  if (old.bill.lines.length + now.bill.lines.length === 0) {
    return undefined;
  }
  const unknown = [
    ...new Set([...[old, now].flatMap(uncountedIn), ...[old, now].flatMap(({ bill }) => bill.needs).map(needInWords)]),
  ];
  const { text, isKnown, ...difference } = inWords(old, now, paid, options);
  const isAllKnown = isKnown && unknown.length === 0;
  const brief = isAllKnown ? perMonth(now.bill, old.bill) : difference.brief;
  const left = prune === undefined ? changes.filter(isPruned).map((one) => paidFor(one.before, before)) : [];
  const more = left.some(isPriced) ? `; without pruning ${billOf(left.filter(isPriced), options).amounts} more` : '';
  return { text: text + more, brief: brief + more, isKnown: isAllKnown, unknown: unknown.map(printable) };
}

/** True if a Service is gone from the manifests: without prune it stays with its balancer. */
function isPruned(change: BalancerChange): change is BalancerChange & { readonly before: SideBalancer } {
  const { before, after, outcome, effects } = change;
  const isRemoved = outcome === 'deleted' || outcome === 'replaced';
  const isNamed = effects.some(({ field, places }) => field === 'metadata.name' && places === undefined);
  return before !== undefined && before.written.madeOf === undefined && !after && isRemoved && isNamed;
}

function perMonth(now: Bill, old: Bill): string {
  const { amounts, brief, changes } = differenceOf(old, now);
  const [currency, ...others] = amounts.currencies;
  if (changes.length === 0 || currency !== 'USD' || others.length > 0) {
    return brief;
  }
  const dollars = amounts.in(currency).toCents();
  return dollars.startsWith('-') ? `-$${dollars.slice(1)}` : `+$${dollars}`;
}

type PaidSide = ReturnType<typeof paidSide>;

function paidSide(
  { side: { name, gaps } }: DiffedSide,
  paid: readonly PaidChange[],
  on: (change: PaidChange) => readonly Paid[],
  options: BillOptions,
) {
  return {
    name,
    bill: billOf(paid.flatMap(on).filter(isPriced), options),
    hasGaps: gaps.length > 0,
    unpriced: paid.flatMap((change) =>
      on(change).flatMap((why) => (isUnpriced(why) ? [{ title: change.title, why }] : [])),
    ),
  };
}

function inWords(old: PaidSide, now: PaidSide, paid: readonly PaidChange[], options: BillOptions) {
  const whole = differenceOf(old.bill, now.bill);
  const isOpen = ({ before, after }: PaidChange) => [before, ...after].some(isUnpriced);
  const open = paid.filter(isOpen);
  const isLess = old.hasGaps !== now.hasGaps || open.some(({ outcome }) => outcome !== 'kept');
  if (!isLess && (open.length === 0 || whole.changes.length === 0)) {
    return whole;
  }
  const known = paid.filter((change) => !isOpen(change));
  const [one, other] = [known.map(({ before }) => before), known.flatMap(({ after }) => after)].map((all) =>
    billOf(all.filter(isPriced), options),
  );
  const changes = differenceOf(one, other).changes.map(({ text }) => text);
  const sums = `${sumOf(old)} -> ${sumOf(now)}`;
  return { text: changes.length > 0 ? `${sums}: ${changes.join(' ')}` : sums, brief: sums, isKnown: false };
}

function sumOf({ bill: { amounts, lines }, unpriced, hasGaps }: PaidSide): string {
  const isWhole = unpriced.length === 0 && !hasGaps && lines.every(({ missing }) => missing.length === 0);
  const isNothing = lines.every(({ terms }) => terms.length === 0);
  return isWhole ? String(amounts) : isNothing ? 'not known' : `at least ${amounts}`;
}

function uncountedIn({ name, hasGaps, unpriced }: PaidSide): string[] {
  const of = (reason: Unpriced) => unpriced.filter(({ why }) => why === reason);
  const [uncounted, open, staying] = [of('not counted'), of('not clear'), of('can stay')].map(({ length }) => length);
  const notCounted = (number: number) => `${count(number, 'balancer')} of ${name} not counted`;
  const them = open === 1 ? 'it' : 'them';
  return [
    ...(hasGaps ? [`what of ${name} cannot be read`] : []),
    ...(uncounted > 0 ? [notCounted(uncounted)] : []),
    ...(open > 0 ? [`${notCounted(open)}, for what becomes of ${them} is unknown`] : []),
    ...(staying > 0 ? [`for how long ${count(staying, 'balancer')} that can stay behind will be billed`] : []),
    ...of('decides').map(({ title }) => `what ${title} does to balancers`),
  ];
}

function needInWords({ what, remedy, value }: Bill['needs'][number]): string {
  return `${what}; ${remedy}${value === 'zones' ? ' as budget.zones in load-balancers.yaml' : ''}`;
}

function optionsOf(before: DiffedSide, after: DiffedSide): BillOptions {
  const [old, now] = [before, after].map(({ files }) => files.context);
  const budget = now.budget ?? old.budget;
  const pools = now.nodePools ?? old.nodePools ?? {};
  const zones = new Set(Object.values(pools).flatMap((pool) => pool.zones));
  return {
    zones: budget?.zones ?? (zones.size > 0 ? zones.size : undefined),
    region: now.region ?? old.region,
    gbPerMonth: budget?.gbPerMonth,
    active: budget?.connections,
  };
}

type Paid = PaidBalancer | 'nothing' | Unpriced;

interface PaidBalancer extends Pick<BalancerToReport, 'owner' | 'namespace' | 'name' | 'tenant'> {
  readonly made: NonNullable<BalancerToReport['made']>;
  readonly ports: ReturnType<typeof listenersIn>;
}

/**
 * Reason why there is no price.
 *
 * - `not counted`: it is not known what is made
 * - `not clear`: it is not known whether it is there
 * - `can stay`: it can stay in the cloud with no object that leads to it
 * - `decides`: it is no balancer, and decides of some
 */
type Unpriced = 'not counted' | 'not clear' | 'can stay' | 'decides';

interface PaidChange {
  readonly title: string;
  readonly outcome: Outcome;
  readonly before: Paid;
  readonly after: readonly Paid[];
}

function paidChange(change: BalancerChange, sides: Both): PaidChange {
  const { outcome, before, after, effects } = change;
  const old = before === undefined ? 'nothing' : paidFor(before, sides.before);
  // a Service that its operator leaves as it is has no other prediction
  const now = after === undefined ? 'nothing' : after === before ? old : paidFor(after, sides.after);
  const paid = { title: titleOfChange(change), outcome, before: old };
  switch (outcome) {
    case 'kept':
      return { ...paid, after: [after && !effects.some(({ staysAsMade }) => staysAsMade === true) ? now : old] };
    case 'refused':
      return { ...paid, after: [old] };
    case 'orphaned':
    case 'stuck':
      return { ...paid, after: [now, 'can stay'] };
    case 'unknown':
      return { ...paid, ...unclear(before && old, after && now) };
    default:
      return { ...paid, after: [now] };
  }
}

/** Context of one side may hold on the other one as well; what both have alike is paid for whatever becomes of it. */
function unclear(old: Paid | undefined, now: Paid | undefined): Pick<PaidChange, 'before' | 'after'> {
  if (old === undefined) {
    return { before: now !== undefined && isPriced(now) ? 'not clear' : 'nothing', after: [now ?? 'nothing'] };
  }
  const isKnown = now === undefined ? !isPriced(old) : JSON.stringify(old) === JSON.stringify(now);
  return { before: old, after: [isKnown ? (now ?? old) : 'not clear'] };
}

function isPriced(paid: Paid): paid is PaidBalancer {
  return typeof paid !== 'string';
}

function isUnpriced(paid: Paid): paid is Unpriced {
  return typeof paid === 'string' && paid !== 'nothing';
}

function paidFor(balancer: SideBalancer, { reported, files }: DiffedSide): Paid {
  if (balancer.isBinding || hasNoBalancer(balancer)) {
    return 'nothing';
  }
  const nlb = files.later.nlbs?.find(({ gateway }) => gateway.object === balancer.service);
  // one that is reconciled has what the live one has beside its prediction
  const ofOther = () => [...reported].find(([{ written }]) => written === balancer.written)?.[1];
  const known = nlb ? balancerOfGateway(nlb) : (reported.get(balancer) ?? ofOther());
  if (!known) {
    return 'decides';
  }
  const { namespace, name, tenant } = known;
  // a reconciled balancer has what the live one has beside its prediction
  const { made, owner = known.owner, service } = nlb ? known : balancer;
  return made ? { made, owner, namespace, name, ports: listenersIn(service), tenant } : 'not counted';
}

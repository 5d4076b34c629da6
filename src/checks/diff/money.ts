import { count, printable } from '../../contract/printable';
import { type Bill, billOf } from '../../cost/bill';
import type { BillOptions } from '../../cost/charge';
import { differenceOf } from '../../cost/difference';
import type { BalancerChange } from '../../diff/effect';
import type { ReportedMoney } from './diff-report';
import { isPriced, type Paid, type PaidChange, paidIn, type Unpriced } from './paid-balancers';
import type { DiffedSide } from './sides';

/** One side of a difference, with what is paid for there. */
interface PaidSide {
  readonly name: string;
  readonly bill: Bill;
  readonly hasGaps: boolean;
  /** Of each change what has no price. */
  readonly unpriced: readonly { readonly title: string; readonly why: Unpriced }[];
}

/** What the balancers that are compared cost a month before and after, by what becomes of each; nothing where no vendor bills any of them. */
export function moneyOf(
  before: DiffedSide,
  after: DiffedSide,
  changes: readonly BalancerChange[],
): ReportedMoney | undefined {
  const options = optionsOf(before, after);
  const paid = paidIn(before, after, changes);
  const old = paidSide(before, paid, (change) => [change.before], options);
  const now = paidSide(after, paid, (change) => change.after, options);
  if (old.bill.lines.length + now.bill.lines.length === 0) {
    return undefined;
  }
  const unknown = [...new Set([...[old, now].flatMap(uncountedIn), ...[old, now].flatMap(needsOf)])];
  const { text, isKnown } = inWords(old, now, paid, options);
  const isAllKnown = isKnown && unknown.length === 0;
  const brief = isAllKnown ? perMonth(now.bill, old.bill) : text.replace(/:.*$/s, '');
  return { text, brief, isKnown: isAllKnown, unknown: unknown.map(printable) };
}

/** `+$42.34 a month` */
function perMonth(now: Bill, old: Bill): string {
  const { amounts, text } = differenceOf(old, now);
  const [, sign, dollars] = /^USD (-?)([\d.]+)$/.exec(String(amounts)) ?? [];
  return dollars === undefined || text === 'no difference'
    ? text.replace(/:.*$/s, '')
    : `${sign || '+'}$${dollars} a month`;
}

function paidSide(
  { side: { name, gaps } }: DiffedSide,
  paid: readonly PaidChange[],
  on: (change: PaidChange) => readonly Paid[],
  options: BillOptions,
): PaidSide {
  return {
    name,
    bill: billOf(paid.flatMap(on).filter(isPriced), options),
    hasGaps: gaps.length > 0,
    unpriced: paid.flatMap((change) =>
      on(change).flatMap((one) => (isPriced(one) || one === 'nothing' ? [] : [{ title: change.title, why: one }])),
    ),
  };
}

/** The sums of both sides, and the terms of what is known on both. */
function inWords(
  old: PaidSide,
  now: PaidSide,
  paid: readonly PaidChange[],
  options: BillOptions,
): { readonly text: string; readonly isKnown: boolean } {
  const whole = differenceOf(old.bill, now.bill);
  const open = paid.filter(({ before, after }) => [before, ...after].some(isUnpriced));
  const isLess = old.hasGaps !== now.hasGaps || open.some(({ outcome }) => outcome !== 'kept');
  if (!isLess && (open.length === 0 || whole.changes.length === 0)) {
    return whole;
  }
  const known = paid.filter((change) => !open.includes(change));
  const [one, other] = [known.map(({ before }) => before), known.flatMap(({ after }) => after)].map((all) =>
    billOf(all.filter(isPriced), options),
  );
  const { changes } = differenceOf(one, other);
  const sums = `${sumOf(old)} -> ${sumOf(now)}`;
  return {
    text: [sums, ...(changes.length > 0 ? [changes.map(({ text }) => text).join(' ')] : [])].join(': '),
    isKnown: false,
  };
}

function isUnpriced(paid: Paid): boolean {
  return !isPriced(paid) && paid !== 'nothing';
}

/** `USD 98.55`; where something of it is not known, what it is at least. */
function sumOf({ bill: { amounts, lines }, unpriced, hasGaps }: PaidSide): string {
  const isWhole = unpriced.length === 0 && !hasGaps && lines.every(({ missing }) => missing.length === 0);
  const isNothing = lines.every(({ terms }) => terms.length === 0);
  return isWhole ? String(amounts) : isNothing ? 'not known' : `at least ${amounts}`;
}

/** Why a side has no sum, a clause each. */
function uncountedIn({ name, hasGaps, unpriced }: PaidSide): string[] {
  const of = (reason: Unpriced) => unpriced.filter(({ why }) => why === reason);
  const [uncounted, open, staying] = [of('not counted'), of('not clear'), of('can stay')].map(({ length }) => length);
  return [
    ...(hasGaps ? [`what of ${name} cannot be read`] : []),
    ...(uncounted > 0 ? [`${count(uncounted, 'balancer')} of ${name} not counted`] : []),
    ...(open > 0
      ? [
          `${count(open, 'balancer')} of ${name} not counted, for what becomes of ${open === 1 ? 'it' : 'them'} is unknown`,
        ]
      : []),
    ...(staying > 0 ? [`for how long ${count(staying, 'balancer')} that can stay behind will be billed`] : []),
    ...of('decides').map(({ title }) => `what ${title} does to balancers`),
  ];
}

/** What must be known for all terms to be counted. */
function needsOf({ bill }: PaidSide): string[] {
  return bill.needs.map(
    ({ what, remedy, value }) =>
      `${what}; ${remedy}${value === 'zones' ? ' as budget.zones in load-balancers.yaml' : ''}`,
  );
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

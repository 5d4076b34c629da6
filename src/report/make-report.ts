import { ownValue } from '../contract/json';
import type { Finding } from '../contract/rule';
import { compareTexts } from '../cost/balancers';
import { type Bill, type BillPart, billOf } from '../cost/bill';
import { LIMIT_RULES, type LimitContext } from '../cost/limits';
import { pricesOlderThan } from '../cost/price-list';
import { type QuotaUses, quotaUseOf } from '../cost/quota-use';
import { savedBy } from '../cost/sharing';
import { type Judgement, RuleSet } from '../rules/rule-set';
import { isUnknown } from '../traffic/fraction';
import { ReportedCluster } from './cluster';
import { NEEDS_CLUSTER, pathGroupsOf } from './paths';
import { type PricedBalancers, pricedBalancers } from './priced-balancers';
import { type Report, type ReportedOwner, withoutDetails } from './report';
import type { BalancerToReport, ReportOptions } from './report-options';

export function makeReport(balancers: readonly BalancerToReport[], options: ReportOptions = {}): Report {
  const cluster = new ReportedCluster(options.objects ?? []);
  const groups = pathGroupsOf(balancers, cluster, options);
  const priced = pricedBalancers(groups, cluster, options);
  const bill = billOf(priced.billed, priced.options);
  const uses = quotaUseOf(priced.billed, priced.options);
  return {
    balancers: balancers.map(({ controller: _, ...reported }) => reported),
    owners: ownersOf(balancers, priced, bill, uses),
    paths: groups.map(({ row }) => row),
    bill,
    ...monthOf(bill),
    quotas: uses,
    sharing: savedBy(priced.billed, priced.options, bill),
    assumptions: distinct([
      ...(options.assumptions ?? []),
      ...(priced.billed.some(({ made }) => made.crossZone !== undefined) ? priced.assumedZones : []),
      ...bill.assumedRegions.map((assumed) => `prices are those of region ${assumed}, for none is given (--region)`),
      ...groups.flatMap(({ assumptions }) => assumptions),
    ]),
    needs: distinct([
      ...(options.needs ?? (cluster.knownNodes.length > 0 ? [] : [NEEDS_CLUSTER])),
      ...groups.flatMap(({ row: { path, words } }) =>
        isUnknown(path) && path.unknown !== NEEDS_CLUSTER ? [needOf(path.unknown, words)] : [],
      ),
      ...[...bill.needs, ...uses.wrong, ...uses.uses.flatMap(({ needs }) => needs)].flatMap(needInWords),
    ]),
    notes: distinct([...(options.notes ?? []), ...oldPrices(bill, options.today)]),
  };
}

/** What is needed, without what comes before it in a line for people. */
function needOf(unknown: string, words: string): string {
  const at = unknown.indexOf('needs ');
  return at < 0 ? words : unknown.slice(at);
}

/** Targets are counted where nodes and pods are known, which are asked for by themselves. */
function needInWords({ what, remedy, value }: Finding): string[] {
  const option = ownValue(OPTIONS, value);
  return value === 'targets' ? [] : [`${what}; ${option === undefined ? remedy : `${remedy} (${option})`}`];
}

const OPTIONS: Readonly<Record<string, string>> = { zones: '--zones' };

function ownersOf(
  balancers: readonly BalancerToReport[],
  { billed, options }: PricedBalancers,
  bill: Bill,
  all: QuotaUses,
): ReportedOwner[] {
  const names = [...new Set(balancers.map(({ owner }) => owner))].sort(compareTexts);
  return names.flatMap((owner) => {
    const own = balancers.filter((each) => each.owner === owner);
    const unmade = own.filter(({ made }) => made === undefined);
    const made = billed.filter((each) => each.owner === owner);
    const isGuess = own.some((each) => each.isGuess === true);
    const part = bill.byOwner.find(({ of }) => of.length === 1 && of[0] === owner);
    const { uses } = made.length === billed.length ? all : quotaUseOf(made, options);
    const [quota] = uses.filter(({ percent }) => percent !== undefined);
    return [
      ...(part ? [{ owner, isGuess, balancers: part.balancers, ...(quota ? { quota } : {}), ...moneyOf(part) }] : []),
      ...(unmade.length > 0
        ? [{ owner, isGuess, balancers: unmade.length, amount: `not known: ${reasonsOf(unmade)}` }]
        : []),
    ];
  });
}

function reasonsOf(balancers: readonly BalancerToReport[]): string {
  const reasons = balancers.map(({ unknown = 'needs its controller' }) => withoutDetails(unknown));
  return [...new Set(reasons)].join('; ');
}

function moneyOf({ text }: BillPart): Pick<ReportedOwner, 'amount' | 'terms'> {
  const at = text.indexOf(' = ');
  return at < 0 ? { amount: text } : { amount: text.slice(0, at), terms: text.slice(at + ' = '.length) };
}

function monthOf({ prices }: Bill): Pick<Report, 'pricesOf'> {
  const newest = prices.map(({ read }) => read.slice(0, 'yyyy-mm'.length)).sort(compareTexts);
  return newest.length > 0 ? { pricesOf: newest[newest.length - 1] } : {};
}

function oldPrices({ prices }: Bill, today: string | undefined): string[] {
  return today === undefined
    ? []
    : pricesOlderThan(today, prices).map(
        ({ product, items, read }) =>
          `prices of ${product} (${items.join(', ')}) are of ${read}, more than a year before ${today}`,
      );
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}

export type BudgetLimits = Pick<LimitContext, 'maxMonthlyCost' | 'maxQuotaPercent'>;

const BUDGET = new RuleSet<LimitContext>(LIMIT_RULES, 'budget');

/** Compares what balancers cost and use with a budget; a limit that is not given is not looked at. */
export function judgeBudget(
  balancers: readonly BalancerToReport[],
  options: ReportOptions,
  limits: BudgetLimits,
): Judgement {
  const cluster = new ReportedCluster(options.objects ?? []);
  // no way of packets is known without nodes
  const groups =
    cluster.knownNodes.length > 0
      ? pathGroupsOf(balancers, cluster, options)
      : [{ members: balancers, row: { path: { unknown: NEEDS_CLUSTER } } }];
  const priced = pricedBalancers(groups, cluster, options);
  const uncounted = balancers
    .filter(({ made }) => made === undefined)
    .map(({ namespace, name }) => `${namespace}/${name}`);
  const { maxMonthlyCost, maxQuotaPercent } = limits;
  return BUDGET.judge(
    {},
    {
      ...(maxMonthlyCost !== undefined && { bill: billOf(priced.billed, priced.options) }),
      ...(maxQuotaPercent !== undefined && { quotas: quotaUseOf(priced.billed, priced.options) }),
      uncounted,
      ...limits,
    },
  );
}

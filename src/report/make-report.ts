import { type Json, mapIn, mapsIn, ownValue, shown } from '../contract/json';
import { WRONG_PROP } from '../contract/request-rules.facts';
import type { Finding } from '../contract/rule';
import { type BilledBalancer, compareTexts } from '../cost/balancers';
import { type Bill, type BillPart, billOf } from '../cost/bill';
import type { BillOptions } from '../cost/charges';
import { LIMIT_RULES, type LimitContext } from '../cost/limits';
import { pricesOlderThan } from '../cost/price-list';
import { type QuotaUses, quotaUseOf } from '../cost/quota-use';
import { savedBy } from '../cost/sharing';
import { type Judgement, RuleSet } from '../rules/rule-set';
import { isUnknown } from '../traffic/fraction';
import { crossingsOf } from '../traffic/shares';
import type { LoadBalancerFigures } from './load-balancer-figures';
import { NEEDS_CLUSTER, type PathGroup, pathGroupsOf, ReportedCluster } from './paths';
import { type BalancerToReport, type Report, type ReportedOwner, type ReportOptions, withoutDetails } from './report';

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

interface PricedBalancers {
  readonly billed: readonly BilledBalancer[];
  readonly options: BillOptions & Pick<ReportOptions, 'quotas'>;
  /** What was taken for granted of the zones, where a balancer is in as many as there are. */
  readonly assumedZones: readonly string[];
}

interface PricedGroup {
  readonly members: PathGroup['members'];
  readonly row: Pick<PathGroup['row'], 'path'>;
}

function pricedBalancers(
  groups: readonly PricedGroup[],
  cluster: ReportedCluster,
  options: ReportOptions,
): PricedBalancers {
  const { region, gbPerMonth, gbOutPerMonth, connections, quotas, prices } = options;
  const { zones, assumedZones } = zonesFor(cluster, options);
  return {
    billed: groups.flatMap(billedIn),
    options: { zones, region, gbPerMonth, gbOutPerMonth, active: connections, quotas, prices },
    assumedZones,
  };
}

function zonesFor(
  cluster: ReportedCluster,
  { zones, zonesOfPools = [] }: ReportOptions,
): { readonly zones?: number; readonly assumedZones: readonly string[] } {
  if (zones !== undefined) {
    return { zones, assumedZones: [] };
  }
  const [known, of] = cluster.zones.length > 0 ? [cluster.zones, 'nodes'] : [zonesOfPools, 'node pools'];
  return known.length > 0
    ? {
        zones: known.length,
        assumedZones: [
          `a balancer is in the ${known.length} zone${known.length === 1 ? '' : 's'} of the ${of}, unless its Service names its own`,
        ],
      }
    : { assumedZones: [] };
}

function billedIn({ members, row: { path } }: PricedGroup): BilledBalancer[] {
  const targets = isUnknown(path) ? undefined : path.shares.targets.filter(({ state }) => state !== 'left out').length;
  const crossings = isUnknown(path) ? undefined : crossingsOf(path.shares);
  const zoneCrossings = crossings && !isUnknown(crossings) ? crossings.value : undefined;
  return members.flatMap(({ made, owner, namespace, name, tenant, service }) =>
    made
      ? {
          made,
          owner,
          namespace,
          name,
          ports: listenersIn(service),
          tenant,
          targets,
          zoneCrossings,
        }
      : [],
  );
}

/** The ports of a Service as listeners: `443/TCP`. */
export function listenersIn(service: Json): string[] {
  return mapsIn(mapIn(service, 'spec'), 'ports')
    .filter(({ port }) => Number.isInteger(port))
    .map(({ port, protocol }) => `${port}/${typeof protocol === 'string' ? protocol : 'TCP'}`);
}

const isAmount = (value: unknown) => typeof value === 'number' && Number.isFinite(value) && value >= 0;
const isCount = (value: unknown) => Number.isInteger(value) && Number(value) >= 1;

/** What each figure must be; they are computed with at once, so that none can be known later. */
const FIGURES: readonly [keyof LoadBalancerFigures, (value: unknown) => boolean, string][] = [
  ['zones', isCount, 'a whole number of 1 or more'],
  ['gbPerMonth', isAmount, 'a number of 0 or more'],
  ['connections', isAmount, 'a number of 0 or more'],
  ['region', (value) => typeof value === 'string', 'a string'],
];

export function figureFaults(figures: LoadBalancerFigures): string[] {
  return FIGURES.filter(([name, fits]) => figures[name] !== undefined && !fits(figures[name])).map(
    ([name, , right]) => `${name} is ${shown(figures[name])}, which is not ${right}; pass one (${WRONG_PROP.id})`,
  );
}

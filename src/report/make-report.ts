import { type Json, mapIn, mapsIn, ownValue, shown } from '../contract/json';
import { WRONG_PROP } from '../contract/request-rules.facts';
import type { Mistake } from '../contract/rule';
import { type BilledBalancer, compareTexts } from '../cost/balancers';
import { type Bill, billOf } from '../cost/bill';
import { LIMIT_RULES, type LimitContext } from '../cost/limits';
import { pricesOlderThan } from '../cost/price-list';
import { type QuotaUses, quotaUseOf } from '../cost/quota-use';
import { savedBy } from '../cost/sharing';
import { RuleSet } from '../rules/rule-set';
import { isUnknown, type Unknown } from '../traffic/fraction';
import { crossingsOf } from '../traffic/shares';
import type { LoadBalancerFigures } from './options';
import {
  type BalancerToReport,
  NEEDS_CLUSTER,
  type PathGroup,
  pathGroupsOf,
  ReportedCluster,
  type ReportOptions,
} from './paths';

export interface ReportedFinding extends Readonly<Record<'ruleId' | 'object' | 'what' | 'remedy' | 'place', string>> {
  readonly level: 'error' | 'warning';
}

/** Findings are errors, then warnings; unset if the manifests were not checked. */
export type Report = ReturnType<typeof makeReport> & { readonly findings?: readonly ReportedFinding[] };

export function makeReport(balancers: readonly BalancerToReport[], options: ReportOptions = {}) {
  const cluster = new ReportedCluster(options.objects ?? []);
  const groups = pathGroupsOf(balancers, cluster, options);
  const priced = pricedBalancers(groups, cluster, options);
  const bill = billOf(priced.billed, priced.options);
  const uses = quotaUseOf(priced.billed, priced.options);
  return {
    balancers: balancers.map(({ controller: _, ...reported }) => reported),
    owners: ownersOf(balancers, { ...priced, bill, uses }),
    paths: groups.map(({ row }) => row),
    bill,
    pricesOf: bill.prices
      .map(({ read }) => read.slice(0, 'yyyy-mm'.length))
      .sort(compareTexts)
      .at(-1),
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
      ...groups.flatMap(({ row: { path } }) =>
        isUnknown(path) && path.unknown !== NEEDS_CLUSTER ? [unknownInWords(path)] : [],
      ),
      ...[...bill.needs, ...uses.wrong, ...uses.uses.flatMap(({ needs }) => needs)].flatMap(needInWords),
    ]),
    notes: distinct([...(options.notes ?? []), ...oldPrices(bill, options.today)]),
  };
}

export function unknownInWords({ unknown, because }: Unknown): string {
  return because === undefined ? unknown : `${unknown}: ${because}`;
}

/** Targets are counted where nodes and pods are known, which are asked for by themselves. */
function needInWords({ what, remedy, value }: Mistake): string[] {
  const option = ownValue(OPTIONS, value);
  return value === 'targets' ? [] : [`${what}; ${option === undefined ? remedy : `${remedy} (${option})`}`];
}

const OPTIONS: Readonly<Record<string, string>> = { zones: '--zones' };

export interface ReportedOwner {
  readonly owner: string;
  readonly isGuess: boolean;
  /** Number of balancers; for unknown ones, the number of Services. */
  readonly balancers: number;
  readonly quota?: QuotaUses['uses'][number];
  /** `USD 164.25`, with `at least` where a term is missing, or why it is not known. */
  readonly amount: string;
  /** `6 × (0.0225 × 730 h + 3 zones × 3.65 public IPv4)`; unset where nothing is billed. */
  readonly terms?: string;
}

function ownersOf(
  balancers: readonly BalancerToReport[],
  {
    billed,
    options,
    bill,
    uses: all,
  }: ReturnType<typeof pricedBalancers> & { readonly bill: Bill; readonly uses: QuotaUses },
): ReportedOwner[] {
  const names = [...new Set(balancers.map(({ owner }) => owner))].sort(compareTexts);
  return names.flatMap((owner): ReportedOwner[] => {
    const own = balancers.filter((each) => each.owner === owner);
    const unmade = own.filter(({ made }) => made === undefined);
    const made = billed.filter((each) => each.owner === owner);
    const isGuess = own.some((each) => each.isGuess === true);
    const part = bill.byOwner.find(({ of }) => of.length === 1 && of[0] === owner);
    const { uses } = made.length === billed.length ? all : quotaUseOf(made, options);
    const quota = uses.find(({ percent }) => percent !== undefined);
    const reasons = new Set(unmade.map(({ unknown = 'needs its controller' }) => unknown));
    return [
      ...(part
        ? [{ owner, isGuess, balancers: part.balancers, quota, amount: part.sum, terms: part.formula || undefined }]
        : []),
      ...(unmade.length > 0
        ? [{ owner, isGuess, balancers: unmade.length, amount: `not known: ${[...reasons].join('; ')}` }]
        : []),
    ];
  });
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

const BUDGET = new RuleSet<LimitContext>(LIMIT_RULES, 'budget');

/** Compares what balancers cost and use with a budget; a limit that is not given is not looked at. */
export function checkLimits(
  balancers: readonly BalancerToReport[],
  options: ReportOptions,
  limits: Pick<LimitContext, 'maxMonthlyCost' | 'maxQuotaPercent'>,
) {
  const cluster = new ReportedCluster(options.objects ?? []);
  // no way of packets is known without nodes
  const groups =
    cluster.knownNodes.length > 0
      ? pathGroupsOf(balancers, cluster, options)
      : [{ members: balancers, row: { path: { unknown: NEEDS_CLUSTER } } }];
  const priced = pricedBalancers(groups, cluster, options);
  const uncounted = balancers.filter(({ made }) => made === undefined);
  const { maxMonthlyCost, maxQuotaPercent } = limits;
  const context = {
    ...(maxMonthlyCost !== undefined && { bill: billOf(priced.billed, priced.options) }),
    ...(maxQuotaPercent !== undefined && { quotas: quotaUseOf(priced.billed, priced.options) }),
    uncounted: uncounted.map(({ namespace, name }) => `${namespace}/${name}`),
    ...limits,
  };
  return BUDGET.check({}, context);
}

interface PricedGroup {
  readonly members: PathGroup['members'];
  readonly row: Pick<PathGroup['row'], 'path'>;
}

/** Balancers as a bill and quotas count them, what both are computed with, and what was taken for granted of the zones. */
function pricedBalancers(groups: readonly PricedGroup[], cluster: ReportedCluster, options: ReportOptions) {
  const { region, gbPerMonth, gbOutPerMonth, connections, quotas, zonesOfPools = [] } = options;
  const [known, of] = cluster.zones.length > 0 ? [cluster.zones, 'nodes'] : [zonesOfPools, 'node pools'];
  const zones = options.zones ?? (known.length > 0 ? known.length : undefined);
  const all = `the ${known.length} zone${known.length === 1 ? '' : 's'} of the ${of}`;
  const isAssumed = options.zones === undefined && known.length > 0;
  return {
    billed: groups.flatMap(billedIn),
    options: { zones, region, gbPerMonth, gbOutPerMonth, active: connections, quotas },
    assumedZones: isAssumed ? [`a balancer is in ${all}, unless its Service names its own`] : [],
  };
}

function billedIn({ members, row: { path } }: PricedGroup): BilledBalancer[] {
  const targets = isUnknown(path) ? undefined : path.shares.targets.filter(({ state }) => state !== 'left out').length;
  const crossings = isUnknown(path) ? undefined : crossingsOf(path.shares);
  const zoneCrossings = crossings && !isUnknown(crossings) ? crossings.value : undefined;
  return members.flatMap(({ made, owner, namespace, name, tenant, service }) =>
    made ? [{ made, owner, namespace, name, ports: listenersIn(service), tenant, targets, zoneCrossings }] : [],
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

/** Constraints of each figure; they are computed with at once, so that none can be known later. */
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

import type { Finding } from '../contract/finding';
import { ownValue } from '../contract/own-value';
import { type BilledBalancer, compareTexts } from '../cost/balancers';
import { type Bill, type BillPart, billOf } from '../cost/bill';
import type { BillOptions } from '../cost/charge';
import { pricesOlderThan } from '../cost/price-list';
import { type QuotaUses, quotaUseOf } from '../cost/quota-use';
import { savedBy } from '../cost/sharing';
import { isUnknown } from '../traffic/figure';
import { crossingsOf } from '../traffic/shares';
import { ReportedCluster } from './cluster';
import { listenersIn } from './listeners';
import { NEEDS_CLUSTER, type PathGroup, pathGroupsOf } from './paths';
import type { Report, ReportedOwner } from './report';
import type { BalancerToReport, ReportOptions } from './report-options';
import { withoutDetails } from './words';

/** Balancers with the bill that is for them. */
interface Priced {
  readonly balancers: readonly BalancerToReport[];
  readonly billed: readonly BilledBalancer[];
  readonly options: BillOptions & Pick<ReportOptions, 'quotas'>;
}

/** The path, the money and the quotas of balancers. */
export function makeReport(balancers: readonly BalancerToReport[], options: ReportOptions = {}): Report {
  const cluster = new ReportedCluster(options.objects ?? [], options.pools);
  const groups = pathGroupsOf(balancers, cluster, options);
  const zones = zonesFor(cluster, options);
  const { region, gbPerMonth, gbOutPerMonth, connections, quotas, prices } = options;
  const priced: Priced = {
    balancers,
    billed: groups.flatMap(billedIn),
    options: { zones: zones.zones, region, gbPerMonth, gbOutPerMonth, active: connections, quotas, prices },
  };
  const bill = billOf(priced.billed, priced.options);
  const uses = quotaUseOf(priced.billed, priced.options);
  return {
    balancers: balancers.map(({ controller: _, ...reported }) => reported),
    owners: ownersOf(priced, bill, uses),
    paths: groups.map(({ row }) => row),
    bill,
    ...monthOf(bill),
    quotas: uses,
    sharing: savedBy(priced.billed, priced.options, bill),
    assumptions: distinct([
      ...(options.assumptions ?? []),
      ...(priced.billed.some(({ made }) => made.crossZone !== undefined) ? zones.assumptions : []),
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

/** In how many zones balancers are that do not say it. */
function zonesFor(
  cluster: ReportedCluster,
  { zones, zonesOfPools = [] }: ReportOptions,
): { readonly zones?: number; readonly assumptions: readonly string[] } {
  if (zones !== undefined) {
    return { zones, assumptions: [] };
  }
  const [known, of] = cluster.zones.length > 0 ? [cluster.zones, 'nodes'] : [zonesOfPools, 'node pools'];
  return known.length > 0
    ? {
        zones: known.length,
        assumptions: [
          `a balancer is in the ${known.length} zone${known.length === 1 ? '' : 's'} of the ${of}, unless its Service names its own`,
        ],
      }
    : { assumptions: [] };
}

function billedIn({ members, row: { path } }: PathGroup): BilledBalancer[] {
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
          ...(tenant === undefined ? {} : { tenant }),
          ...(targets === undefined ? {} : { targets }),
          ...(zoneCrossings === undefined ? {} : { zoneCrossings }),
        }
      : [],
  );
}

function ownersOf({ balancers, billed, options }: Priced, bill: Bill, all: QuotaUses): ReportedOwner[] {
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

/** The sum and its terms, apart. */
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

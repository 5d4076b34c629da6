import { grouped, shown } from '../contract/json';
import { LoadBalancerScheme } from '../contract/options';
import type { Mistake } from '../contract/rule';
import {
  type BilledBalancer,
  isCount,
  notACount,
  type PhysicalBalancer,
  physicalBalancers,
  type ReadTraffic,
  sumOfTraffic,
  type Traffic,
  trafficOf,
} from './balancers';
import { Decimal } from './money';
import { type ListPrice, type PricedProduct, type PriceItem, PriceList, type PriceOptions } from './price-list';
import { HOURS_PER_MONTH, UNBILLED_PRODUCT } from './prices.facts';

/** Inputs of a bill: figures of traffic are those of each Service that has none of its own. */
export interface BillOptions extends PriceOptions, Traffic {
  /** In how many zones a balancer is, where neither the Service nor its caller knows it. */
  readonly zones?: number;
  /** Number of zone borders that a byte crosses on its way from the balancer to the pod, on average. */
  readonly zoneCrossings?: number;
}

interface Factor {
  readonly value: Decimal;
  readonly of: string;
}

/** A product of numbers: `3 zones × 3.65 public IPv4`. */
export interface Term {
  readonly item: PriceItem;
  readonly factors: readonly Factor[];
  readonly amount: Decimal;
  readonly text: string;
}

export type Charge = ReturnType<ChargeDraft['done']>;

const HOURS: Factor = { value: Decimal.of(HOURS_PER_MONTH), of: 'h' };

class ChargeDraft {
  public readonly needs: Mistake[] = [];
  /** Parts that are not in the terms, once for each Service. */
  public readonly notes: string[] = [];
  private readonly terms: Term[] = [];
  private readonly missing: string[] = [];
  private readonly prices: ListPrice[] = [];

  /** @param balancers how many balancers it counts: those of a charge beside the balancer's own are counted there */
  public constructor(
    private readonly list: PriceList,
    public readonly payers: readonly BilledBalancer[],
    private readonly balancers: number,
  ) {}

  /** @param missing the term that is not counted for want of something: `public IPv4: needs zones` */
  public need(missing: string, finding: Mistake): void {
    this.missing.push(missing);
    this.needs.push(finding);
  }

  public needPrices(finding: Mistake): void {
    this.need(`needs prices of ${shown(this.list.product)}`, finding);
  }

  /** Adds the term of an item, where the product is billed for it and its price is known: what is counted, the price, and hours. */
  public bill(item: PriceItem, counted: readonly Factor[], of = '', ...hours: readonly Factor[]): void {
    if (!this.bills(item)) {
      return;
    }
    const price = this.list.price(item);
    if ('what' in price) {
      this.needPrices(price);
      return;
    }
    if (price.listed) {
      this.prices.push(price.listed);
    }
    const value = item === 'address' ? price.value.times(HOURS_PER_MONTH) : price.value;
    const factors = [...counted, { value, of }, ...hours];
    const text = factors.map((each) => (each.of === '' ? `${each.value}` : `${each.value} ${each.of}`)).join(' × ');
    this.terms.push({ item, factors, amount: productOf(factors), text });
  }

  public get isPublic(): boolean {
    return this.payers.some(({ made }) => made.scheme !== LoadBalancerScheme.INTERNAL);
  }

  public bills(item: PriceItem): boolean {
    return this.list.bills(item);
  }

  public done() {
    const { list, payers, balancers, terms, needs, notes, prices } = this;
    const missing = [...new Set(this.missing)];
    const words = [...terms.map(({ text }) => text), ...missing.map((each) => `(${each})`)];
    return {
      product: list.product,
      name: payers[0].made.name,
      currency: list.billed?.currency,
      ...{ payers, balancers, terms, missing, needs: distinct(needs), notes, words, prices },
      key: JSON.stringify([list.billed?.currency ?? '', list.product, words]),
      assumedRegion: list.isAssumedRegion && prices.length > 0 ? list.region : undefined,
    };
  }
}

function productOf(factors: readonly Factor[]): Decimal {
  return factors.reduce((product, { value }) => product.times(value), Decimal.of(1));
}

export function distinct(findings: readonly Mistake[]): readonly Mistake[] {
  return [...new Map(findings.map((finding) => [`${finding.what} ${finding.remedy}`, finding])).values()];
}

export function chargesOf(balancers: readonly BilledBalancer[], options: BillOptions): readonly Charge[] {
  const made = physicalBalancers(balancers);
  const all = [...grouped(made, ({ product }) => product)].map(([product, its]) => ({
    list: new PriceList(product, options),
    its,
  }));
  return [
    ...all.flatMap(({ list, its }) => its.flatMap((each) => chargesOfOne(each, list, options))),
    ...chargesOfAccount(
      made,
      all.map(({ list }) => list),
    ),
  ];
}

function chargesOfOne({ members }: PhysicalBalancer, list: PriceList, options: BillOptions): readonly Charge[] {
  const charge = new ChargeDraft(list, members, 1);
  const { billed } = list;
  if (list.product === UNBILLED_PRODUCT) {
    return [charge.done()];
  }
  if (!billed) {
    charge.needPrices(list.missingPrices());
    return [charge.done()];
  }
  charge.needs.push(...list.uselessPrices());
  charge.bill('hour', [], '', HOURS);
  charge.bill('month', [], 'a month');
  if (billed.rules?.of === 'balancer') {
    billRules(charge, billed.rules, members);
  }
  const isAlone = members.length === 1;
  const ofEach = isAlone ? [] : members.map((member) => new ChargeDraft(list, [member], 0));
  // Services with the same addresses pay for them together
  const sharers = grouped(
    billed.addressesOf === 'service' && !isAlone ? members : [],
    (member) => member.made.addressSharedBy ?? member,
  );
  const addresses = [...sharers.values()].map((payers) => new ChargeDraft(list, payers, 0));
  for (const each of addresses.length > 0 ? addresses : [charge]) {
    billAddresses(each, options);
  }
  const traffic = members.map((member) => trafficOf(member.traffic ?? {}, options));
  billTogether(charge, sumOfTraffic(traffic), billed);
  for (const [index, each] of (isAlone ? [charge] : ofEach).entries()) {
    billEach(each, traffic[index], billed, options);
  }
  // what is not counted of the Services is not counted of their balancer
  charge.notes.push(...ofEach.flatMap((each) => each.notes.splice(0)));
  const beside = [...addresses, ...ofEach].map((each) => each.done());
  return [charge.done(), ...beside.filter(({ words, needs }) => words.length > 0 || needs.length > 0)];
}

/** Account-wide terms of balancers, if their product is billed so. */
function chargesOfAccount(balancers: readonly PhysicalBalancer[], all: readonly PriceList[]): readonly Charge[] {
  const billed = all.flatMap((list) =>
    list.billed?.rules?.of === 'account' ? { list, rules: list.billed.rules } : [],
  );
  const pools = grouped(billed, ({ list, rules }) => {
    const prices = [list.price('first-rules'), list.price('further-rule')];
    return JSON.stringify([
      list.billed?.currency,
      rules.name,
      // what is not known is told of each product
      prices.map((price) => ('value' in price ? `${price.value}` : list.product)),
    ]);
  });
  return [...pools.values()].map((pool) => {
    const products = pool.map(({ list }) => list.product);
    const members = balancers.filter(({ product }) => products.includes(product)).flatMap((each) => each.members);
    const charge = new ChargeDraft(pool[0].list, members, 0);
    billRules(charge, pool[0].rules, members);
    return charge.done();
  });
}

function billRules(
  charge: ChargeDraft,
  { name, first }: NonNullable<PricedProduct['rules']>,
  members: readonly BilledBalancer[],
): void {
  const counts = members.map(({ made }) => made.listeners);
  const wrong = counts.find((count) => !isCount(count));
  if (wrong !== undefined) {
    charge.need(`${name}: needs listeners`, notACount('listeners', wrong));
    return;
  }
  const count = counts.reduce((sum, each) => sum + each, 0);
  if (count > 0) {
    charge.bill('first-rules', [], '', { ...HOURS, of: `h for the first ${first} ${name}` });
  }
  if (count > first) {
    const further = count - first;
    const of = `further ${further === 1 ? name.replace(/s$/, '') : name}`;
    charge.bill('further-rule', [{ value: Decimal.of(further), of }], '', HOURS);
  }
}

const PUBLIC_ADDRESS = 'public IPv4';

function billAddresses(charge: ChargeDraft, options: BillOptions): void {
  if (!charge.bills('address')) {
    return;
  }
  const found = charge.payers.map((payer) => addressesOf(payer, options));
  const wrong = found.find((each) => each !== undefined && 'what' in each);
  if (wrong && 'what' in wrong) {
    charge.need(`${PUBLIC_ADDRESS}: needs ${wrong.value === 'zones' ? 'zones' : 'a valid number'}`, wrong);
    return;
  }
  const [most] = found
    .filter((each): each is readonly Factor[] => Array.isArray(each))
    .sort((one, other) => productOf(other).compare(productOf(one)));
  if (most) {
    charge.bill('address', most, PUBLIC_ADDRESS);
  }
}

function addressesOf(
  { made, zones: own }: BilledBalancer,
  { zones: given }: BillOptions,
): readonly Factor[] | Mistake | undefined {
  const { count, perZone } = made.publicAddresses;
  if (!isCount(count)) {
    return notACount('publicAddresses', count);
  }
  if (count === 0 || made.scheme === LoadBalancerScheme.INTERNAL) {
    return undefined;
  }
  const several: Factor[] = count === 1 ? [] : [{ value: Decimal.of(count), of: '' }];
  if (!perZone) {
    return several;
  }
  const zones = own ?? made.zones ?? given;
  if (zones === undefined) {
    return {
      what: `${made.name} has a public address in each of its zones, and their number is not known`,
      remedy: 'give zones',
      value: 'zones',
    };
  }
  return isCount(zones) && zones > 0
    ? [{ value: Decimal.of(zones), of: zones === 1 ? 'zone' : 'zones' }, ...several]
    : notACount('zones', zones, 1);
}

function billTogether(charge: ChargeDraft, traffic: ReadTraffic, { unit, includedOut }: PricedProduct): void {
  for (const wrong of traffic.wrong) {
    charge.need('traffic: needs valid figures', wrong);
  }
  if (unit !== undefined) {
    const [used] = [
      { value: traffic.gb?.over(unit.gbPerHour), by: 'data' },
      { value: traffic.newPerSecond?.over(unit.newPerSecond).times(HOURS_PER_MONTH), by: 'new connections' },
      { value: traffic.active?.over(unit.active).times(HOURS_PER_MONTH), by: 'open connections' },
    ]
      .flatMap(({ value, by }) => (value ? { value, of: `${unit.name} hours (${by})` } : []))
      .sort((one, other) => other.value.compare(one.value));
    if (used !== undefined) {
      charge.bill('unit', [used]);
    }
  }
  if (includedOut !== undefined && traffic.gbOut !== undefined && charge.isPublic) {
    const value = traffic.gbOut.minus(Decimal.of(includedOut));
    if (value.compare(Decimal.ZERO) > 0) {
      charge.bill('transfer-out', [{ value, of: `GB to the internet beyond ${includedOut}` }]);
    }
  }
}

const TRAFFIC_ITEMS: readonly PriceItem[] = ['unit', 'processed', 'transfer-out', 'between-zones'];

function billEach(charge: ChargeDraft, traffic: ReadTraffic, billed: PricedProduct, options: BillOptions): void {
  const { gb, gbOut, newPerSecond, active } = traffic;
  const { includedOut, zoneWays = 1 } = billed;
  if (gb !== undefined) {
    const data: Factor = { value: gb, of: 'GB' };
    charge.bill('processed', [data], 'processed');
    billZones(charge, data, zoneWays, options);
  } else if (newPerSecond !== undefined || active !== undefined) {
    charge.notes.push('data not counted (--gb-per-month)');
  } else if (TRAFFIC_ITEMS.some((item) => charge.bills(item))) {
    charge.notes.push('traffic not counted (--gb-per-month)');
  }
  if (!charge.isPublic || !charge.bills('transfer-out')) {
    return;
  }
  if (gbOut === undefined && gb !== undefined) {
    charge.notes.push('data to the internet not counted (--gb-out-per-month)');
  }
  if (gbOut !== undefined && includedOut === undefined) {
    charge.bill('transfer-out', [{ value: gbOut, of: 'GB' }], 'to the internet');
  }
}

function billZones(charge: ChargeDraft, data: Factor, ways: number, options: BillOptions): void {
  const { zoneCrossings = options.zoneCrossings } = charge.payers[0];
  const crossings = Decimal.readAmount(zoneCrossings);
  if (!charge.bills('between-zones')) {
    return;
  }
  if (zoneCrossings === undefined) {
    charge.notes.push('data between zones not counted');
  } else if (!crossings) {
    charge.need('data between zones: needs zoneCrossings', {
      what: `zoneCrossings ${shown(zoneCrossings)} is not a valid number of zone borders`,
      remedy: 'give how many a byte crosses on average, 0 or more',
      value: String(zoneCrossings),
    });
  } else {
    const times: Factor[] = ways === 1 ? [] : [{ value: Decimal.of(ways), of: '' }];
    charge.bill('between-zones', [data, { value: crossings, of: 'zone crossings' }, ...times]);
  }
}

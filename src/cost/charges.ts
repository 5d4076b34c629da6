import { grouped, shown } from '../contract/json';
import { LoadBalancerScheme } from '../contract/options';
import type { Finding } from '../contract/rule';
import {
  type BilledBalancer,
  isCount,
  notACount,
  type PhysicalBalancer,
  physicalBalancers,
  type ReadTraffic,
  sumOfTraffic,
  trafficOf,
} from './balancers';
import { type BillOptions, type Charge, ChargeDraft, type Factor, HOURS } from './charge';
import { Decimal } from './money';
import { PriceList } from './price-list';
import { type PricedProduct, PriceItem } from './prices';
import { HOURS_PER_MONTH, UNBILLED_PRODUCT } from './prices.facts';

/** Everything that is billed for balancers, in an order that does not depend on that of the input. */
export function chargesOf(balancers: readonly BilledBalancer[], options: BillOptions): readonly Charge[] {
  const lists = new Map<string, PriceList>();
  const made = physicalBalancers(balancers);
  for (const { product } of made) {
    lists.set(product, lists.get(product) ?? new PriceList(product, options));
  }
  const all = [...lists.values()];
  return [
    ...all.flatMap((list) =>
      made.filter(({ product }) => product === list.product).flatMap((each) => chargesOfOne(each, list, options)),
    ),
    ...chargesOfAccount(made, all),
  ];
}

function chargesOfOne(balancer: PhysicalBalancer, list: PriceList, options: BillOptions): readonly Charge[] {
  const { members } = balancer;
  const charge = new ChargeDraft(list, members, 1);
  const { billed } = list;
  if (list.product === UNBILLED_PRODUCT) {
    return [charge.done()];
  }
  if (!billed) {
    charge.needPrices(list.missingPrices());
    return [charge.done()];
  }
  for (const useless of list.uselessPrices()) {
    charge.needs.push(useless);
  }
  charge.bill(PriceItem.HOUR, (price) => [{ value: price, of: '' }, HOURS]);
  charge.bill(PriceItem.MONTH, (price) => [{ value: price, of: 'a month' }]);
  if (billed.rules?.of === 'balancer') {
    billRules(charge, billed.rules, members);
  }
  const isAlone = members.length === 1;
  const ofEach = isAlone ? [] : members.map((member) => new ChargeDraft(list, [member], 0));
  const ofAddresses = billed.addressesOf === 'service' && !isAlone ? byAddress(members) : [];
  const addresses = ofAddresses.map((sharers) => new ChargeDraft(list, sharers, 0));
  for (const each of ofAddresses.length > 0 ? addresses : [charge]) {
    billAddresses(each, options);
  }
  const traffic = members.map((member) => trafficOf(member.traffic ?? {}, options));
  billTogether(charge, sumOfTraffic(traffic), billed);
  (isAlone ? [charge] : ofEach).forEach((each, index) => {
    billEach(each, traffic[index], billed, options);
  });
  // what is not counted of the Services is not counted of their balancer
  charge.notes.push(...ofEach.flatMap((each) => each.notes.splice(0)));
  return [charge.done(), ...[...addresses, ...ofEach].map((each) => each.done()).filter(isAbout)];
}

/** Services with the same addresses together. */
function byAddress(members: readonly BilledBalancer[]): readonly (readonly BilledBalancer[])[] {
  return [...grouped(members, (member) => member.made.addressSharedBy ?? member).values()];
}

function isAbout({ terms, missing, needs }: Charge): boolean {
  return terms.length > 0 || missing.length > 0 || needs.length > 0;
}

/** What the balancers of an account have together, where their product is billed so. */
function chargesOfAccount(balancers: readonly PhysicalBalancer[], all: readonly PriceList[]): readonly Charge[] {
  const billed = all.filter((list) => list.billed?.rules?.of === 'account');
  const pools = grouped(billed, (list) => {
    const prices = [list.price(PriceItem.FIRST_RULES), list.price(PriceItem.FURTHER_RULE)];
    return JSON.stringify([
      list.billed?.currency,
      list.billed?.rules?.name,
      // what is not known is told of each product
      prices.map((price) => ('value' in price ? `${price.value}` : list.product)),
    ]);
  });
  return [...pools.values()].map((lists) => {
    const products = lists.map(({ product }) => product);
    const members = balancers.filter(({ product }) => products.includes(product)).flatMap((each) => each.members);
    const charge = new ChargeDraft(lists[0], members, 0);
    if (lists[0].billed?.rules) {
      billRules(charge, lists[0].billed.rules, members);
    }
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
    charge.bill(PriceItem.FIRST_RULES, (price) => [
      { value: price, of: '' },
      { ...HOURS, of: `h for the first ${first} ${name}` },
    ]);
  }
  if (count > first) {
    const further: Factor = {
      value: Decimal.of(count - first),
      of: `further ${count - first === 1 ? name.replace(/s$/, '') : name}`,
    };
    charge.bill(PriceItem.FURTHER_RULE, (price) => [further, { value: price, of: '' }, HOURS]);
  }
}

const PUBLIC_ADDRESS = 'public IPv4';

/** Public addresses: all Services of a charge have the same ones. */
function billAddresses(charge: ChargeDraft, options: BillOptions): void {
  if (!charge.bills(PriceItem.ADDRESS)) {
    return;
  }
  const found = charge.payers.map((payer) => addressesOf(payer, options));
  const [most] = found
    .filter((each) => each !== undefined)
    .sort((one, other) => Number('wrong' in other) - Number('wrong' in one) || total(other).compare(total(one)));
  if (most === undefined) {
    return;
  }
  if ('wrong' in most) {
    charge.need(`${PUBLIC_ADDRESS}: needs ${most.wrong.value === 'zones' ? 'zones' : 'a valid number'}`, most.wrong);
    return;
  }
  charge.bill(PriceItem.ADDRESS, (price) => [
    ...most.factors,
    { value: price.times(HOURS_PER_MONTH), of: PUBLIC_ADDRESS },
  ]);
}

type Addresses = { readonly factors: readonly Factor[] } | { readonly wrong: Finding };

function total(addresses: Addresses): Decimal {
  const factors = 'factors' in addresses ? addresses.factors : [];
  return factors.reduce((product, { value }) => product.times(value), Decimal.of(1));
}

function addressesOf({ made, zones: own }: BilledBalancer, { zones: given }: BillOptions): Addresses | undefined {
  const { count, perZone } = made.publicAddresses;
  if (!isCount(count)) {
    return { wrong: notACount('publicAddresses', count) };
  }
  if (count === 0 || made.scheme === LoadBalancerScheme.INTERNAL) {
    return undefined;
  }
  const several: Factor[] = count === 1 ? [] : [{ value: Decimal.of(count), of: '' }];
  if (!perZone) {
    return { factors: several };
  }
  const zones = own ?? made.zones ?? given;
  if (zones === undefined) {
    return {
      wrong: {
        what: `${made.name} has a public address in each of its zones, and their number is not known`,
        remedy: 'give zones',
        value: 'zones',
      },
    };
  }
  if (!isCount(zones) || zones === 0) {
    return { wrong: notACount('zones', zones, 1) };
  }
  return { factors: [{ value: Decimal.of(zones), of: zones === 1 ? 'zone' : 'zones' }, ...several] };
}

/** Why a term is not there, in the words of the bill. */
const TRAFFIC_NOT_COUNTED = 'traffic not counted (--gb-per-month)';
const DATA_NOT_COUNTED = 'data not counted (--gb-per-month)';
const OUT_NOT_COUNTED = 'data to the internet not counted (--gb-out-per-month)';
const TRAFFIC_ITEMS = [PriceItem.UNIT, PriceItem.PROCESSED, PriceItem.TRANSFER_OUT, PriceItem.BETWEEN_ZONES];
const ZONES_NOT_COUNTED = 'data between zones not counted';

/** Traffic whose price depends on that of all Services of the balancer. */
function billTogether(charge: ChargeDraft, traffic: ReadTraffic, { unit, includedOut }: PricedProduct): void {
  for (const wrong of traffic.wrong) {
    charge.need('traffic: needs valid figures', wrong);
  }
  if (unit !== undefined) {
    const [used] = [
      { hours: traffic.gb?.over(unit.gbPerHour), by: 'data' },
      { hours: traffic.newPerSecond?.over(unit.newPerSecond).times(HOURS_PER_MONTH), by: 'new connections' },
      { hours: traffic.active?.over(unit.active).times(HOURS_PER_MONTH), by: 'open connections' },
    ]
      .filter((share): share is { hours: Decimal; by: string } => share.hours !== undefined)
      .sort((one, other) => other.hours.compare(one.hours));
    if (used !== undefined) {
      const of = `${unit.name} hours (${used.by})`;
      charge.bill(PriceItem.UNIT, (price) => [
        { value: used.hours, of },
        { value: price, of: '' },
      ]);
    }
  }
  if (includedOut !== undefined && traffic.gbOut !== undefined && charge.isPublic) {
    const beyond = traffic.gbOut.minus(Decimal.of(includedOut));
    if (!beyond.isNegative() && !beyond.isZero()) {
      const of = `GB to the internet beyond ${includedOut}`;
      charge.bill(PriceItem.TRANSFER_OUT, (price) => [
        { value: beyond, of },
        { value: price, of: '' },
      ]);
    }
  }
}

/** Traffic that each Service is billed for by itself. */
function billEach(charge: ChargeDraft, traffic: ReadTraffic, billed: PricedProduct, options: BillOptions): void {
  const { gb, gbOut, newPerSecond, active } = traffic;
  const { includedOut, zoneWays = 1 } = billed;
  if (gb !== undefined) {
    const data: Factor = { value: gb, of: 'GB' };
    charge.bill(PriceItem.PROCESSED, (price) => [data, { value: price, of: 'processed' }]);
    billZones(charge, data, zoneWays, options);
  } else if (newPerSecond !== undefined || active !== undefined) {
    charge.note(DATA_NOT_COUNTED);
  } else if (TRAFFIC_ITEMS.some((item) => charge.bills(item))) {
    charge.note(TRAFFIC_NOT_COUNTED);
  }
  if (!charge.isPublic || !charge.bills(PriceItem.TRANSFER_OUT)) {
    return;
  }
  if (gbOut === undefined) {
    if (gb !== undefined) {
      charge.note(OUT_NOT_COUNTED);
    }
  } else if (includedOut === undefined) {
    const out: Factor = { value: gbOut, of: 'GB' };
    charge.bill(PriceItem.TRANSFER_OUT, (price) => [out, { value: price, of: 'to the internet' }]);
  }
}

function billZones(charge: ChargeDraft, data: Factor, ways: number, options: BillOptions): void {
  if (!charge.bills(PriceItem.BETWEEN_ZONES)) {
    return;
  }
  const { zoneCrossings = options.zoneCrossings } = charge.payers[0];
  if (zoneCrossings === undefined) {
    charge.note(ZONES_NOT_COUNTED);
    return;
  }
  const crossings = Decimal.read(zoneCrossings);
  if (!crossings || crossings.isNegative()) {
    charge.need('data between zones: needs zoneCrossings', {
      what: `zoneCrossings ${shown(zoneCrossings)} is not a valid number of zone borders`,
      remedy: 'give how many a byte crosses on average, 0 or more',
      value: String(zoneCrossings),
    });
    return;
  }
  const times: Factor[] = ways === 1 ? [] : [{ value: Decimal.of(ways), of: '' }];
  charge.bill(PriceItem.BETWEEN_ZONES, (price) => [
    data,
    { value: crossings, of: 'zone crossings' },
    ...times,
    { value: price, of: '' },
  ]);
}

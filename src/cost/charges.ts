import { type BilledBalancer, type PhysicalBalancer, physicalBalancers } from './balancers';
import { type BillOptions, type Charge, ChargeDraft, type Factor, HOURS } from './charge';
import { billAddresses } from './charge-addresses';
import { billEach, billTogether } from './charge-traffic';
import { isCount, notACount } from './counts';
import { Decimal } from './money';
import { PriceList } from './price-list';
import { type PricedProduct, PriceItem } from './prices';
import { UNBILLED_PRODUCT } from './prices.facts';
import { sumOfTraffic, trafficOf } from './traffic';

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
  const sharers = new Map<string | BilledBalancer, BilledBalancer[]>();
  for (const member of members) {
    const key = member.made.addressSharedBy ?? member;
    const known = sharers.get(key) ?? [];
    known.push(member);
    sharers.set(key, known);
  }
  return [...sharers.values()];
}

function isAbout({ terms, missing, needs }: Charge): boolean {
  return terms.length > 0 || missing.length > 0 || needs.length > 0;
}

/** What the balancers of an account have together, where their product is billed so. */
function chargesOfAccount(balancers: readonly PhysicalBalancer[], all: readonly PriceList[]): readonly Charge[] {
  const pools = new Map<string, PriceList[]>();
  for (const list of all.filter(({ billed }) => billed?.rules?.of === 'account')) {
    const prices = [list.price(PriceItem.FIRST_RULES), list.price(PriceItem.FURTHER_RULE)];
    const key = JSON.stringify([
      list.billed?.currency,
      list.billed?.rules?.name,
      // what is not known is told of each product
      prices.map((price) => ('value' in price ? `${price.value}` : list.product)),
    ]);
    pools.set(key, [...(pools.get(key) ?? []), list]);
  }
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

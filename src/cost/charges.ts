import { type BilledBalancer, type PhysicalBalancer, physicalBalancers } from './balancers';
import { type BillOptions, type Charge, ChargeDraft, type Factor, HOURS } from './charge';
import { billAddresses } from './charge-addresses';
import { billEach, billTogether } from './charge-traffic';
import { isCount, notACount } from './counts';
import { Decimal } from './money';
import { PriceList } from './price-list';
import { type PricedProduct, PriceItem, UNBILLED_PRODUCT } from './prices.facts';
import { sumOfTraffic, trafficOf } from './traffic';

/** Everything that is billed for balancers, in an order that does not depend on that of the input. */
export function chargesOf(balancers: readonly BilledBalancer[], options: BillOptions): readonly Charge[] {
  const lists = new Map<string, PriceList>();
  const made = physicalBalancers(balancers);
  for (const { product } of made) {
    lists.set(product, lists.get(product) ?? new PriceList(product, options));
  }
  return [...lists.values()].flatMap((list) => {
    const its = made.filter(({ product }) => product === list.product);
    return [...its.flatMap((each) => chargesOfOne(each, list, options)), ...chargesOfAccount(its, list)];
  });
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
  if (billed.addressesOf === 'service' && !isAlone) {
    ofEach.forEach((each) => {
      billAddresses(each, options);
    });
  } else {
    billAddresses(charge, options);
  }
  const traffic = members.map((member) => trafficOf(member.traffic ?? {}, options));
  billTogether(charge, sumOfTraffic(traffic), billed);
  (isAlone ? [charge] : ofEach).forEach((each, index) => {
    billEach(each, traffic[index], billed, options);
  });
  // what is not counted of the Services is not counted of their balancer
  charge.notes.push(...ofEach.flatMap((each) => each.notes.splice(0)));
  return [charge.done(), ...ofEach.map((each) => each.done()).filter(isAbout)];
}

function isAbout({ terms, missing, needs }: Charge): boolean {
  return terms.length > 0 || missing.length > 0 || needs.length > 0;
}

/** What the balancers of an account have together, where their product is billed so. */
function chargesOfAccount(balancers: readonly PhysicalBalancer[], list: PriceList): readonly Charge[] {
  const rules = list.billed?.rules;
  if (rules?.of !== 'account' || balancers.length === 0) {
    return [];
  }
  const members = balancers.flatMap((each) => each.members);
  const charge = new ChargeDraft(list, members, 0);
  billRules(charge, rules, members);
  return [charge.done()];
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
    const further: Factor = { value: Decimal.of(count - first), of: `further ${name}` };
    charge.bill(PriceItem.FURTHER_RULE, (price) => [further, { value: price, of: '' }, HOURS]);
  }
}

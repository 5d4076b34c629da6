import type { Finding } from '../contract/finding';
import { LoadBalancerScheme } from '../contract/load-balancer-scheme';
import type { BilledBalancer } from './balancers';
import type { BillOptions, ChargeDraft, Factor } from './charge';
import { isCount, notACount } from './counts';
import { Decimal } from './money';
import { PriceItem } from './prices';
import { HOURS_PER_MONTH } from './prices.facts';

const PUBLIC_ADDRESS = 'public IPv4';

/** Public addresses: all Services of a charge have the same ones. */
export function billAddresses(charge: ChargeDraft, options: BillOptions): void {
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

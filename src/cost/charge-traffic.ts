import { shown } from '../contract/printable';
import type { BillOptions, ChargeDraft, Factor } from './charge';
import { Decimal } from './money';
import { type PricedProduct, PriceItem } from './prices';
import { HOURS_PER_MONTH } from './prices.facts';
import type { ReadTraffic } from './traffic';

/** Why a term is not there, in the words of the bill. */
const TRAFFIC_NOT_COUNTED = 'traffic not counted (--gb-per-month)';
const DATA_NOT_COUNTED = 'data not counted (--gb-per-month)';
const OUT_NOT_COUNTED = 'data to the internet not counted (--gb-out-per-month)';
const TRAFFIC_ITEMS = [PriceItem.UNIT, PriceItem.PROCESSED, PriceItem.TRANSFER_OUT, PriceItem.BETWEEN_ZONES];
const ZONES_NOT_COUNTED = 'data between zones not counted';

/** Traffic whose price depends on that of all Services of the balancer. */
export function billTogether(charge: ChargeDraft, traffic: ReadTraffic, { unit, includedOut }: PricedProduct): void {
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
export function billEach(charge: ChargeDraft, traffic: ReadTraffic, billed: PricedProduct, options: BillOptions): void {
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

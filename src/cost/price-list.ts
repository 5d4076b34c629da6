import { grouped, isDay, ownValue, shown } from '../contract/json';
import type { Citation, Confidence } from '../contract/kubernetes.facts';
import { type Mistake, nearest } from '../contract/rule';
import { compareTexts } from './balancers';
import { Decimal } from './money';
import { type PRICE_ITEMS, PRICE_ROWS, PRICED_PRODUCTS } from './prices.facts';

export type PriceItem = keyof typeof PRICE_ITEMS;

export interface ListPrice {
  readonly product: string;
  readonly region: string;
  readonly item: PriceItem;
  /** In the currency of the product, as text: a binary fraction would not be exact. */
  readonly price: string;
  /** The day at which it was read, or was known to hold: `2026-05-01`. */
  readonly read: string;
  readonly source: Citation;
  readonly confidence: Confidence;
}

export interface PricedProduct {
  readonly currency: string;
  /** The region whose prices count where none is given. */
  readonly region: string;
  readonly items: readonly PriceItem[];
  /** For what a listener is billed, and what the first of them have together: those of a balancer, or of an account. */
  readonly rules?: { readonly name: string; readonly first: number; readonly of: 'balancer' | 'account' };
  /** True if Services on one balancer have its addresses, or each some of its own. */
  readonly addressesOf: 'balancer' | 'service';
  /** Room of one unit of capacity; the largest share counts. */
  readonly unit?: {
    readonly name: string;
    readonly newPerSecond: number;
    readonly active: number;
    readonly gbPerHour: number;
  };
  /** Number of times a gigabyte between zones is billed: where it leaves, and where it arrives. */
  readonly zoneWays?: number;
  /** Gigabytes to the internet that a balancer has in its price each month. */
  readonly includedOut?: number;
}

/** Prices of products in regions: for each item a price, with the day at which it was read. */
export interface PriceRow extends Pick<ListPrice, 'confidence'> {
  readonly products: readonly string[];
  readonly regions: readonly string[];
  readonly page: string;
  readonly file: string;
  readonly prices: { readonly [item in PriceItem]?: readonly [price: string, read: string] };
}

/** Prices of a caller, in place of those of the table. */
export interface PriceOverrides extends Partial<Record<PriceItem, number | string>> {
  readonly currency?: string;
}

export interface PriceOptions {
  /**
   * The region of the vendor.
   *
   * @default - for each product the region that its table begins with; the bill names it
   */
  readonly region?: string;
  /** Prices by product: what is given wins over the table. */
  readonly prices?: Readonly<Record<string, PriceOverrides>>;
}

/** Billable items of a product about which nothing else is known. */
const SIMPLE_ITEMS: readonly PriceItem[] = ['hour', 'month', 'address', 'processed', 'transfer-out'];

export const LIST_PRICES: readonly ListPrice[] = PRICE_ROWS.flatMap(
  ({ products, regions, prices, page, file, confidence }) =>
    products.flatMap((product) =>
      regions.flatMap((region) =>
        Object.entries(prices).map(([item, [price, read]]) => {
          const source = { repository: page, version: read, file };
          return { product, region, item: item as PriceItem, price, read, source, confidence };
        }),
      ),
    ),
);

export const PRICED_REGIONS: readonly string[] = [...new Set(LIST_PRICES.map(({ region }) => region))].sort();

export class PriceList {
  public readonly billed?: PricedProduct;
  public readonly region: string;
  /** True if the region is the first one of the table, for none was given. */
  public readonly isAssumedRegion: boolean;
  private readonly given: PriceOverrides;
  private readonly listed: readonly ListPrice[];

  public constructor(
    public readonly product: string,
    options: PriceOptions,
  ) {
    const known = ownValue(PRICED_PRODUCTS, product);
    const given = ownValue(options.prices ?? {}, product);
    const currency = given?.currency ?? known?.currency;
    this.given = given ?? {};
    this.isAssumedRegion = options.region === undefined;
    this.region = options.region ?? known?.region ?? '';
    this.listed = LIST_PRICES.filter((price) => price.product === product);
    const items = SIMPLE_ITEMS.filter((item) => given?.[item] !== undefined);
    this.billed =
      currency === undefined
        ? undefined
        : { ...(known ?? { region: this.region, items, addressesOf: 'balancer' }), currency };
  }

  public bills(item: PriceItem): boolean {
    return this.billed?.items.includes(item) === true;
  }

  public price(item: PriceItem): { readonly value: Decimal; readonly listed?: ListPrice } | Mistake {
    const given = this.given[item];
    if (given !== undefined) {
      const value = Decimal.readAmount(given);
      return value
        ? { value }
        : {
            what: `${shown(given)} is not a valid price for '${item}' of ${this.product}`,
            remedy: 'give a number of 0 or more',
            value: String(given),
          };
    }
    const listed = this.listed.find((price) => price.item === item && price.region === this.region);
    return listed ? { value: Decimal.of(listed.price), listed } : this.missingPrices();
  }

  public uselessPrices(): readonly Mistake[] {
    const items: readonly string[] = this.billed?.items ?? [];
    return Object.keys(this.given)
      .filter((item) => item !== 'currency' && this.billed !== undefined && !items.includes(item))
      .map((item) => ({
        what: `${this.product} is not billed for ${shown(item)}, whose price is given`,
        remedy: `give prices for ${items.join(', ') || SIMPLE_ITEMS.join(', ')}`,
        value: item,
      }));
  }

  public missingPrices(): Mistake {
    if (!this.billed) {
      const like = nearest(this.product, Object.keys(PRICED_PRODUCTS));
      return {
        what: `prices of ${shown(this.product)} are not known`,
        remedy: `give its prices with their currency${like === undefined ? '' : `, or use ${shown(like)}`}`,
        value: this.product,
      };
    }
    const regions = [...new Set(this.listed.map(({ region }) => region))];
    return {
      what: `prices of ${this.product} in region ${shown(this.region)} are not known`,
      remedy: regions.length > 0 ? `give them, or use one of ${regions.join(', ')}` : 'give all that it is billed for',
      value: this.region,
    };
  }
}

/**
 * Prices that were read more than a year before a day. Nothing here reads a clock.
 *
 * @throws when it is no day of a calendar
 */
export function pricesOlderThan(today: string, prices: readonly ListPrice[] = LIST_PRICES) {
  if (!isDay(today)) {
    throw new Error(`${shown(today)} is not a valid date; use year, month and day, such as 2026-11-23`);
  }
  const yearAgo = `${String(Number(today.slice(0, 4)) - 1).padStart(4, '0')}${today.slice(4)}`;
  const old = grouped(
    prices.filter(({ read }) => read < yearAgo),
    ({ product, read }) => `${product} ${read}`,
  );
  return [...old.entries()]
    .sort(([one], [other]) => compareTexts(one, other))
    .map(([, same]) => ({
      product: same[0].product,
      items: [...new Set(same.map(({ item }) => item))].sort(),
      read: same[0].read,
    }));
}

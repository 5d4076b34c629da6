import { shown } from '../contract/json';
import type { Finding } from '../contract/rule';
import { nearest } from '../contract/rule';
import { Decimal } from './money';
import { type ListPrice, type PricedProduct, PriceItem } from './prices';
import { PRICE_ROWS, PRICED_PRODUCTS } from './prices.facts';

/** Prices of a caller, in place of those of the table. */
export interface GivenPrices extends Partial<Record<PriceItem, number | string>> {
  /**
   * The currency.
   *
   * @default - that of the product
   */
  readonly currency?: string;
}

/** Which prices count. */
export interface PriceOptions {
  /**
   * The region of the vendor.
   *
   * @default - for each product the region that its table begins with; the bill names it
   */
  readonly region?: string;
  /** Prices by product: what is given wins over the table. */
  readonly prices?: Readonly<Record<string, GivenPrices>>;
}

/** A price in use, and where it comes from: nowhere where the caller gave it. */
interface UsedPrice {
  readonly value: Decimal;
  readonly listed?: ListPrice;
}

/** What can be billed of a product about which nothing else is known. */
const SIMPLE_ITEMS = [PriceItem.HOUR, PriceItem.MONTH, PriceItem.ADDRESS, PriceItem.PROCESSED, PriceItem.TRANSFER_OUT];

/** The prices, each for one product in one region. */
export const LIST_PRICES: readonly ListPrice[] = PRICE_ROWS.flatMap((row) =>
  row.products.flatMap((product) =>
    row.regions.flatMap((region) =>
      Object.entries(row.prices).map(([item, [price, read]]) => {
        const source = { repository: row.page, version: read, file: row.file };
        return { product, region, item: item as PriceItem, price, read, source, confidence: row.confidence };
      }),
    ),
  ),
);

const TABLE = new Map(
  LIST_PRICES.map((listed) => [
    keyOf(listed.product, listed.region, listed.item),
    { value: Decimal.of(listed.price), listed },
  ]),
);

/** The regions of which there is a price, in order. */
export const PRICED_REGIONS: readonly string[] = [...new Set(LIST_PRICES.map(({ region }) => region))].sort();

function keyOf(product: string, region: string, item: PriceItem): string {
  return [product, region, item].join(' ');
}

/** The prices of one product in one region. */
export class PriceList {
  /** How the product is billed; unset where neither the table nor the caller knows it. */
  public readonly billed?: PricedProduct;
  public readonly region: string;
  /** Whether the region is the first one of the table, for none was given. */
  public readonly isAssumedRegion: boolean;
  private readonly given: GivenPrices;

  public constructor(
    public readonly product: string,
    options: PriceOptions,
  ) {
    const known = own(PRICED_PRODUCTS, product);
    const given = own(options.prices ?? {}, product);
    this.given = given ?? {};
    this.isAssumedRegion = options.region === undefined;
    this.region = options.region ?? known?.region ?? '';
    if (known) {
      this.billed = { ...known, currency: this.given.currency ?? known.currency };
    } else if (given?.currency !== undefined) {
      this.billed = {
        currency: given.currency,
        region: this.region,
        items: SIMPLE_ITEMS.filter((item) => given[item] !== undefined),
        addressesOf: 'balancer',
      };
    }
  }

  /** Whether the product is billed for something. */
  public bills(item: PriceItem): boolean {
    return this.billed?.items.includes(item) === true;
  }

  /** A price, or what is missing to know it. */
  public price(item: PriceItem): UsedPrice | Finding {
    const given = this.given[item];
    if (given !== undefined) {
      const value = Decimal.read(given);
      return value && !value.isNegative() ? { value } : this.wrongPrice(item, given);
    }
    const listed = TABLE.get(keyOf(this.product, this.region, item));
    return listed ?? this.missingPrices();
  }

  /** Given prices that count for nothing. */
  public uselessPrices(): readonly Finding[] {
    const items: readonly string[] = this.billed?.items ?? [];
    return Object.keys(this.given)
      .filter((item) => item !== 'currency' && this.billed !== undefined && !items.includes(item))
      .map((item) => ({
        what: `${this.product} is not billed for ${shown(item)}, whose price is given`,
        remedy: `give prices for ${items.join(', ') || SIMPLE_ITEMS.join(', ')}`,
        value: item,
      }));
  }

  /** What is missing where no price of the product, or none in the region, is known. */
  public missingPrices(): Finding {
    if (!this.billed) {
      const like = nearest(this.product, Object.keys(PRICED_PRODUCTS));
      return {
        what: `no prices of ${shown(this.product)} are known`,
        remedy: `give its prices with their currency${like === undefined ? '' : `, or use ${shown(like)}`}`,
        value: this.product,
      };
    }
    const regions = [
      ...new Set(LIST_PRICES.filter(({ product }) => product === this.product).map((one) => one.region)),
    ];
    return {
      what: `prices of ${this.product} in region ${shown(this.region)} are not known`,
      remedy: regions.length > 0 ? `give them, or use one of ${regions.join(', ')}` : 'give all that it is billed for',
      value: this.region,
    };
  }

  private wrongPrice(item: PriceItem, given: unknown): Finding {
    return {
      what: `${shown(given)} is not a valid price for '${item}' of ${this.product}`,
      remedy: 'give a number of 0 or more',
      value: String(given),
    };
  }
}

function own<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

/** Prices that were read more than a year before a day, each with the day at which it was read. */
interface OldPrices {
  readonly product: string;
  readonly items: readonly PriceItem[];
  readonly read: string;
}

const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;

/**
 * Prices that were read more than a year before a day. Nothing here reads a clock.
 *
 * @param today the day: `2026-11-23`
 * @param prices the prices in question, such as those that a bill uses
 * @throws when it is no day of a calendar
 */
export function pricesOlderThan(today: string, prices: readonly ListPrice[] = LIST_PRICES): readonly OldPrices[] {
  if (!isDay(today)) {
    throw new Error(`${shown(today)} is not a valid date; use year, month and day, such as 2026-11-23`);
  }
  const yearAgo = `${String(Number(today.slice(0, 4)) - 1).padStart(4, '0')}${today.slice(4)}`;
  const old = new Map<string, Set<PriceItem>>();
  for (const { product, item, read } of prices.filter((price) => price.read < yearAgo)) {
    const key = `${product} ${read}`;
    old.set(key, (old.get(key) ?? new Set()).add(item));
  }
  return [...old.entries()].sort(byKey).map(([key, items]) => {
    const [product, read] = key.split(' ');
    return { product, items: [...items].sort(), read };
  });
}

function byKey([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : Number(one > other);
}

function isDay(text: string): boolean {
  const [, year, month, day] = (DAY.exec(text) ?? []).map(Number);
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1];
  return days !== undefined && day >= 1 && day <= days;
}

import type { Citation, Confidence } from '../contract/kubernetes.facts';

/** What a vendor bills. */
export enum PriceItem {
  /** A balancer, for each hour. */
  HOUR = 'hour',
  /** A balancer, for each month. */
  MONTH = 'month',
  /** The first rules together, for each hour. */
  FIRST_RULES = 'first-rules',
  /** Each rule more, for each hour. */
  FURTHER_RULE = 'further-rule',
  /** A public IPv4 address, for each hour. */
  ADDRESS = 'address',
  /** A unit of capacity, for each hour. */
  UNIT = 'unit',
  /** A gigabyte through the balancer, in either direction. */
  PROCESSED = 'processed',
  /** A gigabyte to the internet, at the price of the first tier. */
  TRANSFER_OUT = 'transfer-out',
  /** A gigabyte from one zone to another, for each time that it is billed. */
  BETWEEN_ZONES = 'between-zones',
}

/** A price in a list. */
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

/** What one unit of capacity has room for; the largest share counts. */
interface CapacityUnit {
  /** As the vendor calls it. */
  readonly name: string;
  readonly newPerSecond: number;
  readonly active: number;
  readonly gbPerHour: number;
}

/** How a product is billed. */
export interface PricedProduct {
  readonly currency: string;
  /** The region whose prices count where none is given. */
  readonly region: string;
  readonly items: readonly PriceItem[];
  /** For what a listener is billed, and what the first of them have together: those of a balancer, or of an account. */
  readonly rules?: { readonly name: string; readonly first: number; readonly of: 'balancer' | 'account' };
  /** Whether Services on one balancer have its addresses, or each some of its own. */
  readonly addressesOf: 'balancer' | 'service';
  readonly unit?: CapacityUnit;
  /** How often a gigabyte is billed that goes from one zone to another: where it leaves, and where it arrives. */
  readonly zoneWays?: number;
  /** Gigabytes to the internet that a balancer has in its price each month. */
  readonly includedOut?: number;
}

/** Prices of products in regions: for each item a price, with the day at which it was read. */
export interface PriceRow {
  readonly products: readonly string[];
  readonly regions: readonly string[];
  readonly page: string;
  readonly file: string;
  readonly confidence: Confidence;
  readonly prices: { readonly [item in PriceItem]?: readonly [price: string, read: string] };
}

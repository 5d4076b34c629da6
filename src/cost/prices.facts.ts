import { type Citation, Confidence } from '../contract/kubernetes.facts';

// List prices of vendors: before tax, discounts, credits and free tiers. Where a price was not read on the vendor's own page, it is
// marked as unverified, with the date at which it was known to hold.

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
export interface CapacityUnit {
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

/** Hours of a month, as price lists have them: 365 × 24 ÷ 12. */
export const HOURS_PER_MONTH = 730;

/** The product of what is made inside a cluster: no vendor bills it. */
export const UNBILLED_PRODUCT = 'none';

const { HOUR, MONTH, FIRST_RULES, FURTHER_RULE, ADDRESS, UNIT, PROCESSED, TRANSFER_OUT, BETWEEN_ZONES } = PriceItem;

/** The units of TCP; those of UDP have room for half the connections, those of TLS for a sixteenth of the new ones. AWS, Elastic Load Balancing pricing */
const NLCU: CapacityUnit = { name: 'NLCU', newPerSecond: 800, active: 100_000, gbPerHour: 1 };

const GCP_PASSTHROUGH = {
  currency: 'USD',
  region: 'us-central1',
  items: [FIRST_RULES, FURTHER_RULE, PROCESSED, TRANSFER_OUT, BETWEEN_ZONES],
  rules: { name: 'forwarding rules', first: 5, of: 'account' },
  addressesOf: 'service',
  zoneWays: 1,
} as const;

const HETZNER = {
  currency: 'EUR',
  region: 'fsn1',
  items: [MONTH, TRANSFER_OUT],
  addressesOf: 'balancer',
  includedOut: 20_000,
} as const;

/** The products whose prices are known, by the names that controllers give them. */
export const PRICED_PRODUCTS: Readonly<Record<string, PricedProduct>> = {
  'aws/nlb': {
    currency: 'USD',
    region: 'us-east-1',
    items: [HOUR, ADDRESS, UNIT, TRANSFER_OUT, BETWEEN_ZONES],
    addressesOf: 'balancer',
    unit: NLCU,
    zoneWays: 2,
  },
  'aws/clb': {
    currency: 'USD',
    region: 'us-east-1',
    items: [HOUR, ADDRESS, PROCESSED, TRANSFER_OUT, BETWEEN_ZONES],
    addressesOf: 'balancer',
    zoneWays: 2,
  },
  'azure/standard': {
    currency: 'USD',
    region: 'eastus',
    items: [FIRST_RULES, FURTHER_RULE, ADDRESS, PROCESSED, TRANSFER_OUT],
    rules: { name: 'rules', first: 5, of: 'balancer' },
    addressesOf: 'service',
  },
  'gcp/passthrough-external': GCP_PASSTHROUGH,
  'gcp/passthrough-internal': GCP_PASSTHROUGH,
  'hetzner/lb11': HETZNER,
  'hetzner/lb21': HETZNER,
  'hetzner/lb31': HETZNER,
};

type Figure = readonly [item: PriceItem, price: string, read: string];

/** Prices that third parties name or that are known from use: they were not read on the vendor's page. */
function unverified(
  page: string,
  file: string,
  product: string,
  regions: readonly string[],
  figures: readonly Figure[],
) {
  return pricesOf(page, file, Confidence.UNVERIFIED, product, regions, figures);
}

function pricesOf(
  page: string,
  file: string,
  confidence: Confidence,
  product: string,
  regions: readonly string[],
  figures: readonly Figure[],
): ListPrice[] {
  return regions.flatMap((region) =>
    figures.map(([item, price, read]) => ({
      product,
      region,
      item,
      price,
      read,
      source: { repository: page, version: read, file },
      confidence,
    })),
  );
}

const AWS = 'AWS Elastic Load Balancing pricing';
const NLB = 'Network Load Balancer';
const CLB = 'Classic Load Balancer';
const EC2 = 'Amazon EC2 on-demand pricing';
const VPC = 'Amazon VPC pricing';

/** Price pages of third parties from May 2026 agree on these. */
const AMERICA = ['us-east-1', 'us-east-2', 'us-west-2'];
const PAGES_OF_2026 = '2026-05-01';
/** The bill of a third party for July 2026: 15.00 for 595 hours of a balancer and 8.91 for 1,783 hours of addresses, in eu-west-1. */
const BILL_OF_2026 = '2026-07-31';
/** Known from use up to this day, and not looked up since. */
const REMEMBERED = '2025-06-01';
/** Vendor's pages whose stored copies are from this year or later. */
const PAGES_OF_2025 = '2025-01-01';

const HETZNER_PAGE = 'Hetzner Cloud pricing';
const HETZNER_REGIONS = ['fsn1', 'nbg1', 'hel1'];
const AZURE_REGIONS = ['eastus', 'eastus2', 'westus2', 'northeurope', 'westeurope'];
const GCP_REGIONS = ['us-central1', 'us-east1', 'europe-west1', 'europe-west3', 'europe-west4'];

/** What has one price in all regions of this table. */
const AWS_NETWORK: readonly Figure[] = [[BETWEEN_ZONES, '0.01', REMEMBERED]];
const OUT_OF_AMERICA_AND_EUROPE: Figure = [TRANSFER_OUT, '0.09', REMEMBERED];
const OUT_OF_TOKYO: Figure = [TRANSFER_OUT, '0.114', REMEMBERED];
const EUROPE = ['eu-west-1', 'eu-central-1'];
const TOKYO = ['ap-northeast-1'];

/** The prices, each for one product in one region. */
export const LIST_PRICES: readonly ListPrice[] = [
  ...unverified(AWS, NLB, 'aws/nlb', AMERICA, [
    [HOUR, '0.0225', PAGES_OF_2026],
    [UNIT, '0.006', PAGES_OF_2026],
  ]),
  ...unverified(
    AWS,
    NLB,
    'aws/nlb',
    ['eu-west-1'],
    [
      [HOUR, '0.0252', BILL_OF_2026],
      [UNIT, '0.006', REMEMBERED],
    ],
  ),
  ...unverified(
    AWS,
    NLB,
    'aws/nlb',
    ['eu-central-1'],
    [
      [HOUR, '0.027', REMEMBERED],
      [UNIT, '0.006', REMEMBERED],
    ],
  ),
  ...unverified(AWS, NLB, 'aws/nlb', TOKYO, [
    [HOUR, '0.0243', REMEMBERED],
    [UNIT, '0.006', REMEMBERED],
  ]),
  ...unverified(AWS, CLB, 'aws/clb', AMERICA, [
    [HOUR, '0.025', PAGES_OF_2026],
    [PROCESSED, '0.008', PAGES_OF_2026],
  ]),
  ...unverified(
    AWS,
    CLB,
    'aws/clb',
    ['eu-west-1'],
    [
      [HOUR, '0.028', REMEMBERED],
      [PROCESSED, '0.008', REMEMBERED],
    ],
  ),
  ...unverified(
    AWS,
    CLB,
    'aws/clb',
    ['eu-central-1'],
    [
      [HOUR, '0.03', REMEMBERED],
      [PROCESSED, '0.008', REMEMBERED],
    ],
  ),
  ...unverified(AWS, CLB, 'aws/clb', TOKYO, [
    [HOUR, '0.027', REMEMBERED],
    [PROCESSED, '0.008', REMEMBERED],
  ]),
  ...['aws/nlb', 'aws/clb'].flatMap((product) => [
    // one price in all regions since February 2024
    ...unverified(
      VPC,
      'Public IPv4 address',
      product,
      [...AMERICA, ...EUROPE, ...TOKYO],
      [[ADDRESS, '0.005', BILL_OF_2026]],
    ),
    ...unverified(EC2, 'Data transfer', product, [...AMERICA, ...EUROPE], [OUT_OF_AMERICA_AND_EUROPE, ...AWS_NETWORK]),
    ...unverified(EC2, 'Data transfer', product, TOKYO, [OUT_OF_TOKYO, ...AWS_NETWORK]),
  ]),
  ...unverified('Azure Load Balancer pricing', 'Standard Load Balancer', 'azure/standard', AZURE_REGIONS, [
    [FIRST_RULES, '0.025', REMEMBERED],
    [FURTHER_RULE, '0.01', REMEMBERED],
    [PROCESSED, '0.005', REMEMBERED],
  ]),
  ...unverified('Azure IP addresses pricing', 'Standard static public IPv4', 'azure/standard', AZURE_REGIONS, [
    [ADDRESS, '0.005', REMEMBERED],
  ]),
  ...unverified('Azure bandwidth pricing', 'Internet egress', 'azure/standard', AZURE_REGIONS, [
    [TRANSFER_OUT, '0.087', REMEMBERED],
  ]),
  ...['gcp/passthrough-external', 'gcp/passthrough-internal'].flatMap((product) => [
    ...pricesOf('Google Cloud', 'load-balancing/pricing', Confidence.DOCS, product, GCP_REGIONS, [
      [FIRST_RULES, '0.025', PAGES_OF_2025],
      [FURTHER_RULE, '0.01', PAGES_OF_2025],
    ]),
    ...pricesOf(
      'Google Cloud',
      'load-balancing/pricing',
      Confidence.DOCS,
      product,
      ['us-central1'],
      [[PROCESSED, '0.008', PAGES_OF_2025]],
    ),
    ...unverified('Google Cloud', 'load-balancing/pricing', product, GCP_REGIONS.slice(1), [
      [PROCESSED, '0.008', REMEMBERED],
    ]),
    ...unverified('Google Cloud', 'vpc/network-pricing', product, GCP_REGIONS, [
      [TRANSFER_OUT, '0.12', REMEMBERED],
      [BETWEEN_ZONES, '0.01', REMEMBERED],
    ]),
  ]),
  // a third party read 9.06 of the vendor's API on this day, with a tax of 21 %
  ...unverified(HETZNER_PAGE, 'Load Balancer LB11', 'hetzner/lb11', HETZNER_REGIONS, [[MONTH, '7.49', '2026-08-09']]),
  // from before the prices of 2026
  ...unverified(HETZNER_PAGE, 'Load Balancer LB21', 'hetzner/lb21', HETZNER_REGIONS, [[MONTH, '16.4', REMEMBERED]]),
  ...unverified(HETZNER_PAGE, 'Load Balancer LB31', 'hetzner/lb31', HETZNER_REGIONS, [[MONTH, '32.9', REMEMBERED]]),
  ...['hetzner/lb11', 'hetzner/lb21', 'hetzner/lb31'].flatMap((product) =>
    unverified(HETZNER_PAGE, 'Traffic', product, HETZNER_REGIONS, [[TRANSFER_OUT, '0.001', REMEMBERED]]),
  ),
];

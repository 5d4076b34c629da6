import { shown } from '../contract/json';
import { LoadBalancerScheme } from '../contract/options';
import type { Finding } from '../contract/rule';
import { type BilledBalancer, nameOf, type Traffic } from './balancers';
import { Decimal } from './money';
import type { PriceList, PriceOptions } from './price-list';
import type { ListPrice, PriceItem } from './prices';
import { HOURS_PER_MONTH } from './prices.facts';

/** What a bill is made with: figures of traffic are those of each Service that has none of its own. */
export interface BillOptions extends PriceOptions, Traffic {
  /** In how many zones a balancer is, where neither the Service nor its caller knows it. */
  readonly zones?: number;
  /** How many zone borders a byte crosses on its way from the balancer to the pod, on average. */
  readonly zoneCrossings?: number;
}

/** A number in a term, and what it counts. */
export interface Factor {
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

/** What is not counted for a Service. */
export interface Note {
  readonly text: string;
  readonly service: string;
}

/** What is billed together for one balancer, or for what balancers have in common. */
export interface Charge {
  readonly product: string;
  /** As the vendor calls the product. */
  readonly name: string;
  /** Unset where nothing is billed, or it is not known what. */
  readonly currency?: string;
  /** The Services that it is for. */
  readonly payers: readonly BilledBalancer[];
  /** How many balancers it counts: those of a charge beside the balancer's own are counted there. */
  readonly balancers: number;
  readonly terms: readonly Term[];
  /** Terms that are not counted for want of something: `public IPv4: needs zones`. */
  readonly missing: readonly string[];
  /** The same with its remedy. */
  readonly needs: readonly Finding[];
  /** What was not asked for, and is not in the terms. */
  readonly notes: readonly Note[];
  /** The terms, and what is missing of them, in words. */
  readonly words: readonly string[];
  /** The same for all charges that are one line of a bill. */
  readonly key: string;
  /** The prices of the table that count here. */
  readonly prices: readonly ListPrice[];
  /** The region whose prices count though none was given. */
  readonly assumedRegion?: string;
}

export const HOURS: Factor = { value: Decimal.of(HOURS_PER_MONTH), of: 'h' };

/** A charge while its terms are found. */
export class ChargeDraft {
  public readonly needs: Finding[] = [];
  public readonly notes: Note[] = [];
  private readonly terms: Term[] = [];
  private readonly missing: string[] = [];
  private readonly prices: ListPrice[] = [];

  public constructor(
    private readonly list: PriceList,
    public readonly payers: readonly BilledBalancer[],
    private readonly balancers: number,
  ) {}

  public need(missing: string, finding: Finding): void {
    this.missing.push(missing);
    this.needs.push(finding);
  }

  public needPrices(finding: Finding): void {
    this.need(`needs prices of ${shown(this.list.product)}`, finding);
  }

  /** Says what is not counted of the one Service that this is for. */
  public note(text: string): void {
    this.notes.push({ text, service: nameOf(this.payers[0]) });
  }

  /** Adds the term of an item, where the product is billed for it and its price is known. */
  public bill(item: PriceItem, factorsOf: (price: Decimal) => readonly Factor[]): void {
    if (!this.list.bills(item)) {
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
    const factors = factorsOf(price.value);
    const amount = factors.reduce((product, { value }) => product.times(value), Decimal.of(1));
    const text = factors.map(({ value, of }) => (of === '' ? `${value}` : `${value} ${of}`)).join(' × ');
    this.terms.push({ item, factors, amount, text });
  }

  /** Whether a client on the internet may be at the other end. */
  public get isPublic(): boolean {
    return this.payers.some(({ made }) => made.scheme !== LoadBalancerScheme.INTERNAL);
  }

  public bills(item: PriceItem): boolean {
    return this.list.bills(item);
  }

  public done(): Charge {
    const { list, payers, balancers, terms, missing, needs, notes, prices } = this;
    const unmet = [...new Set(missing)];
    const words = [...terms.map(({ text }) => text), ...unmet.map((each) => `(${each})`)];
    return {
      product: list.product,
      name: payers[0].made.name,
      ...(list.billed && { currency: list.billed.currency }),
      payers,
      balancers,
      terms,
      missing: unmet,
      needs: distinct(needs),
      notes,
      words,
      key: JSON.stringify([list.billed?.currency ?? '', list.product, words]),
      prices,
      ...(list.isAssumedRegion && prices.length > 0 && { assumedRegion: list.region }),
    };
  }
}

/** Findings that say different things. */
export function distinct(findings: readonly Finding[]): readonly Finding[] {
  return [...new Map(findings.map((finding) => [`${finding.what} ${finding.remedy}`, finding])).values()];
}

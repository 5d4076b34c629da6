import { grouped } from '../contract/json';
import type { Mistake } from '../contract/rule';
import { type BilledBalancer, compareTexts, nameOf } from './balancers';
import { type BillOptions, type Charge, chargesOf, distinct, type Term } from './charges';
import { Decimal, Money } from './money';
import type { ListPrice } from './price-list';

/** Billing term of one balancer or several: `6 × (0.0225 × 730 h + 3 zones × 3.65 public IPv4)`. */
export interface BillLine {
  readonly product: string;
  readonly name: string;
  readonly currency?: string;
  readonly count: number;
  readonly terms: readonly Term[];
  readonly missing: readonly string[];
  readonly each: Decimal;
  readonly amount: Decimal;
  readonly services: readonly string[];
  readonly words: readonly string[];
  readonly text: string;
}

export interface BillTotal {
  readonly balancers: number;
  readonly amounts: Money;
  readonly lines: readonly BillLine[];
  /** Context that all terms need: until then the amounts are the least. */
  readonly needs: readonly Mistake[];
  /** Parts that are not counted because their figures were not given: traffic, mostly. */
  readonly notes: readonly string[];
  /** The amounts in words: `at least USD 18.25`. */
  readonly sum: string;
  /** Their terms: `0.025 × 730 h, traffic not counted (--gb-per-month)`; empty if nothing is billed. */
  readonly formula: string;
  /** Both: `USD 18.25 = 0.025 × 730 h, traffic not counted (--gb-per-month)`. */
  readonly text: string;
}

/** The part of a bill that is for one owner, namespace or tenant, or for what several have together. */
export interface BillPart extends BillTotal {
  /** For whom: several names for what they share, and none for what has no such name. */
  readonly of: readonly string[];
}

export interface MonthlyCost extends BillTotal {
  readonly assumedRegions: readonly string[];
}

/** Monthly cost of balancers by the price lists of their vendors, before traffic that was not given. Never a quote. */
export interface Bill extends MonthlyCost {
  readonly byOwner: readonly BillPart[];
  readonly byNamespace: readonly BillPart[];
  readonly byTenant: readonly BillPart[];
  readonly prices: readonly ListPrice[];
}

export function billOf(balancers: readonly BilledBalancer[], options: BillOptions = {}): Bill {
  const charges = chargesOf(balancers, options);
  return {
    ...totalOf(charges),
    byOwner: partsOf(charges, ({ owner }) => owner),
    byNamespace: partsOf(charges, ({ namespace }) => namespace),
    byTenant: partsOf(charges, ({ tenant }) => tenant),
    prices: [...new Set(charges.flatMap(({ prices }) => prices))],
    assumedRegions: [...new Set(charges.flatMap(({ assumedRegion }) => assumedRegion ?? []))].sort(),
  };
}

function partsOf(charges: readonly Charge[], whose: (payer: BilledBalancer) => string | undefined): BillPart[] {
  const namesOf = ({ payers }: Charge) => [...new Set(payers.flatMap((payer) => whose(payer) ?? []))].sort();
  return inOrderOf(charges, (charge) => JSON.stringify(namesOf(charge))).map((part) => ({
    of: namesOf(part[0]),
    ...totalOf(part),
  }));
}

function inOrderOf<T>(things: readonly T[], textOf: (thing: T) => string): (readonly T[])[] {
  return [...grouped(things, textOf)].sort(([one], [other]) => compareTexts(one, other)).map(([, same]) => same);
}

function totalOf(charges: readonly Charge[]): BillTotal {
  const lines = linesOf(charges);
  const notes = notesOf(charges);
  const sums = sumsOf(lines);
  const inWords = sums.map(({ sum, terms }) => `${sum} = ${terms}`).join('; ');
  return {
    balancers: charges.reduce((sum, each) => sum + each.balancers, 0),
    amounts: Money.sum(lines.flatMap(({ currency, amount }) => (currency ? Money.of(currency, amount) : []))),
    lines,
    needs: distinct(charges.flatMap((charge) => charge.needs)),
    notes,
    sum: sums.map(({ sum }) => sum).join(' and ') || NOTHING_BILLED,
    formula: sums.length > 0 ? [sums.map(({ terms }) => terms).join('; '), ...notes].join(', ') : '',
    text: [inWords || NOTHING_BILLED, ...notes].join(', '),
  };
}

/** Parts that are not counted, with the number of Services if it is not all that are billed. */
function notesOf(charges: readonly Charge[]): readonly string[] {
  const billed = new Set(charges.flatMap(({ currency, payers }) => (currency === undefined ? [] : payers))).size;
  const notes = charges.flatMap((charge) => charge.notes);
  return [...grouped(notes, (text) => text)]
    .map(([text, { length }]) => (length === billed ? text : `${text} for ${length} of ${billed} Services`))
    .sort();
}

/** Charges of the same terms are one line. */
function linesOf(charges: readonly Charge[]): readonly BillLine[] {
  const billed = charges.filter(({ words }) => words.length > 0);
  return inOrderOf(billed, ({ key }) => key).map((same) => {
    const [{ product, name, currency, terms, missing, words }] = same;
    const each = Decimal.sum(terms.map(({ amount }) => amount));
    return {
      ...{ product, name, ...(currency !== undefined && { currency }) },
      ...{ count: same.length, terms, missing, each, amount: each.times(same.length) },
      services: same.flatMap(({ payers }) => payers.map(nameOf)).sort(),
      words,
      text: timesInWords(same.length, words, same.length > 1),
    };
  });
}

function timesInWords(count: number, words: readonly string[], isGrouped: boolean): string {
  const sum = words.join(' + ');
  return `${count === 1 ? '' : `${count} × `}${isGrouped && words.length > 1 ? `(${sum})` : sum}`;
}

const NOTHING_BILLED = 'nothing that a vendor bills';

/** `USD 164.25` and `6 × (…)`, for each currency; `at least` where a term is missing. */
function sumsOf(lines: readonly BillLine[]) {
  return [...grouped(lines, ({ currency }) => currency)].map(([currency, its]) => {
    const terms = its.map(({ text }) => text).join(' + ');
    if (currency === undefined || its.every((line) => line.terms.length === 0)) {
      return { sum: 'not known', terms };
    }
    const amount = Money.of(currency, Decimal.sum(its.map((line) => line.amount)));
    return { sum: `${its.some(isIncomplete) ? 'at least ' : ''}${amount}`, terms };
  });
}

function isIncomplete({ missing }: BillLine): boolean {
  return missing.length > 0;
}

export function differenceOf(before: BillTotal, after: BillTotal) {
  const changes = changesOf(before.lines, after.lines);
  const isKnown = ![...before.lines, ...after.lines].some(isIncomplete);
  const least = isKnown ? '' : 'at least ';
  const terms = changes.map(({ text }) => text).join(' ');
  const brief = terms === '' ? 'no difference' : `${least}${before.amounts} -> ${least}${after.amounts}`;
  return {
    amounts: after.amounts.minus(before.amounts),
    balancers: after.balancers - before.balancers,
    changes,
    /** True if a term of either bill is missing: the difference is not known then. */
    isKnown,
    /** `USD 164.25 -> USD 27.38: - 5 × (0.0225 × 730 h + 3 zones × 3.65 public IPv4)`. */
    text: terms === '' ? brief : `${brief}: ${terms}`,
    /** The same without the terms. */
    brief,
  };
}

function changesOf(before: readonly BillLine[], after: readonly BillLine[]) {
  const counted = [...before.map((line) => ({ line, sign: -1 })), ...after.map((line) => ({ line, sign: 1 }))];
  const alike = grouped(counted, ({ line }) => JSON.stringify([line.currency ?? '', line.product, line.words]));
  return [...alike]
    .map(([key, same]) => ({
      key,
      line: same[0].line,
      count: same.reduce((sum, { line, sign }) => sum + sign * line.count, 0),
    }))
    .filter(({ count }) => count !== 0)
    .sort((one, other) => one.count - other.count || compareTexts(one.key, other.key))
    .map(({ line, count }) => ({
      product: line.product,
      ...(line.currency !== undefined && { currency: line.currency }),
      count,
      amount: line.each.times(count),
      text: `${count < 0 ? '-' : '+'} ${timesInWords(Math.abs(count), line.words, true)}`,
    }));
}

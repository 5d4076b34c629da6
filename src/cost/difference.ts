import { compareTexts } from './balancers';
import type { BillLine, BillTotal } from './bill';
import type { Decimal, Money } from './money';

/** Terms that are billed more or less often than before. */
export interface BillChange {
  readonly product: string;
  readonly currency?: string;
  /** How many times more; below zero where it is less. */
  readonly count: number;
  /** What that is a month. */
  readonly amount: Decimal;
  /** `- 5 × (0.0225 × 730 h + 3 zones × 3.65 public IPv4)`. */
  readonly text: string;
}

/** What two bills differ in. */
export interface BillDifference {
  /** What the second one has more; below zero where it has less. */
  readonly amounts: Money;
  readonly balancers: number;
  readonly changes: readonly BillChange[];
  /** Whether a term of either bill is missing: the difference is not known then. */
  readonly isKnown: boolean;
  /** `USD 164.25 -> USD 27.38: - 5 × (0.0225 × 730 h + 3 zones × 3.65 public IPv4)`. */
  readonly text: string;
}

/** The difference between two bills, or between the same part of both. */
export function differenceOf(before: BillTotal, after: BillTotal): BillDifference {
  const changes = changesOf(before.lines, after.lines);
  const isKnown = [before, after].every(({ lines }) => lines.every(({ missing }) => missing.length === 0));
  const least = isKnown ? '' : 'at least ';
  const terms = changes.map(({ text }) => text).join(' ');
  return {
    amounts: after.amounts.minus(before.amounts),
    balancers: after.balancers - before.balancers,
    changes,
    isKnown,
    text: terms === '' ? 'no difference' : `${least}${before.amounts} -> ${least}${after.amounts}: ${terms}`,
  };
}

function changesOf(before: readonly BillLine[], after: readonly BillLine[]): readonly BillChange[] {
  const lines = new Map<string, { line: BillLine; count: number }>();
  for (const [all, sign] of [
    [before, -1],
    [after, 1],
  ] as const) {
    for (const line of all) {
      const key = JSON.stringify([line.currency ?? '', line.product, line.words]);
      const known = lines.get(key) ?? { line, count: 0 };
      lines.set(key, { line: known.line, count: known.count + sign * line.count });
    }
  }
  return [...lines.entries()]
    .filter(([, { count }]) => count !== 0)
    .sort(([one, { count }], [other, { count: another }]) => count - another || compareTexts(one, other))
    .map(([, { line, count }]) => ({
      product: line.product,
      ...(line.currency !== undefined && { currency: line.currency }),
      count,
      amount: line.each.times(count),
      text: `${count < 0 ? '-' : '+'} ${timesOf(Math.abs(count), line)}`,
    }));
}

function timesOf(count: number, { words }: BillLine): string {
  const sum = words.join(' + ');
  return words.length === 1 ? (count === 1 ? sum : `${count} × ${sum}`) : `${count === 1 ? '' : `${count} × `}(${sum})`;
}

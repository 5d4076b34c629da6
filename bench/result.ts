import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FILE = join(__dirname, 'result.json');

/** How this library did against another contestant. */
export interface MatchResult {
  readonly title: string;
  /** Unset until the contest is run for the first time. */
  readonly ratio?: number;
  /** The most that the ratio may be. */
  readonly limit: number;
  /** What the project wants, if that is less than the limit. */
  readonly goal?: number;
  /** What the rest of the time is spent on, of a ratio over 1. */
  readonly because?: string;
}

/** What one contestant costs, from size to size. */
export interface Curve {
  readonly name: string;
  /** Parts of what cdk8s alone takes for the largest size. */
  readonly time: readonly number[];
  /** MiB of the process. */
  readonly memory: readonly number[];
}

export interface Curves {
  /** Services in one chart. */
  readonly sizes: readonly number[];
  readonly curves: readonly Curve[];
}

/** What a whole run of the benchmark writes, and the docs show. */
export interface BenchResult extends Curves {
  /** How many rounds a match had. */
  readonly rounds: { readonly least: number; readonly most: number };
  readonly results: readonly MatchResult[];
}

export function readResult(): BenchResult {
  return JSON.parse(readFileSync(FILE, 'utf8')) as BenchResult;
}

/** The ratios of some matches in place of those that a result has, in the order of all contests; a contest that is gone goes. */
export function withResults(
  result: BenchResult,
  newer: readonly MatchResult[],
  contests: readonly { readonly title: string }[],
): BenchResult {
  const known = new Map([...result.results, ...newer].map((each) => [each.title, each]));
  return { ...result, results: contests.flatMap(({ title }) => known.get(title) ?? []) };
}

export function writeResult(result: BenchResult): void {
  // arrays of numbers in one line each
  const text = JSON.stringify(result, undefined, 2).replace(/\[[\s\d.,]+\]/g, (numbers) =>
    numbers.replace(/\s+/g, ' ').replace('[ ', '[').replace(' ]', ']'),
  );
  writeFileSync(FILE, `${text}\n`);
}

import type { Curves } from './result';

/** How many Services are in one chart, from point to point. */
const SIZES = [100, 300, 1000, 3000, 10_000];

const ROUNDS = 5;

/** Who takes part, and what readers call it; what all are measured against is the first. */
const CONTESTANTS: Readonly<Record<string, string>> = {
  raw: 'cdk8s alone',
  'plus-27': 'cdk8s-plus-27',
  ours: 'this library',
};

/** One process. */
export interface Sample {
  /** From an empty app to written files, in milliseconds. */
  readonly time: number;
  /** The most that the process took, in MiB. */
  readonly memory: number;
}

/**
 * Time and memory against size, of rounds in which all take turns: the best time, which a busy machine moves least, as a part of
 * that of the first for the largest size, and the median of the memory.
 */
export function measuredCurves(sample: (contestant: string, size: number) => Sample): Curves {
  const names = Object.keys(CONTESTANTS);
  const samples = new Map(names.map((name) => [name, SIZES.map((): Sample[] => [])]));
  for (let round = 0; round < ROUNDS; round++) {
    SIZES.forEach((size, index) => {
      for (const name of round % 2 === 0 ? names : [...names].reverse()) {
        samples.get(name)?.[index].push(sample(name, size));
      }
    });
  }
  const each = (name: string, figure: (all: readonly Sample[]) => number) => (samples.get(name) ?? []).map(figure);
  const best = (name: string) => each(name, (all) => Math.min(...all.map(({ time }) => time)));
  const [whole] = best(names[0]).slice(-1);
  return {
    sizes: SIZES,
    curves: names.map((name) => ({
      name: CONTESTANTS[name],
      time: best(name).map((time) => Number((time / whole).toPrecision(3))),
      memory: each(name, (all) => Math.round(median(all.map(({ memory }) => memory)))),
    })),
  };
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) / 2)];
}

/** Two things that are one on two sides, or one that is on one of them alone. */
export type PairOf<T> = readonly [before: T | undefined, after: T | undefined];

/**
 * Things of one name on two sides, as several clusters in one repository have them: each with that of its own file, else with one that
 * is the same, as where files are moved, else with the only one that there is.
 */
export function paired<T>(
  before: readonly T[],
  after: readonly T[],
  fileOf: (thing: T) => string,
  areSame: (one: T, other: T) => boolean,
): PairOf<T>[] {
  const left = new Set(after);
  const found = new Map<T, T>();
  const likenesses: readonly ((one: T, other: T) => boolean)[] = [
    (one, other) => fileOf(one) === fileOf(other),
    areSame,
    () => before.length === 1 && after.length === 1,
  ];
  for (const isOne of likenesses) {
    for (const one of before.filter((each) => !found.has(each))) {
      const other = [...left].find((each) => isOne(one, each));
      if (other !== undefined) {
        found.set(one, other);
        left.delete(other);
      }
    }
  }
  return [
    ...before.map((one): PairOf<T> => [one, found.get(one)]),
    ...[...left].map((other): PairOf<T> => [undefined, other]),
  ];
}

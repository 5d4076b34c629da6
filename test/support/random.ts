export type Random = <T>(items: readonly T[]) => T;

/** What chooses among items, always alike for a seed (mulberry32). */
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  return (items) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return items[((mixed ^ (mixed >>> 14)) >>> 0) % items.length];
  };
}

/** How many values a test tries: a part of those that `npm run test:deep` tries, which runs every file that asks here. */
export const tries = (deep: number, part = 10): number => (process.env.DEEP === '1' ? deep : Math.ceil(deep / part));

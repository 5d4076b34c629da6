import { randomOf, tries } from '../support/random';
import { FAMILIES } from './pairs/folders/families';
import { comparedTruths, isFalselyKept, isFalselyLost, isFalselyOpen, isOther } from './pairs/folders/folder-pair';

// What the command says of generated pairs of folders, against tables of what is true that do not know the engine.

const SEED = Number(process.env.PAIRS_SEED ?? 17);
const PAIRS = Number(process.env.PAIRS ?? tries(1_000));

const each = Math.ceil(PAIRS / FAMILIES.length);

describe.each(FAMILIES.map((family) => [family.name, family] as const))('%s', (_, family) => {
  const pairs = Array.from({ length: each }, (__, number) =>
    family.pairOf(randomOf(SEED * 1_000_003 + number), number),
  );
  const compared = pairs.flatMap((pair, number) => comparedTruths(family, number, pair));

  test('nothing is lost, cut off or open that was said to be kept', () => {
    expect(compared.filter(isFalselyKept).slice(0, 5)).toEqual([]);
  });

  test('a loss that is foretold comes', () => {
    expect(compared.filter(isFalselyLost).slice(0, 5)).toEqual([]);
  });

  test('what comes is what was foretold', () => {
    expect(compared.filter(isOther).slice(0, 5)).toEqual([]);
  });

  test('what is known is not said to be unknown', () => {
    expect(compared.filter(isFalselyOpen).slice(0, 5)).toEqual([]);
  });

  test('every change is among them', () => {
    const made = new Set(pairs.flatMap(({ changes }) => changes.map((change) => change.replace(/^.*?: /, ''))));
    expect(family.changes.filter((change) => !made.has(change))).toEqual([]);
  });
});

import { tries } from '../support/random';
import { comparedOf, isAnother, isFalseAlarm, isFalseKept } from './pairs/compare';
import { MUTATIONS, pairOf } from './pairs/pair';

// What is said of thousands of generated pairs, against the model.

const SEED = Number(process.env.PAIRS_SEED ?? 17);
const PAIRS = Number(process.env.PAIRS ?? tries(2_000));

const NOT_READ = /^eks-auto-mode/;

const compared = Array.from({ length: PAIRS }, (_, number) => comparedOf(pairOf(number, SEED))).flat();

test('nothing is lost that was said to be kept', () => {
  expect(compared.filter(isFalseKept).slice(0, 5)).toEqual([]);
});

test('a loss that is foretold comes', () => {
  expect(compared.filter(isFalseAlarm).slice(0, 5)).toEqual([]);
});

test('what comes is what was foretold', () => {
  expect(compared.filter(isAnother).slice(0, 5)).toEqual([]);
});

test('every change is among them, and what is not known is a finalizer that nobody is known to remove', () => {
  expect(MUTATIONS.filter((name) => !compared.some(({ changes }) => changes.includes(name)))).toEqual([]);
  const unknown = compared.filter(
    ({ foretold, fate, platform }) => foretold === 'unknown' && fate !== 'stuck' && !NOT_READ.test(platform),
  );
  expect(unknown.slice(0, 5)).toEqual([]);
});

import type { BalancerChange } from '../../src/diff/effect';
import { randomOf, tries } from '../support/random';
import { comparedOf, isAnother, isFalseAlarm, isFalseKept } from './pairs/compare';
import { FAMILIES } from './pairs/folders/families';
import { comparedTruths, isFalselyKept, isFalselyLost, isFalselyOpen, isOther } from './pairs/folders/folder-pair';
import { KAFKA_MUTATIONS, KAFKA_PLATFORM, kafkaPairOf } from './pairs/kafka-pair';
import { MUTATIONS, pairOf } from './pairs/pair';
import { changesOf, sideOf } from './sides';

// What is said of thousands of generated pairs, against the model.

const SEED = Number(process.env.PAIRS_SEED ?? 17);
const PAIRS = Number(process.env.PAIRS ?? tries(2_000, 20));

const NOT_READ = /^eks-auto-mode/;

const compared = Array.from({ length: PAIRS }, (_, number) => comparedOf(pairOf(number, SEED))).flat();

test('nothing is lost that was said to be kept', () => expect(compared.filter(isFalseKept).slice(0, 5)).toEqual([]));

test('a loss that is foretold comes', () => expect(compared.filter(isFalseAlarm).slice(0, 5)).toEqual([]));

test('what comes is what was foretold', () => expect(compared.filter(isAnother).slice(0, 5)).toEqual([]));

test('every change is among them, and what is not known is a finalizer that nobody is known to remove', () => {
  expect(MUTATIONS.filter((name) => !compared.some(({ changes }) => changes.includes(name)))).toEqual([]);
  const unknown = compared.filter(
    ({ foretold, fate, platform }) => foretold === 'unknown' && fate !== 'stuck' && !NOT_READ.test(platform),
  );
  expect(unknown.slice(0, 5)).toEqual([]);
});

describe('folder pairs', () => {
  const PAIRS = Number(process.env.PAIRS ?? tries(1_000, 5));

  const each = Math.ceil(PAIRS / FAMILIES.length);

  describe.each(FAMILIES.map((family) => [family.name, family] as const))('%s', (_, family) => {
    const pairs = Array.from({ length: each }, (__, number) =>
      family.pairOf(randomOf(SEED * 1_000_003 + number), number),
    );
    const compared = pairs.flatMap((pair, number) => comparedTruths(family, number, pair));

    test('nothing is lost, cut off or open that was said to be kept', () => {
      expect(compared.filter(isFalselyKept).slice(0, 5)).toEqual([]);
    });

    test('a loss that is foretold comes', () => expect(compared.filter(isFalselyLost).slice(0, 5)).toEqual([]));

    test('what comes is what was foretold', () => expect(compared.filter(isOther).slice(0, 5)).toEqual([]));

    test('what is known is not said to be unknown', () => {
      expect(compared.filter(isFalselyOpen).slice(0, 5)).toEqual([]);
    });

    test('every change is among them', () => {
      const made = new Set(pairs.flatMap(({ changes }) => changes.map((change) => change.replace(/^.*?: /, ''))));
      expect(family.changes.filter((change) => !made.has(change))).toEqual([]);
    });
  });
});

describe('kafka pairs', () => {
  // What is said of generated pairs of a Kafka with its node pools, against what Strimzi makes of them by its names.

  const SEED = 17;
  const PAIRS = tries(300, 10);

  const HARMLESS: readonly string[] = ['kept', 'interrupted'];
  const saidOf = ({ outcome }: BalancerChange) => (HARMLESS.includes(outcome) ? 'kept' : outcome);

  const compared = Array.from({ length: PAIRS }, (_, number) => kafkaPairOf(number, SEED)).flatMap((pair) => {
    const changes = changesOf(sideOf(pair.before, KAFKA_PLATFORM), sideOf(pair.after, KAFKA_PLATFORM), { prune: true });
    const said = new Map(changes.map((change) => [(change.before ?? change.after)?.id, saidOf(change)]));
    return [...new Set([...pair.fates.keys(), ...said.keys()])].map((id) => ({
      ...{ number: pair.number, change: pair.change, id },
      ...{ fate: pair.fates.get(id ?? ''), foretold: said.get(id) },
    }));
  });

  test('every balancer becomes what is foretold', () => {
    expect(compared.filter(({ fate, foretold }) => fate !== foretold).slice(0, 5)).toEqual([]);
  });

  test('every change is among them', () => {
    expect(KAFKA_MUTATIONS.filter((name) => !compared.some(({ change }) => change === name))).toEqual([]);
  });
});

import type { BalancerChange } from '../../src/diff/effect';
import { tries } from '../support/random';
import { KAFKA_MUTATIONS, KAFKA_PLATFORM, kafkaPairOf } from './pairs/kafka-pair';
import { changesOf, sideOf } from './sides';

// What is said of generated pairs of a Kafka with its node pools, against what Strimzi makes of them by its names.

const SEED = 17;
const PAIRS = tries(300);

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

import type { Ref } from '../../real/api';
import { isOfStrimzi, kafkaManifestFiles } from '../../real/objects';
import { count } from '../../real/program';
import { casesIn } from '../../support/yaml-cases';
import { faultsByModel } from '../harness/strimzi';
import { RELEASES, releaseFor, strimziVersionOf } from '../models/strimzi';

// Every object of Strimzi's kinds that the Kafka room writes, read by the Java classes that the operator reads it with.

const files = kafkaManifestFiles().map((file) => ({ ...file, release: releaseFor(strimziVersionOf(file.name)) }));

/** Objects, and all that is told of them. */
const MISTAKES: [string, Ref, string[]][] = casesIn(__dirname, 'model.yaml').mistakes;

describe.each(RELEASES)('the model of Strimzi %s', (release) => {
  const own = files
    .filter((file) => file.release === release)
    .flatMap(({ name, objects }) => objects.filter(isOfStrimzi).map((object) => ({ name, object })));
  let faults: string[][];

  // one process for all of them: the start is what takes its time
  beforeAll(() => {
    faults = faultsByModel(
      release,
      [...own, ...MISTAKES.map(([, object]) => ({ object }))].map(({ object }) => object),
    );
  });

  test('reads all that is written, and as it is written', () => {
    const told = own.map(({ name, object }, index) => [name, object.kind, faults[index]] as const);
    expect(told.filter(([, , all]) => all.length > 0)).toEqual([]);
    expect(own.length).toBeGreaterThan(0);
    count("objects read by Strimzi's own model", own.length);
  });

  test.each(MISTAKES.map(([what, , expected], index) => [what, expected, index] as const))(
    'tells %s',
    (_, expected, index) => {
      expect(faults[own.length + index]).toEqual(expected);
    },
  );
});

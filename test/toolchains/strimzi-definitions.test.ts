import fs from 'node:fs';
import { basename, join } from 'node:path';
import { parseAllDocuments, stringify } from 'yaml';
import { madeDefinitions, STRIMZI_KINDS } from '../../scripts/strimzi/generator';
import { StrimziVersion } from '../../src';
import { DEFINITIONS } from '../../src/installations/strimzi/installation.facts';
import { definitions } from '../installations/strimzi/operators';
import { FakeJava } from './fake-java';

let java: FakeJava;
let answers: string;
let folder: string;

beforeEach(() => {
  java = new FakeJava();
  answers = join(java.base, 'answers');
  folder = join(java.base, 'definitions');
  fs.mkdirSync(answers);
});

afterEach(() => java.remove());

/** A Java whose generator copies the definitions of a version, a file each, and records its arguments. */
function generator(version: StrimziVersion, then = ''): string {
  const program = join(java.base, 'java');
  const files = Object.fromEntries(DEFINITIONS.map(({ name, file }) => [name, basename(file)]));
  for (const definition of definitions(version)) {
    fs.writeFileSync(join(answers, files[definition.metadata.name]), stringify(definition));
  }
  const script = `#!/bin/sh
PATH=/usr/bin:/bin
echo "$*" >> '${join(java.base, 'calls')}'
${then}
for each; do
  case "$each" in *=*.yaml) cp '${answers}'/"$(basename "\${each#*=}")" "\${each#*=}" ;; esac
done
`;
  fs.writeFileSync(program, script, { mode: 0o755 });
  return program;
}

const made = (version: string, then?: string) =>
  madeDefinitions(version, generator(StrimziVersion.of(version), then), ['generator.jar', 'api.jar'], folder);
const calls = () => fs.readFileSync(join(java.base, 'calls'), 'utf8').trim().split('\n');

describe.each(['1.1.0', '0.49.0'])('the definitions of %s', (version) => {
  test('are joined as the file of the release has them, in the order of their own files', () => {
    const text = made(version);
    const objects = parseAllDocuments(text).map((each) => each.toJS());
    expect(objects).toEqual([...definitions(StrimziVersion.of(version)), null]);
    expect(text).toMatch(/^apiVersion: [\s\S]*\n\n---\n$/);
  });

  test('are made with the arguments of the release', () => {
    made(version);
    const versions = calls().map((call) =>
      /--api-versions (\S+) --storage-version (\S+)( --describe-api-versions \S+)?/.exec(call),
    );
    expect(versions.map((found) => found?.slice(1, 3))).toEqual(
      version === '1.1.0'
        ? [['v1', 'v1']]
        : [
            ['v1beta2,v1', 'v1beta2'],
            ['v1beta2,v1', 'v1beta2'],
            ['v1alpha1,v1beta1,v1beta2,v1', 'v1beta2'],
          ],
    );
    expect(versions.map((found) => found?.[3]?.trim())).toEqual(
      version === '1.1.0' ? [undefined] : ['--describe-api-versions v1alpha1', undefined, undefined],
    );
    for (const call of calls()) {
      expect(call).toContain(
        '--class-path generator.jar:api.jar io.strimzi.crdgenerator.CrdGenerator --label app:strimzi --label strimzi.io/crd-install:true',
      );
    }
  });
});

test('each set of arguments has all kinds', () => {
  for (const { kinds } of STRIMZI_KINDS) {
    const files = kinds.flatMap((each) => Object.values(each.files)).sort();
    const expected = DEFINITIONS.filter(({ until }) => !until).map(({ file }) => basename(file));
    expect(files).toEqual(expected.sort());
  }
});

test('nothing is made of a release that is too old for the generator', () => {
  expect(() => made('0.48.0')).toThrow(
    'definitions of Strimzi 0.48.0 cannot be made: the generator makes other files than that release has',
  );
});

test('a generator that fails is quoted', () => {
  expect(() => made('1.1.0', 'echo "Exception in thread main"; exit 3')).toThrow(
    /^Strimzi's generator made no definition of kafka\.Kafka, .*\nException in thread main$/,
  );
});

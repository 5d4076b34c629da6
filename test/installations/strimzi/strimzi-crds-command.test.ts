// biome-ignore assist/source/organizeImports: the jar stands before what reads its hash
import { JAR } from './generator-jar';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { basename, join } from 'node:path';
import { parseAllDocuments, stringify } from 'yaml';
import { StrimziVersion } from '../../../src';
import { STRIMZI_KINDS } from '../../../src/checks/strimzi-crds.facts';
import { DEFINITIONS } from '../../../src/installations/strimzi/strimzi-crds.facts';
import { run } from '../../support/command';
import { FakeJava } from '../../toolchains/fake-java';
import { definitions } from './operators';

const environment = process.env;
let java: FakeJava;
let answers: string;
let output: string;

beforeEach(() => {
  java = new FakeJava();
  answers = join(java.base, 'answers');
  output = join(java.base, 'crds.yaml');
  fs.mkdirSync(answers);
  process.env = { ...environment, ...java.environment };
});

afterEach(() => {
  process.env = environment;
  java.remove();
});

const crds = (...args: string[]) => run('strimzi-crds', ...args);

/** A JDK whose generator hands out the definitions of a version, a file each, and notes how it was asked. */
function installGenerator(version: StrimziVersion, then = ''): void {
  const home = java.install('temurin-25', '25');
  process.env.JAVA_HOME = home;
  const files = Object.fromEntries(DEFINITIONS.map(({ name, file }) => [name, basename(file)]));
  for (const definition of definitions(version)) {
    fs.writeFileSync(join(answers, files[definition.metadata.name]), stringify(definition));
  }
  const script = `#!/bin/sh
PATH=/usr/bin:/bin
case "$1" in --class-path) ;; *)
  echo "    java.home = ${home}" >&2; echo "    java.specification.version = 25" >&2; exit 0 ;;
esac
echo "$*" >> '${join(java.base, 'generator')}'
${then}
for each; do
  case "$each" in *=*.yaml) cp '${answers}'/"$(basename "\${each#*=}")" "\${each#*=}" ;; esac
done
`;
  fs.writeFileSync(join(home, 'bin', 'java'), script, { mode: 0o755 });
  java.installMaven('printf "jar\\n" > "$folder/$(echo "$artifact" | cut -d: -f2- | tr : -).jar"');
}

const asked = () => fs.readFileSync(join(java.base, 'asked'), 'utf8').trim().split('\n');
const calls = () => fs.readFileSync(join(java.base, 'generator'), 'utf8').trim().split('\n');

describe.each(['1.1.0', '0.49.0'])('the definitions of %s', (text) => {
  const version = StrimziVersion.of(text);

  test('are made of Maven artifacts and written to a file, in the order of the files of the release', () => {
    installGenerator(version);
    const { out, error, code } = crds(text, '--output', output);
    expect({ out, code }).toEqual({ out: '', code: 0 });
    expect(parseAllDocuments(fs.readFileSync(output, 'utf8')).map((each) => each.toJS())).toEqual(definitions(version));
    expect(asked().map((line) => line.split(' ')[1])).toEqual([
      'io.strimzi:crd-generator:1.2.0',
      `io.strimzi:api:${text}`,
    ]);
    expect(error).toContain(`nobody has compared the definitions of ${text} with the file of the release`);
  });

  test('go to standard output without a file', () => {
    installGenerator(version);
    expect(parseAllDocuments(crds(text).out).map((each) => each.toJS())).toEqual(definitions(version));
  });

  test('are asked for with the arguments of the release', () => {
    installGenerator(version);
    crds(text, '-o', output);
    const versions = calls().map((call) =>
      /--api-versions (\S+) --storage-version (\S+)( --describe-api-versions \S+)?/.exec(call),
    );
    expect(versions.map((found) => found?.slice(1, 3))).toEqual(
      text === '1.1.0'
        ? [['v1', 'v1']]
        : [
            ['v1beta2,v1', 'v1beta2'],
            ['v1beta2,v1', 'v1beta2'],
            ['v1alpha1,v1beta1,v1beta2,v1', 'v1beta2'],
          ],
    );
    expect(versions.map((found) => found?.[3]?.trim())).toEqual(
      text === '1.1.0' ? [undefined] : ['--describe-api-versions v1alpha1', undefined, undefined],
    );
    for (const call of calls()) {
      expect(call).toContain(
        'io.strimzi.crdgenerator.CrdGenerator --label app:strimzi --label strimzi.io/crd-install:true',
      );
    }
  });
});

test('each way of making has all kinds', () => {
  for (const { kinds } of STRIMZI_KINDS) {
    const files = kinds.flatMap((each) => Object.values(each.files)).sort();
    const expected = DEFINITIONS.filter(({ until }) => !until).map(({ file }) => basename(file));
    expect(files).toEqual(expected.sort());
  }
});

describe('nothing is written, and the way out is said', () => {
  function failed(...args: string[]): string {
    const { out, error, code } = crds(...args, '--output', output);
    expect({ out, code, written: fs.existsSync(output) }).toEqual({ out: '', code: 1, written: false });
    return error;
  }

  test('for a release that is too old', () => {
    expect(failed('0.48.0')).toBe(
      'strimzi-crds: the definitions of Strimzi 0.48.0 cannot be made of Maven artifacts, which begin with 0.49.0; take strimzi-crds-0.48.0.yaml of the release from https://github.com/strimzi/strimzi-kafka-operator/releases\n',
    );
  });

  test('without Maven', () => {
    installGenerator(StrimziVersion.V1_1);
    fs.rmSync(join(java.bin, 'mvn'));
    expect(failed('1.1.0')).toBe(
      'strimzi-crds: the definitions of Strimzi 1.1.0 are made with Maven (there is no mvn on the PATH); install what is missing\n',
    );
  });

  test('for a release that the repository does not have', () => {
    installGenerator(StrimziVersion.V1_1);
    java.installMaven('echo "[ERROR] Could not find artifact $artifact"; exit 1');
    expect(failed('1.1.0')).toMatch(
      /the download of io\.strimzi:crd-generator:1\.2\.0 failed\n.*Could not find artifact.*\nwhere there is no such artifact, take strimzi-crds-1\.1\.0\.yaml of the release/,
    );
  });

  test('for a jar that is another than the known one', () => {
    installGenerator(StrimziVersion.V1_2);
    const sha256 = createHash('sha256').update(JAR).digest('hex');
    expect(failed('1.2.0')).toContain(`io.strimzi:api:1.2.0 is not what is known: its SHA-256 is ${sha256}, and `);
  });

  test('for definitions of another release', () => {
    installGenerator(StrimziVersion.V1_0);
    expect(failed('1.1.0')).toContain(
      'what was made does not belong to Strimzi 1.1.0: kafkausers.kafka.strimzi.io lacks spec.authentication.validityDays, which came with 1.1.0',
    );
  });

  test('for a generator that fails', () => {
    installGenerator(StrimziVersion.V1_1, 'echo "Exception in thread main"; exit 3');
    expect(failed('1.1.0')).toMatch(
      /Strimzi's generator made no definition of kafka\.Kafka, .*\nException in thread main\n$/,
    );
  });
});

test('a file that cannot be written is told', () => {
  installGenerator(StrimziVersion.V1_1);
  const { error, code } = crds('1.1.0', '-o', join(java.base, 'none', 'crds.yaml'));
  expect(code).toBe(1);
  expect(error).toMatch(/strimzi-crds: ENOENT/);
});

test.each([
  ['that worked', ''],
  ['that failed', 'exit 3'],
])('nothing is left of a run %s', (_, then) => {
  installGenerator(StrimziVersion.V1_1, then);
  crds('1.1.0');
  const [, folder] = /kafka\.Kafka=(\S+)\/definitions\//.exec(calls()[0]) ?? [];
  expect(basename(folder)).toMatch(/^cdk8s-load-balancers-strimzi-crds-/);
  expect(fs.existsSync(folder)).toBe(false);
});

test.each<[string, string[], string]>([
  ['no version', [], "missing required argument 'version'"],
  ['what is no version', ['latest'], "strimzi: 'latest' is no version; write it like 1.2.0"],
  ['a version that is older than all', ['0.44.0'], "version '0.44.0' is older than 0.45"],
  ['an unknown option', ['1.2.0', '--frob'], "unknown option '--frob'"],
])('%s is bad usage', (_, args, message) => {
  const { error, code } = crds(...args);
  expect(error).toContain(message);
  expect(code).toBe(2);
});

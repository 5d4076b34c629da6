import { createHash } from 'node:crypto';
import fs, { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseAllDocuments, stringify } from 'yaml';
import { madeDefinitions, STRIMZI_KINDS } from '../../scripts/strimzi/generator';
import { cachedFile } from '../../scripts/strimzi/pinned-file';
import { strimziRelease } from '../../scripts/strimzi/strimzi-crds';
import { copyArtifact, findJdk, strimziToolchain } from '../../scripts/strimzi/toolchain';
import { kafkaTests, kafkaVersion } from '../../scripts/suites/kafka-tests';
import { realRules } from '../../scripts/suites/real-rules';
import { strimziTests } from '../../scripts/suites/strimzi-tests';
import { StrimziVersion } from '../../src';
import { DEFINITIONS } from '../../src/installations/strimzi/installation.facts';
import { definitions } from '../installations/strimzi/operators';
import { FakeJava } from './fakes';

describe('find jdk', () => {
  const environment = process.env;
  let java: FakeJava;

  beforeEach(() => {
    java = new FakeJava();
    process.env = { ...environment, ...java.environment };
    delete process.env.JAVA_HOME;
  });

  afterEach(() => {
    process.env = environment;
    java.remove();
  });

  const found = () => findJdk([[java.jdks, '']]);
  const jdk = (home: string, version: number) => ({ home, java: join(home, 'bin', 'java'), version });

  test.each(['21', '25'])('the java on the PATH will do when it is %s', (version) => {
    const home = java.installOnPath(version);
    java.install('temurin-26', '26');
    expect(found()).toEqual(jdk(home, Number(version)));
  });

  test('JAVA_HOME goes before the PATH', () => {
    java.installOnPath('21');
    process.env.JAVA_HOME = java.install('temurin-25', '25');
    expect(found()).toEqual(jdk(process.env.JAVA_HOME, 25));
  });

  test('an old JAVA_HOME and an old java on the PATH do not hide a newer JDK', () => {
    java.installOnPath('17');
    process.env.JAVA_HOME = java.install('openjdk-8', '1.8');
    java.install('openjdk-11', '11');
    const home = java.install('temurin-25', '25');
    expect(found()).toEqual(jdk(home, 25));
  });

  test('of several JDKs the first one that will do is taken, by the numbers in their names', () => {
    java.install('jdk-100', '100');
    const home = java.install('jdk-21', '21');
    java.install('jdk-9', '9');
    expect(found()).toEqual(jdk(home, 21));
  });

  test('JDKs may lie deeper, as on a Mac', () => {
    const home = java.install('temurin-25.jdk/Contents/Home', '25');
    expect(findJdk([[java.jdks, 'Contents/Home']])).toEqual(jdk(home, 25));
  });

  test('a JRE cannot compile', () => {
    const home = java.install('jre-25', '25', 'jre');
    expect(found()).toEqual({
      lack: `a JDK 21 or newer (there is no java on the PATH, ${join(home, 'bin', 'java')} is 25 without javac)`,
    });
  });

  test('all that was found is told', () => {
    java.installOnPath('17');
    process.env.JAVA_HOME = join(java.base, 'gone');
    const old = java.install('openjdk-20', '20');
    const broken = java.install('broken', '25');
    writeFileSync(join(broken, 'bin', 'java'), '#!/bin/sh\nexit 1\n');
    expect(found()).toEqual({
      lack:
        `a JDK 21 or newer (JAVA_HOME=${process.env.JAVA_HOME} has no bin/java, the java on the PATH is 17, ` +
        `${join(broken, 'bin', 'java')} does not say its version, ${join(old, 'bin', 'java')} is 20)`,
    });
  });

  test('there is none', () => {
    expect(findJdk([[join(java.base, 'gone'), '']])).toEqual({
      lack: 'a JDK 21 or newer (there is no java on the PATH)',
    });
  });

  const home = () => java.install('temurin-25', '25');

  describe('with Maven', () => {
    const noJdk = { lack: 'a JDK 21 or newer (there is no java on the PATH)' };

    test('there is all that is needed, of Java that Maven itself does not find', () => {
      java.installMaven();
      const own = jdk(home(), 25);
      expect(strimziToolchain(own)).toEqual({ jdk: own });
    });

    test('something is missing', () => {
      const own = jdk(home(), 25);
      expect(strimziToolchain(own)).toEqual({ lack: 'Maven (there is no mvn on the PATH)' });
      expect(strimziToolchain(noJdk)).toEqual({ lack: `${noJdk.lack}, and Maven (there is no mvn on the PATH)` });
      writeFileSync(join(java.bin, 'mvn'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
      expect(strimziToolchain(own)).toEqual({ lack: 'Maven (the mvn on the PATH does not run)' });
      expect(strimziToolchain(noJdk)).toEqual(noJdk);
    });
  });

  describe('the tests of test:cluster that need it', () => {
    const patterns = () => {
      let ignored: string[] = [];
      jest.isolateModules(() => {
        ignored = require('../real/jest.config').testPathIgnorePatterns;
      });
      return ignored;
    };

    test('are left out with a reason', () => {
      const { env, leftOut } = strimziTests('test:cluster', java.base, { lack: 'a JDK 21 or newer (there is none)' });
      expect(leftOut).toBe(
        "test:cluster left out the tests with Strimzi's own definitions and model, which need a JDK 21 or newer (there is none)",
      );
      expect(env).toEqual({ STRIMZI_LEFT_OUT: leftOut });
      process.env.STRIMZI_LEFT_OUT = leftOut;
      expect(patterns().some((pattern) => RegExp(pattern).test('/test/cluster/strimzi/model.test.ts'))).toBe(true);
      expect(patterns().some((pattern) => RegExp(pattern).test('/test/cluster/acceptance.test.ts'))).toBe(false);
    });

    test('are not left out where there is all, even if it cannot be fetched', () => {
      expect(patterns().some((pattern) => RegExp(pattern).test('/test/cluster/strimzi/model.test.ts'))).toBe(false);
      java.installMaven('exit 1');
      jest.spyOn(process.stderr, 'write').mockReturnValue(true);
      expect(() => strimziTests('test:cluster', java.base, { jdk: jdk(home(), 25) })).toThrow(
        /^the download of io\.strimzi:crd-generator:1\.2\.0 failed/,
      );
      expect(process.stderr.write).toHaveBeenCalledWith('fetching crd-generator 1.2.0 of Strimzi with Maven, once\n');
      jest.restoreAllMocks();
    });
  });
});

describe('pinned file', () => {
  const environment = process.env;
  const CONTENT = 'what is in it';
  let made = 0;
  const sha256 = createHash('sha256').update(CONTENT).digest('hex');
  let java: FakeJava;

  beforeEach(() => {
    made = 0;
    java = new FakeJava();
    process.env = { ...environment, ...java.environment };
  });

  afterEach(() => {
    process.env = environment;
    java.remove();
  });

  const cache = () => join(java.caches, 'cdk8s-load-balancers');

  /** Has the file made somewhere else. */
  function cached(content = CONTENT): string {
    return cachedFile({ family: 'thing', file: 'thing.jar', sha256 }, () => {
      made++;
      const file = join(java.base, 'made');
      fs.writeFileSync(file, content);
      return file;
    });
  }

  test('a file is made once, outside of the work tree', () => {
    const file = cached();
    expect(file).toBe(join(cache(), `thing-${sha256.slice(0, 16)}`, 'thing.jar'));
    expect(fs.readFileSync(file, 'utf8')).toBe(CONTENT);
    expect([cached(), made]).toEqual([file, 1]);
    expect(fs.readdirSync(join(file, '..'))).toEqual(['thing.jar']);
  });

  test.each<[string, (file: string) => void]>([
    ['is cut short', (file) => fs.truncateSync(file, 4)],
    ['was changed', (file) => fs.writeFileSync(file, CONTENT.toUpperCase())],
    ['is gone', (file) => fs.rmSync(file)],
  ])('a file that %s is made again', (_, damage) => {
    const file = cached();
    damage(file);
    expect([cached(), made]).toEqual([file, 2]);
    expect(fs.readFileSync(file, 'utf8')).toBe(CONTENT);
  });

  test('another file than the known one is not taken', () => {
    expect(() => cached('something else')).toThrow(
      /^thing\.jar is not the file that is known: its SHA-256 is [0-9a-f]{64}, and [0-9a-f]{64} was expected; /,
    );
    expect(fs.readdirSync(join(cache(), `thing-${sha256.slice(0, 16)}`))).toEqual([]);
  });

  test('a file that has not been used for 14 days goes when another version is asked for', () => {
    const file = cached();
    const ago = new Date(Date.now() - 15 * 24 * 60 * 60 * 1000);
    for (const each of [file, join(file, '..')]) fs.utimesSync(each, ago, ago);
    const other = createHash('sha256').update('other').digest('hex');
    cachedFile({ family: 'thing', file: 'thing.jar', sha256: other }, () => {
      fs.writeFileSync(join(java.base, 'other'), 'other');
      return join(java.base, 'other');
    });
    expect(fs.existsSync(file)).toBe(false);
  });

  describe('Maven', () => {
    const jdk = { home: '/jdk', java: '/jdk/bin/java', version: 25 };
    const artifact = { group: 'example', name: 'thing', version: '1.0', sha256 };

    test('puts an artifact into a folder, by the JDK that was found', () => {
      java.installMaven('echo jar > "$folder/thing-1.0.jar"');
      const file = copyArtifact(artifact, jdk, java.caches);
      expect(fs.readFileSync(file, 'utf8')).toBe('jar\n');
      expect(fs.readFileSync(join(java.base, 'asked'), 'utf8')).toBe('/jdk example:thing:1.0\n');
    });

    test.each<[string, string, string]>([
      [
        'without a network',
        '[ERROR] Could not transfer artifact example:thing:pom:1.0 from/to somewhere',
        ", since Maven could not download: check the network, or name a mirror in Maven's settings.xml",
      ],
      ['on a full disk', '[ERROR] write error: No space left on device', ', since the disk is full: make room'],
      ['for what is not there', '[ERROR] Could not find artifact example:thing:jar:1.0', ''],
    ])('that fails %s is quoted', (_, said, hint) => {
      java.installMaven(`echo '${said}'; echo '[INFO] nothing'; exit 1`);
      expect(() => copyArtifact(artifact, jdk, java.caches)).toThrow(
        new Error(`the download of example:thing:1.0 failed${hint}\n${said}`),
      );
    });

    test('is not asked for a version whose jars are not pinned', () => {
      expect(() => strimziRelease('0.45.0', jdk, java.base)).toThrow(
        'the jars of Strimzi 0.45.0 are not pinned; use one of 0.49.1, 0.50.1, 0.51.0, 1.2.0',
      );
    });
  });
});

describe('strimzi definitions', () => {
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
});

describe('kafka tests', () => {
  const environment = process.env;
  let java: FakeJava;
  let scratch: string;

  beforeEach(() => {
    java = new FakeJava();
    process.env = { ...environment, ...java.environment };
    delete process.env.JAVA_HOME;
    scratch = join(java.base, 'scratch');
    mkdirSync(scratch);
  });

  afterEach(() => {
    process.env = environment;
    java.remove();
  });

  test('without a JDK and Maven the tests with a real Kafka are left out, and why is told', () => {
    const toolchain = strimziToolchain({ lack: 'a JDK 21 or newer (there is no java on the PATH)' });
    const { env, leftOut } = kafkaTests('test:envoy', scratch, toolchain);
    expect(leftOut).toBe(
      'test:envoy left out the tests with a real Kafka, which need a JDK 21 or newer (there is no java on the PATH), and Maven (there is no mvn on the PATH)',
    );
    expect(env).toEqual({ KAFKA_LEFT_OUT: leftOut });
  });

  test('jars that are not known are neither used nor kept', () => {
    java.install('temurin-25', '25');
    java.installMaven('echo other > "$folder/kafka.jar"');
    const toolchain = strimziToolchain(findJdk([[java.jdks, '']]));
    expect(() => kafkaTests('test:envoy', scratch, toolchain)).toThrow(
      /^the jars of Kafka are not those that are known: .*; do not use them before you know why$/,
    );
    const kept = join(java.caches, 'cdk8s-load-balancers');
    expect(existsSync(kept)).toBe(true);
    expect(existsSync(join(kept, 'kafka-ff8df5417922c42d', 'jars'))).toBe(false);
  });

  test('a Maven that fails is told with what it said', () => {
    java.install('temurin-25', '25');
    java.installMaven('echo "[ERROR] Could not transfer artifact"; exit 1');
    const toolchain = strimziToolchain(findJdk([[java.jdks, '']]));
    expect(() => kafkaTests('test:envoy', scratch, toolchain)).toThrow(
      /^the download of what .*pom\.xml names failed, since Maven/,
    );
  });

  test('the Kafka that runs is the one that the newest Strimzi runs', () => {
    expect(kafkaVersion()).toBe(StrimziVersion.V1_2.defaultKafkaVersion);
  });
});

describe('real rules', () => {
  function ignored(): string[] {
    let patterns: string[] = [];
    jest.isolateModules(() => {
      patterns = require('../real/jest.config').testPathIgnorePatterns;
    });
    return patterns;
  }

  const isIgnored = (file: string) => ignored().some((pattern) => RegExp(pattern).test(`/test/cluster/${file}`));

  afterEach(() => {
    process.env.REAL_RULES_LEFT_OUT = '';
  });

  test('the count through rules in the kernel is left out with a reason', () => {
    const { env, leftOut } = realRules('test:cluster', 'nft, of nftables');
    expect(leftOut).toBe(
      'test:cluster left out the count of connections through rules in the kernel, which needs nft, of nftables',
    );
    expect(env).toEqual({ REAL_RULES_LEFT_OUT: leftOut });
    process.env.REAL_RULES_LEFT_OUT = leftOut;
    expect(isIgnored('real-rules.test.ts')).toBe(true);
    expect(isIgnored('kube-proxy-shares.test.ts')).toBe(false);
  });

  test('it is not left out where nothing is missing', () => {
    // what is missing on this machine is not asked here: undefined is a default
    jest.isolateModules(() => {
      jest.doMock('../cluster/rules/network', () => ({ lackOfRealRules: () => undefined }));
      const { realRules: here } = require('../../scripts/suites/real-rules');
      expect(here('test:cluster')).toEqual({ env: {} });
    });
    expect(isIgnored('real-rules.test.ts')).toBe(false);
  });
});

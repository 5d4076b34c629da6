import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findJdk, strimziToolchain } from '../../scripts/strimzi/toolchain';
import { strimziTests } from '../../scripts/suites/strimzi-tests';
import { FakeJava } from './fake-java';

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
      ignored = require('../cluster/jest.config').testPathIgnorePatterns;
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

import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { findJdk, strimziToolchain } from '../../scripts/strimzi/toolchain';
import { kafkaTests, kafkaVersion } from '../../scripts/suites/kafka-tests';
import { StrimziVersion } from '../../src';
import { FakeJava } from './fake-java';

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

import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { tidy, versionFolder } from '../go/binary-cache';
import { sha256Of } from '../strimzi/pinned-file';
import { copyDependencies, type Jdk, strimziToolchain } from '../strimzi/toolchain';

const POM = join(__dirname, '..', '..', 'test', 'envoy', 'kafka', 'pom.xml');

/** Of the names of all jars with the SHA-256 of each. */
const JARS_SHA256 = 'ff8df5417922c42dd6a34af88ed4695d68061be7cd5404dd3a954c472adeb099';

/** What the tests with a real Kafka need; or why they are left out. */
export interface KafkaTests {
  readonly env: NodeJS.ProcessEnv;
  /** Where they are left out: the reason, in one sentence. */
  readonly leftOut?: string;
}

/** @param scratch a folder that the caller removes */
export function kafkaTests(suite: string, scratch: string, toolchain = strimziToolchain()): KafkaTests {
  if ('lack' in toolchain) {
    const leftOut = `${suite} left out the tests with a real Kafka, which need ${toolchain.lack}`;
    return { leftOut, env: { KAFKA_LEFT_OUT: leftOut } };
  }
  const { jdk } = toolchain;
  return {
    env: { KAFKA: JSON.stringify({ java: jdk.java, libraries: libraries(jdk, scratch), version: kafkaVersion() }) },
  };
}

/** The version of Kafka that the project of the tests names. */
export function kafkaVersion(): string {
  return /<artifactId>kafka_[\d.]+<\/artifactId>\s*<version>([\d.]+)</.exec(readFileSync(POM, 'utf8'))?.[1] ?? '';
}

/** Where the jars of Kafka are, in the cache of this user. */
function libraries(jdk: Jdk, scratch: string): string {
  const version = JARS_SHA256.slice(0, 16);
  const folder = versionFolder('kafka', version);
  tidy('kafka', version);
  const kept = join(folder, 'jars');
  if (!existsSync(kept) || hashOf(kept) !== JARS_SHA256) {
    process.stderr.write(`fetching Kafka ${kafkaVersion()} with Maven, once\n`);
    const made = mkdtempSync(join(scratch, 'kafka-'));
    copyDependencies(POM, jdk, made);
    const found = hashOf(made);
    if (found !== JARS_SHA256) {
      throw new Error(
        `the jars of Kafka are not those that are known: their hash is ${found}, and ${JARS_SHA256} was expected; ` +
          'do not use them before you know why',
      );
    }
    // under another name first, so that nothing looks finished that is not
    const part = mkdtempSync(join(folder, 'part-'));
    try {
      cpSync(made, part, { recursive: true });
      rmSync(kept, { recursive: true, force: true });
      renameSync(part, kept);
    } finally {
      rmSync(part, { recursive: true, force: true });
    }
  }
  const now = new Date();
  utimesSync(kept, now, now); // it is in use
  return kept;
}

function hashOf(folder: string): string {
  const jars = readdirSync(folder).sort();
  return createHash('sha256')
    .update(jars.map((jar) => `${jar} ${sha256Of(join(folder, jar))}\n`).join(''))
    .digest('hex');
}

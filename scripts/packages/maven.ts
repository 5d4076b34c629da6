import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findJdk, type Jdk, lackOfMaven } from '../strimzi/toolchain';
import { must } from '../suites/languages/commands';
import { LIBRARY } from './generated-code';

/** The oldest Java for which the app of test/consumers is written. */
const OLDEST_JDK = 17;

const CACHE = join(LIBRARY, 'node_modules', '.cache', 'test-languages');

/** Where Maven keeps what it downloads for this suite, and the folder in there of what is packed here. */
const DOWNLOADED = join(CACHE, 'maven');
const OWN = join(DOWNLOADED, 'io', 'github', 'cdk8s-load-balancers');

/** A JDK with a Maven that runs in it. */
export interface Maven {
  readonly jdk: Jdk;
}

/** The programs of Java, or what is missing. */
export function findMaven(): Maven | { readonly lack: string } {
  const jdk = findJdk(undefined, OLDEST_JDK);
  if ('lack' in jdk) {
    return jdk;
  }
  const lack = lackOfMaven(jdk);
  return lack === undefined ? { jdk } : { lack };
}

/**
 * A Maven repository with the jar as it is published, but for its javadoc; made where the library was packed since.
 *
 * @param tarball the package of npm, which is in the jar
 */
export function mavenRepository({ jdk }: Maven, tarball: string): string {
  const made = join(CACHE, 'java');
  const note = join(made, 'of');
  const hash = createHash('sha256').update(readFileSync(tarball)).digest('hex');
  if (!existsSync(note) || readFileSync(note, 'utf8') !== hash) {
    rmSync(made, { recursive: true, force: true });
    const env = { JAVA_HOME: jdk.home, MAVEN_OPTS: '-Dmaven.javadoc.skip=true' };
    must({ cwd: LIBRARY, env }, 'npx', 'jsii-pacmak', '--target', 'java', '--outdir', made);
    mkdirSync(made, { recursive: true });
    writeFileSync(note, hash);
  }
  return join(made, 'java');
}

/** What a project of Maven says in its pom to have a repository beside Maven Central. */
export function repositories(repository: string): string {
  return `<repositories><repository><id>packed</id><url>file://${repository}</url></repository></repositories>`;
}

/** Has Maven take what is packed here from a repository, and not from what it kept of an earlier one. */
export function useRepository(pom: string, repository: string): void {
  const text = readFileSync(pom, 'utf8');
  writeFileSync(pom, text.replace('</project>', `  ${repositories(repository)}\n</project>`));
  rmSync(OWN, { recursive: true, force: true });
}

/** Where Maven keeps what it downloads, as its JVM is told. */
export const MAVEN_CACHE = `-Dmaven.repo.local=${DOWNLOADED}`;

/** The arguments with which Maven says no more than it must. */
export const QUIETLY = ['--batch-mode', '--quiet', MAVEN_CACHE];

/** What Maven prints, without the level before each line. */
export function withoutLevels(output: string): string {
  return output.replace(/^\[[A-Z]+\] /gm, '');
}

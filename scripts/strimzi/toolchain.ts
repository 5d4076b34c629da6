import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** The Java that Strimzi's generator of definitions was compiled for. */
const OLDEST_JDK = 21;

/** A Java with a compiler in it. */
export interface Jdk {
  /** What JAVA_HOME should be for it. */
  readonly home: string;
  readonly java: string;
  readonly version: number;
}

/** Where packages and installers put one JDK beside the other, and where its home is in there. */
const FOLDERS: ReadonlyArray<readonly [folder: string, home: string]> = [
  ['/usr/lib/jvm', ''],
  ['/Library/Java/JavaVirtualMachines', 'Contents/Home'],
  [join(homedir(), '.sdkman', 'candidates', 'java'), ''],
];

/** A Java that may be installed, and its name in messages. */
interface Candidate {
  readonly name: string;
  readonly java: string;
}

function candidates(folders: typeof FOLDERS): Candidate[] {
  const { JAVA_HOME } = process.env;
  const beside = folders.flatMap(([folder, home]) =>
    (existsSync(folder) ? readdirSync(folder) : [])
      .sort((one, other) => one.localeCompare(other, 'en', { numeric: true }))
      .map((name) => join(folder, name, home, 'bin', 'java'))
      .filter((java) => existsSync(java))
      .map((java) => ({ name: java, java })),
  );
  return [
    ...(JAVA_HOME ? [{ name: `JAVA_HOME=${JAVA_HOME}`, java: join(JAVA_HOME, 'bin', 'java') }] : []),
    { name: 'the java on the PATH', java: 'java' },
    ...beside,
  ];
}

/** The version of a Java, or why it cannot be used. */
function asked({ name, java }: Candidate, oldest: number): Jdk | string {
  const { status, stderr, error } = spawnSync(java, ['-XshowSettings:properties', '-version'], {
    encoding: 'utf8',
    env: process.env,
  });
  if ((error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT') {
    return java === 'java' ? 'there is no java on the PATH' : `${name} has no bin/java`;
  }
  const reported = (property: string) => new RegExp(`^ *${property} = (.+)$`, 'm').exec(stderr ?? '')?.[1].trim();
  const home = reported('java.home');
  const version = Number(reported('java.specification.version'));
  if (status !== 0 || !home || Number.isNaN(version)) {
    return `${name} does not say its version`;
  }
  if (version < oldest) {
    return `${name} is ${version}`;
  }
  return existsSync(join(home, 'bin', 'javac'))
    ? { home, java: join(home, 'bin', 'java'), version }
    : `${name} is ${version} without javac`;
}

/** The first JDK that is new enough of JAVA_HOME, the PATH and the folders of JDKs; or what was found instead. */
export function findJdk(folders = FOLDERS, oldest = OLDEST_JDK): Jdk | { readonly lack: string } {
  const seen = new Set<string>();
  const unfit: string[] = [];
  for (const candidate of candidates(folders)) {
    const file = existsSync(candidate.java) ? realpathSync(candidate.java) : candidate.java;
    if (!seen.has(file)) {
      seen.add(file);
      const found = asked(candidate, oldest);
      if (typeof found !== 'string') {
        return found;
      }
      unfit.push(found);
    }
  }
  return { lack: `a JDK ${oldest} or newer (${unfit.join(', ')})` };
}

const DEPENDENCY_PLUGIN = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1';

/** The goal that copies one artifact, without what it depends on. */
const COPY = `${DEPENDENCY_PLUGIN}:copy`;

/** The goal that copies all that a project depends on. */
const COPY_DEPENDENCIES = `${DEPENDENCY_PLUGIN}:copy-dependencies`;

/** Lines of Maven that an error shows. */
const LINES_SHOWN = 8;

/** An artifact of a Maven repository. */
export interface MavenArtifact {
  readonly group: string;
  readonly name: string;
  readonly version: string;
}

function run(jdk: Jdk, folder: string, ...args: string[]) {
  return spawnSync('mvn', args, {
    // no other project around it
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, JAVA_HOME: jdk.home },
    maxBuffer: 2 ** 26,
  });
}

/** What is missing to ask a Maven repository, if anything. Whether Maven runs can be seen with a JDK alone. */
export function lackOfMaven(jdk?: Jdk): string | undefined {
  const { status, error } = spawnSync('mvn', ['--help'], {
    encoding: 'utf8',
    env: { ...process.env, ...(jdk && { JAVA_HOME: jdk.home }) },
  });
  if ((error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT') {
    return 'Maven (there is no mvn on the PATH)';
  }
  return status === 0 || !jdk ? undefined : 'Maven (the mvn on the PATH does not run)';
}

/** What may help against a known error of Maven. */
function hintFor(output: string): string {
  if (/no space left on device|disk quota exceeded/i.test(output)) {
    return ', since the disk is full: make room';
  }
  return /could not transfer|unknown host|connect(ion)? (timed out|refused)|timed out/i.test(output)
    ? ", since Maven could not download: check the network, or name a mirror in Maven's settings.xml"
    : '';
}

/** @throws with what Maven said, and what may help. */
function mustSucceed(what: string, { status, stdout, stderr, error }: ReturnType<typeof run>): void {
  if (status !== 0) {
    const output = `${error?.message ?? ''}${stdout ?? ''}${stderr ?? ''}`;
    const lines = output.split('\n').filter((line) => line.startsWith('[ERROR] ') || !line.startsWith('['));
    throw new Error(
      [`the download of ${what} failed${hintFor(output)}`, ...lines.slice(0, LINES_SHOWN)].join('\n').trimEnd(),
    );
  }
}

/** Has Maven put the file of an artifact into a folder, and returns its path. Maven's own settings say from where. */
export function copyArtifact({ group, name, version }: MavenArtifact, jdk: Jdk, folder: string): string {
  const artifact = `${group}:${name}:${version}`;
  const args = ['--batch-mode', '--quiet', COPY, `-Dartifact=${artifact}`, `-DoutputDirectory=${folder}`];
  mustSucceed(artifact, run(jdk, folder, ...args));
  return join(folder, `${name}-${version}.jar`);
}

/** Has Maven put all that a project needs to run into a folder. */
export function copyDependencies(pom: string, jdk: Jdk, folder: string): void {
  const args = ['--batch-mode', '--quiet', '--file', pom, COPY_DEPENDENCIES, '-DincludeScope=runtime'];
  mustSucceed(`what ${pom} names`, run(jdk, folder, ...args, `-DoutputDirectory=${folder}`));
}

/** The programs that make definitions of Strimzi, or what is missing. */
export function strimziToolchain(found = findJdk()): { readonly jdk: Jdk } | { readonly lack: string } {
  if ('lack' in found) {
    const lacks = [found.lack, lackOfMaven()];
    return { lack: lacks.filter((lack) => lack !== undefined).join(', and ') };
  }
  const lack = lackOfMaven(found);
  return lack === undefined ? { jdk: found } : { lack };
}

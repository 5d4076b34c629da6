import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { Jdk } from './strimzi-crds-jdk';

/** The goal that copies one artifact, without what it depends on. */
const COPY = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy';

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
    // no project of somebody else around it
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, JAVA_HOME: jdk.home },
    maxBuffer: 2 ** 26,
  });
}

/** What is missing to ask a Maven repository; nothing where all is there. Whether Maven runs, only a JDK can tell. */
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

/** What may help, where Maven says a thing that is known. */
function hintFor(output: string): string {
  if (/no space left on device|disk quota exceeded/i.test(output)) {
    return ', since the disk is full: make room';
  }
  return /could not transfer|unknown host|connect(ion)? (timed out|refused)|timed out/i.test(output)
    ? ", since Maven could not download: check the network, or name a mirror in Maven's settings.xml"
    : '';
}

/** Has Maven put the file of an artifact into a folder, and returns its path. Maven's own settings say from where. */
export function copyArtifact({ group, name, version }: MavenArtifact, jdk: Jdk, folder: string): string {
  const artifact = `${group}:${name}:${version}`;
  const { status, stdout, stderr, error } = run(
    jdk,
    folder,
    '--batch-mode',
    '--quiet',
    COPY,
    `-Dartifact=${artifact}`,
    `-DoutputDirectory=${folder}`,
  );
  if (status !== 0) {
    const said = `${error?.message ?? ''}${stdout ?? ''}${stderr ?? ''}`;
    const lines = said.split('\n').filter((line) => line.startsWith('[ERROR] ') || !line.startsWith('['));
    throw new Error(
      [`the download of ${artifact} failed${hintFor(said)}`, ...lines.slice(0, LINES_SHOWN)].join('\n').trimEnd(),
    );
  }
  return join(folder, `${name}-${version}.jar`);
}

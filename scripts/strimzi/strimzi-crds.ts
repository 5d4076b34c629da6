import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Jdk } from './find-jdk';
import { copyArtifact, type MavenArtifact } from './maven';
import { cachedFile } from './pinned-file';
import {
  apiOf,
  CRD_ARGUMENTS,
  CRD_GENERATOR,
  CRD_GENERATOR_CLASS,
  MODEL_PACKAGE,
  STRIMZI_SOURCES,
  type StrimziKinds,
} from './strimzi-releases.facts';

/** What there is of one release on this machine. */
export interface StrimziRelease {
  readonly version: string;
  /** One YAML file with the custom resource definitions. */
  readonly definitions: string;
  /** Jars with Strimzi's Java model and all that it needs. */
  readonly classPath: readonly string[];
}

/** Lines of the generator that an error shows. */
const LINES_SHOWN = 8;

function say(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}

function jar(artifact: MavenArtifact, jdk: Jdk, scratch: string): string {
  const { name, version, sha256 } = artifact;
  return cachedFile({ family: 'strimzi-jar', file: `${name}-${version}.jar`, sha256 }, () => {
    say(`fetching ${name} ${version} of Strimzi with Maven, once`);
    return copyArtifact(artifact, jdk, mkdtempSync(join(scratch, 'maven-')));
  });
}

/** Runs the generator once, and returns the files that it wrote. */
function generated(kinds: StrimziKinds, java: string, classPath: readonly string[], folder: string): string[] {
  const { files, apiVersions, storageVersion, describeApiVersions } = kinds;
  const { status, stdout, stderr, error } = spawnSync(
    java,
    [
      ...['--class-path', classPath.join(delimiter), CRD_GENERATOR_CLASS, ...CRD_ARGUMENTS],
      ...['--api-versions', apiVersions, '--storage-version', storageVersion],
      ...(describeApiVersions ? ['--describe-api-versions', describeApiVersions] : []),
      '--yaml',
      ...Object.entries(files).map(([kind, file]) => `${MODEL_PACKAGE}.${kind}=${join(folder, file)}`),
    ],
    { encoding: 'utf8' },
  );
  if (status !== 0) {
    const said = `${error?.message ?? ''}${stdout ?? ''}${stderr ?? ''}`.trim().split('\n').slice(0, LINES_SHOWN);
    throw new Error([`Strimzi's generator made no definition of ${Object.keys(files).join(', ')}`, ...said].join('\n'));
  }
  return Object.values(files).map((file) => join(folder, file));
}

function madeDefinitions(version: string, java: string, classPath: readonly string[], scratch: string): string {
  say(`making the custom resource definitions of Strimzi ${version}: about five seconds, once`);
  const folder = mkdtempSync(join(scratch, 'definitions-'));
  const made = STRIMZI_SOURCES[version].kinds.flatMap((kinds) => generated(kinds, java, classPath, folder)).sort();
  const all = join(folder, 'all.yaml');
  writeFileSync(all, made.map((file) => `---\n${readFileSync(file, 'utf8')}`).join(''));
  return all;
}

/**
 * The definitions and the Java model of a release, in the cache of this user.
 *
 * @param scratch a folder that the caller removes
 * @throws for a version whose artifacts nobody has pinned
 */
export function strimziRelease(version: string, jdk: Jdk, scratch: string): StrimziRelease {
  const sources = STRIMZI_SOURCES[version];
  if (!sources) {
    const known = Object.keys(STRIMZI_SOURCES).join(', ');
    throw new Error(`there are no definitions of Strimzi ${version} to be had; take one of ${known}`);
  }
  mkdirSync(scratch, { recursive: true });
  const classPath = [CRD_GENERATOR, apiOf(version)].map((artifact) => jar(artifact, jdk, scratch));
  const wanted = { family: 'strimzi-crds', file: `strimzi-${version}.yaml`, sha256: sources.definitions };
  const definitions = cachedFile(wanted, () => madeDefinitions(version, jdk.java, classPath, scratch));
  return { version, definitions, classPath };
}

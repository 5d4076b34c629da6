import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { releaseFileName } from '../../src/installations/strimzi/crd-faults';
import { RELEASE_FILE_SHA256 } from '../../src/installations/strimzi/installation.facts';
import { jarsOf, MADE_VERSIONS, madeDefinitions, type PinnedArtifact } from './generator';
import { cachedFile } from './pinned-file';
import { copyArtifact, type Jdk } from './toolchain';

/** Files of one release on this machine. */
export interface StrimziRelease {
  readonly version: string;
  /** The file of the release with the custom resource definitions. */
  readonly definitions: string;
  /** Jars with Strimzi's Java model and all that it needs. */
  readonly classPath: readonly string[];
}

/** The releases that manifests are held against, the oldest first; 0.51.0 has the fields of 0.50.1. */
export const HELD_RELEASES: readonly string[] = ['0.49.1', '0.51.0', '1.2.0'];

function say(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}

function jar(artifact: PinnedArtifact, jdk: Jdk, scratch: string): string {
  const { name, version, sha256 } = artifact;
  return cachedFile({ family: 'strimzi-jar', file: `${name}-${version}.jar`, sha256 }, () => {
    say(`fetching ${name} ${version} of Strimzi with Maven, once`);
    return copyArtifact(artifact, jdk, mkdtempSync(join(scratch, 'maven-')));
  });
}

function made(version: string, java: string, classPath: readonly string[], scratch: string): string {
  say(`making the custom resource definitions of Strimzi ${version}: about five seconds, once`);
  const folder = mkdtempSync(join(scratch, 'definitions-'));
  const all = join(folder, 'all.yaml');
  writeFileSync(all, madeDefinitions(version, java, classPath, folder));
  return all;
}

/**
 * The definitions and the Java model of a release, in the cache of this user.
 *
 * @param scratch a folder that the caller removes
 * @throws for a version whose artifacts are not pinned
 */
export function strimziRelease(version: string, jdk: Jdk, scratch: string): StrimziRelease {
  const jars = jarsOf(version);
  if (!jars) {
    throw new Error(`the jars of Strimzi ${version} are not pinned; use one of ${MADE_VERSIONS.join(', ')}`);
  }
  mkdirSync(scratch, { recursive: true });
  const classPath = jars.map((each) => jar(each, jdk, scratch));
  const wanted = { family: 'strimzi-crds', file: releaseFileName(version), sha256: RELEASE_FILE_SHA256[version] };
  const definitions = cachedFile(wanted, () => made(version, jdk.java, classPath, scratch));
  return { version, definitions, classPath };
}

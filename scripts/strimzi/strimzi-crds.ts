import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { apiOf, CRD_GENERATOR, CRD_GENERATOR_SHA256, STRIMZI_PINS } from '../../src/checks/strimzi-crds.facts';
import { madeDefinitions } from '../../src/checks/strimzi-crds-generator';
import type { Jdk } from '../../src/checks/strimzi-crds-jdk';
import { copyArtifact, type MavenArtifact } from '../../src/checks/strimzi-crds-maven';
import { cachedFile } from './pinned-file';

/** What there is of one release on this machine. */
export interface StrimziRelease {
  readonly version: string;
  /** One YAML file with the custom resource definitions. */
  readonly definitions: string;
  /** Jars with Strimzi's Java model and all that it needs. */
  readonly classPath: readonly string[];
}

/** The releases that manifests are held against, the oldest first; 0.51.0 has the fields of 0.50.1. */
export const HELD_RELEASES: readonly string[] = ['0.49.1', '0.51.0', '1.2.0'];

function say(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}

function jar(artifact: MavenArtifact, sha256: string, jdk: Jdk, scratch: string): string {
  const { name, version } = artifact;
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
 * @throws for a version whose artifacts nobody has pinned
 */
export function strimziRelease(version: string, jdk: Jdk, scratch: string): StrimziRelease {
  const pins = STRIMZI_PINS[version];
  if (!pins) {
    const known = Object.keys(STRIMZI_PINS).join(', ');
    throw new Error(`there are no definitions of Strimzi ${version} to be had; take one of ${known}`);
  }
  mkdirSync(scratch, { recursive: true });
  const classPath = [
    jar(CRD_GENERATOR, CRD_GENERATOR_SHA256, jdk, scratch),
    jar(apiOf(version), pins.api, jdk, scratch),
  ];
  const wanted = { family: 'strimzi-crds', file: `strimzi-${version}.yaml`, sha256: pins.definitions };
  const definitions = cachedFile(wanted, () => made(version, jdk.java, classPath, scratch));
  return { version, definitions, classPath };
}

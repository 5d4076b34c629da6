import { HELD_RELEASES } from '../../../scripts/strimzi/strimzi-crds';
import { STRIMZI_RELEASES } from '../../../src/kafka/strimzi/strimzi.facts';
import { StrimziVersion } from '../../../src/kafka/strimzi/strimzi-version';

/** The releases whose definitions and model can be had, the oldest first. */
export const RELEASES = HELD_RELEASES;

/** The versions that the library knows, without their patches. */
const MINORS = [...new Set(Object.keys(STRIMZI_RELEASES).map((version) => version.replace(/\.\d+$/, '')))];

/** Of files whose name does not end with their version, as `aws-on-1.2` does. */
const VERSIONS: Readonly<Record<string, string>> = { 'first-story-put-right': '0.49' };

/**
 * The version of the operator that a manifest of ours is for.
 *
 * @throws for a file that nobody has said anything about.
 */
export function strimziVersionOf(file: string): StrimziVersion {
  const version = /-on-(\d+\.\d+(?:\.\d+)?)$/.exec(file)?.[1] ?? VERSIONS[file];
  if (!version) {
    throw new Error(
      `nobody says for which version of Strimzi ${file} is: let its name end with -on-1.2, or alike, ` +
        'or add a line to test/cluster/models/strimzi-releases.ts',
    );
  }
  return StrimziVersion.of(version);
}

/**
 * The release that a version is held against: itself, or else the next newer one that can be had. Both serve the API
 * version that is written for it, v1beta2 up to 0.48 and v1 from 0.49; a field that came in between goes unnoticed here.
 *
 * @throws for a version newer than all of them.
 */
export function releaseFor(version: StrimziVersion): string {
  const release = RELEASES.find((each) => StrimziVersion.of(each).isAtLeast(version));
  if (!release) {
    throw new Error(`there is no release of Strimzi ${version.version} or newer to hold a manifest against`);
  }
  return release;
}

/** One version of each minor that is held against a release. */
export function versionsHeldAgainst(release: string): string[] {
  return MINORS.filter((version) => releaseFor(StrimziVersion.of(version)) === release);
}

import { StrimziVersion } from './strimzi-version';

/** Versions that facts name, each read once. */
const known = new Map<string, StrimziVersion>();

/** Whether a version is at least the one that a fact names. */
export function reaches(strimzi: StrimziVersion, since: string): boolean {
  let version = known.get(since);
  if (!version) {
    version = StrimziVersion.of(since);
    known.set(since, version);
  }
  return strimzi.isAtLeast(version);
}

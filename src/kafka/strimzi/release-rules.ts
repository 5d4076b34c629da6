import { reaches } from '../../contract/compare-versions';
import type { Finding } from '../../contract/finding';
import type { DescribedRule } from '../../contract/rule';
import { STRIMZI_RELEASES, STRIMZI_SECURITY_FLOORS } from './strimzi.facts';
import type { StrimziVersion } from './strimzi-version';

// What is reported of a release itself, wherever one is named: of a cluster that it will read, and of its installation.

const CHANGELOG = { repository: 'strimzi/strimzi-kafka-operator', version: '1.2.0', file: 'CHANGELOG.md' };

/** A release has vulnerabilities that are published. */
export const STRIMZI_VULNERABLE = {
  id: 'strimzi-vulnerable',
  severity: 'warning',
  says: 'no vulnerability of the operator is published that a newer version has not',
  source: CHANGELOG,
} as const satisfies DescribedRule;

/** A release is newer than all that are known here. */
export const STRIMZI_NEWER_THAN_FACTS = {
  id: 'strimzi-newer-than-facts',
  severity: 'warning',
  says: 'the release is one that is known here: of a newer one fields, versions of Kafka and Services are those of the newest known one',
  source: CHANGELOG,
} as const satisfies DescribedRule;

/** The vulnerabilities of a release, and where they end. */
export function vulnerable(strimzi: StrimziVersion): Finding | undefined {
  const floor = STRIMZI_SECURITY_FLOORS.filter(({ fixed }) => !reaches(strimzi, fixed)).pop();
  return floor === undefined
    ? undefined
    : {
        what: `Strimzi ${strimzi.version} has known vulnerabilities: ${strimzi.knownVulnerabilities.join(', ')}`,
        remedy: `run Strimzi ${floor.fixed} or newer`,
        value: strimzi.version,
      };
}

/** Whether more may have come than is known here. */
export function isNewerThanFacts(strimzi: StrimziVersion): boolean {
  return (
    !(strimzi.version in STRIMZI_RELEASES) && Object.keys(STRIMZI_RELEASES).every((known) => reaches(strimzi, known))
  );
}

/** What is not known of a release. */
export function newerThanFacts(strimzi: StrimziVersion): Finding | undefined {
  const newest = Object.keys(STRIMZI_RELEASES).pop();
  return isNewerThanFacts(strimzi)
    ? {
        what: `Strimzi ${strimzi.version} is newer than ${newest}, the newest one known here, so it is validated as that one`,
        remedy: `look up in its changelog what it changes of listeners and their Services, and acknowledge this, or run ${newest}`,
        value: strimzi.version,
      }
    : undefined;
}

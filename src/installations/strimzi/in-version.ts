import { reaches } from '../../kafka/strimzi/reaches';
import type { StrimziVersion } from '../../kafka/strimzi/strimzi-version';
import type { SomeVersions } from './strimzi-operator.facts';

/** Whether a version has what some versions have. */
export function isIn(version: StrimziVersion, { since, until }: SomeVersions): boolean {
  return (since === undefined || reaches(version, since)) && (until === undefined || !reaches(version, until));
}

/** The rows of a table that a version has. */
export function rowsOf<Row extends SomeVersions>(version: StrimziVersion, rows: readonly Row[]): Row[] {
  return rows.filter((row) => isIn(version, row));
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../docs/files';

/** What a version has, in the words of the changelog. */
export interface Entry {
  readonly version: string;
  /** The date as `2027-06-30`; nothing before it is released. */
  readonly date?: string;
  /** What is below its heading. */
  readonly notes: string;
}

export const CHANGELOG = 'CHANGELOG.md';

const HEADING = /^## (.*)$/m;
const OF_A_VERSION = /^(\d+\.\d+\.\d+) - (?:(\d{4}-\d{2}-\d{2})|unreleased)$/;

export function readChangelog(): string {
  return readFileSync(join(ROOT, CHANGELOG), 'utf8');
}

/** The versions of a changelog, the newest first. */
export function entriesOf(changelog: string): Entry[] {
  const [, ...parts] = changelog.split(HEADING);
  const headings = parts.filter((_, index) => index % 2 === 0);
  return headings.map((heading, index) => {
    const [, version, date] = OF_A_VERSION.exec(heading) ?? [];
    if (version === undefined) {
      throw new Error(
        `${CHANGELOG}: heading '${heading}' is not a version; write 1.2.3 - 2027-06-30 or 1.2.3 - unreleased`,
      );
    }
    return { version, date, notes: parts[2 * index + 1].trim() };
  });
}

/** What is to be released now. */
export function released(changelog: string): Entry {
  const [first] = entriesOf(changelog);
  if (!first?.date) {
    throw new Error(
      `${CHANGELOG}: ${first?.version ?? 'no version'} has no date; replace unreleased by the date of the release`,
    );
  }
  return first;
}

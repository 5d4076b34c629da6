import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { check } from '../../src/cli/check';
import type { CheckFinding } from '../../src/cli/check-report';
import { NO_CONTEXT } from '../../src/cli/context/check-context';
import { makeDiff } from '../../src/cli/diff/make-diff';
import { readPaths } from '../../src/cli/diff/read-sides';
import { readManifests } from '../../src/cli/manifests';
import { UNREADABLE } from './mistakes';

/** What a check says of a file by itself. */
export interface CheckedFile {
  readonly name: string;
  readonly objects: number;
  readonly findings: readonly CheckFinding[];
  readonly unreadable: number;
  /** Ids of the rules that found something, and whether something could not be read. */
  readonly found: ReadonlySet<string>;
  /** What becomes of its balancers in a difference to itself, beside being kept. */
  readonly notKept: readonly string[];
  /** The error that should never be thrown. */
  readonly crash?: string;
}

/** Checks every file of a folder by itself, in the order of their names. */
export function checkedFilesIn(folder: string): CheckedFile[] {
  return readdirSync(folder)
    .filter((file) => /\.(ya?ml|json)$/.test(file))
    .sort()
    .map((file) => checkedFile(folder, file));
}

function checkedFile(folder: string, file: string): CheckedFile {
  const name = file.replace(/\.\w+$/, '');
  try {
    const { findings, objects, unreadable } = check(readManifests([join(folder, file)]), NO_CONTEXT);
    const ids = findings.map(({ ruleId }) => ruleId);
    const found = new Set(unreadable.length > 0 ? [...ids, UNREADABLE] : ids);
    return { name, objects, findings, unreadable: unreadable.length, found, notKept: notKeptIn(join(folder, file)) };
  } catch (error) {
    const crash = (error as Error).stack ?? String(error);
    return { name, objects: 0, findings: [], unreadable: 0, found: new Set(), notKept: [], crash };
  }
}

/** A file changes nothing of what it is itself. */
function notKeptIn(file: string): string[] {
  const [sides] = readPaths(file, file, {});
  const { changes } = makeDiff(sides, { allowed: [], today: '2026-01-01' });
  return changes.filter(({ outcome }) => outcome !== 'kept').map(({ title, outcome }) => `${title} ${outcome}`);
}

import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, readFileSync, renameSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { tidy, unfinished, versionFolder } from '../go/binary-cache';

/** A file of which it is known beforehand what is in it. */
export interface PinnedFile {
  /** What it is one of: the folder in the cache begins so. */
  readonly family: string;
  readonly file: string;
  readonly sha256: string;
}

export function sha256Of(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

/**
 * The path of a file in the cache, which is made where there is none, or one that was damaged.
 *
 * @param make makes it somewhere else, and returns where
 * @throws when what was made is not what it should be
 */
export function cachedFile({ family, file, sha256 }: PinnedFile, make: () => string): string {
  const version = sha256.slice(0, 16);
  const folder = versionFolder(family, version);
  tidy(family, version);
  const kept = join(folder, file);
  if (!existsSync(kept) || sha256Of(kept) !== sha256) {
    const made = make();
    const found = sha256Of(made);
    if (found !== sha256) {
      throw new Error(
        `${file} is not the file that is known: its SHA-256 is ${found}, and ${sha256} was expected; ` +
          'do not use it before you know why',
      );
    }
    const part = join(folder, unfinished(file));
    try {
      copyFileSync(made, part);
      renameSync(part, kept);
    } finally {
      rmSync(part, { force: true });
    }
  }
  const now = new Date();
  utimesSync(kept, now, now); // it is in use
  return kept;
}

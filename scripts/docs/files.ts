import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folder of this repository. */
export const ROOT = join(__dirname, '..', '..');

/** The files of a folder and below whose names end so, by their paths from the root of the repository, in order. */
export function filesIn(folder: string, ending: string): string[] {
  if (!existsSync(join(ROOT, folder))) {
    return [];
  }
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length + 1))
    .sort();
}

/** Writes generated files where they differ, and removes from folders of such files what is no longer generated. */
export function writeGenerated(files: ReadonlyMap<string, string>, folders: readonly string[]): void {
  for (const [file, text] of files) {
    const path = join(ROOT, file);
    if (!existsSync(path) || readFileSync(path, 'utf8') !== text) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    }
  }
  for (const file of folders.flatMap((folder) => filesIn(folder, ''))) {
    if (!files.has(file)) {
      rmSync(join(ROOT, file));
    }
  }
}

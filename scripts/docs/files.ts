import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '..', '..');

/** The files of a folder and below whose names end so, by their paths from the root of the repository, in order. */
export function filesIn(folder: string, ending: string): string[] {
  if (!existsSync(join(root, folder))) {
    return [];
  }
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .sort();
}

import { readdirSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export class UsageError extends Error {}

export interface Files {
  /** Target of a path, links followed; undefined if there is none. */
  kindOf(path: string): 'file' | 'folder' | undefined;
  below(folder: string): string[];
  /** The bytes of a file. @throws where it cannot be read */
  read(file: string): Uint8Array;
  onDisk(path: string): string;
}

/** True if a file or a folder of that name is looked into: those of package managers and of version control are not. */
export function isSearchedFolder(name: string): boolean {
  return name !== 'node_modules' && !name.startsWith('.');
}

export const DISK: Files = {
  kindOf(path) {
    const found = statSync(path, { throwIfNoEntry: false });
    return found?.isDirectory() ? 'folder' : found ? 'file' : undefined;
  },
  below(folder) {
    return readdirSync(folder, { withFileTypes: true })
      .filter(({ name }) => isSearchedFolder(name))
      .sort((one, other) => (one.name < other.name ? -1 : 1))
      .flatMap((entry) => {
        const path = join(folder, entry.name);
        const found = entry.isSymbolicLink() ? statSync(path, { throwIfNoEntry: false }) : entry;
        return entry.isDirectory() ? DISK.below(path) : found?.isFile() ? [path] : [];
      });
  },
  read(file) {
    return readFileSync(file);
  },
  onDisk(path) {
    return path;
  },
};

/** Writes a file of which no reader sees half; a failure leaves the old one. Devices and pipes are written as they are. */
export function writeAtOnce(file: string, text: string): void {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found && !found.isFile()) {
    writeFileSync(file, text);
    return;
  }
  const target = found ? realpathSync(file) : file;
  const next = join(dirname(target), `.load-balancers-${process.pid}.tmp`);
  try {
    writeFileSync(next, text, found && { mode: found.mode });
    renameSync(next, target);
  } finally {
    rmSync(next, { force: true });
  }
}

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Texts by path. */
export type Files = Readonly<Record<string, string>>;

const made: string[] = [];

/** A folder with these files; it is gone when the tests of the file are over. */
export function folderWith(files: Files): string {
  const root = mkdtempSync(join(tmpdir(), 'facts-'));
  made.push(root);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

afterAll(() => {
  for (const root of made) {
    rmSync(root, { recursive: true, force: true });
  }
});

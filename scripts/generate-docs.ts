// Writes docs/reference, the table of controllers in the README, and what snippets find around themselves.
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { filesIn } from './docs/files';
import { GENERATED_FOLDERS, generatedFiles, ROOT } from './docs/pages';

const files = generatedFiles();
for (const [file, text] of files) {
  const path = join(ROOT, file);
  const present = statSync(path, { throwIfNoEntry: false }) ? readFileSync(path, 'utf8') : undefined;
  if (present !== text) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}
for (const file of GENERATED_FOLDERS.flatMap((folder) => filesIn(folder, ''))) {
  if (!files.has(file)) {
    rmSync(join(ROOT, file));
  }
}

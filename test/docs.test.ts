import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesIn, ROOT } from '../scripts/docs/files';
import { GENERATED_FOLDERS, generatedFiles } from '../scripts/docs/pages';

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const generated = generatedFiles();

test.each([...generated])('%s is what `npm run docs` writes', (file, text) => {
  expect(existsSync(join(ROOT, file)) ? read(file) : 'missing').toBe(text);
});

test('nothing is left of what was generated once', () => {
  expect(GENERATED_FOLDERS.flatMap((folder) => filesIn(folder, '')).filter((file) => !generated.has(file))).toEqual([]);
});

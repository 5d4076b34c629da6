import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { registered } from '../../src/controllers/define-kind';
import { annotationsPage } from './annotations-page';
import { annotationsPath, controllersPage, controllersTable } from './controllers-page';
import { defaultFixture } from './fixture';
import { rulesPage } from './rules-page';

/** Where this repository stands. */
export const ROOT = join(__dirname, '..', '..');

/** Folders in which every file is generated. */
export const GENERATED_FOLDERS = [join('docs', 'reference')];

const REFERENCE = 'docs/reference/';
const README = 'README.md';

/** Every generated file, by its path, with the text that it must have. */
export function generatedFiles(): Map<string, string> {
  const kinds = registered();
  return new Map([
    [README, withTable(readFileSync(join(ROOT, README), 'utf8'), controllersTable(kinds, REFERENCE))],
    [`${REFERENCE}controllers.md`, controllersPage(kinds)],
    [`${REFERENCE}rules.md`, rulesPage(kinds)],
    ...kinds.map((kind): [string, string] => [`${REFERENCE}${annotationsPath(kind)}`, annotationsPage(kind)]),
    ['rosetta/default.ts-fixture', defaultFixture()],
  ]);
}

/** A text with the table between its two marks. */
function withTable(text: string, table: string): string {
  const marks = /(<!-- controllers -->\n).*?(<!-- \/controllers -->)/s;
  if (!marks.test(text)) {
    throw new Error(
      `${README} has no place for the table of controllers; write <!-- controllers --> and <!-- /controllers -->`,
    );
  }
  return text.replace(marks, (_, begin: string, end: string) => `${begin}\n${table}\n\n${end}`);
}

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
    [README, readme(controllersTable(kinds, REFERENCE))],
    [`${REFERENCE}controllers.md`, controllersPage(kinds)],
    [`${REFERENCE}rules.md`, rulesPage(kinds)],
    ...kinds.map((kind): [string, string] => [`${REFERENCE}${annotationsPath(kind)}`, annotationsPage(kind)]),
    ['rosetta/default.ts-fixture', defaultFixture()],
  ]);
}

function readme(controllers: string): string {
  const written = readFileSync(join(ROOT, README), 'utf8');
  const parts = { controllers, mistakes: `\`\`\`text\n${saidOfMistakes()}\n\`\`\`` };
  return Object.entries(parts).reduce((text, [name, part]) => withPart(text, name, part), written);
}

/** What the example says that fails on purpose. */
function saidOfMistakes(): string {
  try {
    require('../../examples/mistakes');
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('examples/mistakes.ts is there to fail, and does not');
}

/** A text with a generated part between its two marks. */
function withPart(text: string, name: string, part: string): string {
  const marks = new RegExp(`(<!-- ${name} -->\\n).*?(<!-- /${name} -->)`, 's');
  if (!marks.test(text)) {
    throw new Error(`${README} has no place for the ${name}; write <!-- ${name} --> and <!-- /${name} -->`);
  }
  return text.replace(marks, (_, begin: string, end: string) => `${begin}\n${part}\n\n${end}`);
}

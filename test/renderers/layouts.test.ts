import { type FileTexts, Folder } from '../cli/diff/repository';
import { casesIn } from '../support/yaml-cases';
import { said } from './harness';

// Layouts of public repositories, made small: none of them has a mistake.

interface Layout {
  readonly files: FileTexts;
  readonly objects: number;
  readonly asked?: readonly (readonly string[])[];
}

const LAYOUTS: Readonly<Record<string, Layout>> = casesIn(__dirname, 'layouts.yaml').layouts;

const ROWS = Object.entries(LAYOUTS).flatMap(([name, { files, objects, asked = [[]] }]) =>
  asked.map((paths) => [['check', ...paths].join(' '), name, paths, files, objects] as const),
);

test.each(ROWS)('%s: %s', (_, __, paths, files, objects) => {
  const { out, error, code } = said(new Folder(files), ['check', ...paths, '--format', 'json']);
  expect([error, code]).toEqual(['', 0]);
  expect(JSON.parse(out)).toMatchObject({ findings: [], unreadable: [], summary: { objects } });
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundledCommand, licenceOf } from '../scripts/command/bundle';
import { filesIn, ROOT } from '../scripts/docs/files';

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const manifest = JSON.parse(read('package.json'));

/** The folders of the packages that npm puts into ours, with all that they need. */
function bundledFolders(names: readonly string[] = manifest.bundledDependencies): string[] {
  return names.flatMap((name) => {
    const { dependencies = {} } = JSON.parse(read(`node_modules/${name}/package.json`));
    return [`node_modules/${name}`, ...bundledFolders(Object.keys(dependencies))];
  });
}

const COMMAND = 'lib/checks/main.js';

/** What NOTICE has to name: where each package is, its licence, and who has its copyright. */
function wanted(): string[] {
  const places = [
    ...bundledCommand().packages.map((folder) => ({ folder, place: COMMAND })),
    ...bundledFolders().map((folder) => ({ folder, place: 'node_modules' })),
  ].map(({ folder, place }) => ({ ...licenceOf(folder), place }));
  return [...new Set(places.map(({ name }) => name))].sort().map((name) => {
    const its = places.filter((one) => one.name === name);
    const copyrights = its.flatMap(({ texts }) => texts.join('\n').match(/^ *Copyright (?!\[yyyy\]).*$/gm) ?? []);
    const where = its
      .map(({ place }) => place)
      .sort()
      .reverse()
      .join(' and ');
    const lines = new Set([its[0].licence, ...copyrights.map((line) => line.trim())]);
    return [`${name}, in ${where}`, ...[...lines].map((line) => `  ${line}`)].join('\n');
  });
}

test('NOTICE names all software of others that is published, and nothing else', () => {
  const [, , , ...entries] = read('NOTICE').trimEnd().split('\n\n');
  expect(entries).toEqual(wanted());
  expect(entries.every((entry) => /\n {2}Copyright /.test(entry))).toBe(true);
});

test('the programs in assets are of this library alone', () => {
  const programs = filesIn('assets', '.js');
  expect(programs.length).toBeGreaterThan(1);
  for (const program of programs) {
    const sources = read(program).match(/^\/\/ [\w./@-]+\.[cm]?[jt]s$/gm) ?? [];
    expect(sources.length).toBeGreaterThan(1);
    expect(sources.filter((source) => !/^\/\/ (src|programs)\//.test(source))).toEqual([]);
  }
});

test('every licence of what is published allows it', () => {
  const licences = wanted().map((entry) => entry.split('\n')[1].trim());
  expect(
    licences.filter((licence) => !['Apache-2.0', 'MIT', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause'].includes(licence)),
  ).toEqual([]);
});

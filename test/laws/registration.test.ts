import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AnnotationCatalogue } from '../../src/contract/annotation-catalogue';
import { definitionOf } from '../../src/rules/controller-definition';
import { knownKinds } from '../../src/rules/known-kinds';
import { caseTables } from '../support/cases';
import { importsOf, sources } from '../support/sources';
import { kinds } from '../support/subjects';

const CONTROLLERS = join(__dirname, '..', '..', 'src', 'controllers');
const folders = readdirSync(CONTROLLERS, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
const catalogues = folders.filter((folder) => existsSync(join(CONTROLLERS, folder, 'annotations.ts')));

/** The kinds whose catalogue stands in the folder of a product. */
function kindsOf(folder: string): string[] {
  const exported = Object.values(require(join(CONTROLLERS, folder, 'annotations')) as Record<string, unknown>);
  return kinds.filter(({ catalogue }) => exported.includes(catalogue)).map(({ name }) => name);
}

test.each(catalogues)(
  '%s/annotations.ts holds the catalogue of a controller that the package exports, or a part of one',
  (folder) => {
    const module = `./controllers/${folder}/annotations`;
    const readers = sources.filter((source) => importsOf(source).includes(module)).map(({ path }) => path);
    const owners = [
      folder,
      ...readers.filter((path) => path.endsWith('/annotations.ts')).map((path) => path.split('/')[1]),
    ];
    if (owners.flatMap(kindsOf).length === 0) {
      throw new Error(`add export * from './${folder}/controller' or './${folder}' to src/controllers/index.ts`);
    }
  },
);

test('each controller has one folder, and that one line among the exports', () => {
  const lines = readFileSync(join(CONTROLLERS, 'index.ts'), 'utf8').trim().split('\n');
  const owners = catalogues.filter((folder) => kindsOf(folder).length > 0);
  expect(owners).toHaveLength(kinds.length);
  expect(owners.filter((folder) => lines.filter((line) => line.includes(`'./${folder}`)).length !== 1)).toEqual([]);
});

test('every controller has a name and a catalogue of its own', () => {
  for (const property of ['name', 'catalogue'] as const) {
    expect(new Set(kinds.map((kind) => kind[property])).size).toBe(kinds.length);
  }
});

describe.each(kinds.map((kind) => [kind.name, kind] as const))('%s', (name, kind) => {
  test('has one table of cases, with requests and with finished Services', () => {
    const tables = caseTables.filter(([, { kind: its }]) => its === kind).map(([, table]) => table);
    expect(tables).toHaveLength(1);
    expect(tables[0].requests).not.toEqual([]);
    expect(tables[0].services).not.toEqual([]);
  });

  test('can be installed, under its own name', () => {
    expect(kind.installed().name).toBe(name);
    expect(definitionOf(kind.installed())).toBe(kind);
  });

  test('is among all kinds', () => {
    expect(knownKinds()).toEqual(kinds);
    expect(kind.catalogue).toBeInstanceOf(AnnotationCatalogue);
  });

  test('has facts for the table of controllers, with their source', () => {
    const { product, nodes, remark = 'none', source } = kind.facts;
    const facts = [product, nodes, remark, source.repository, source.version, source.file];
    expect(facts.filter((fact) => fact.trim() === '')).toEqual([]);
  });

  test('has rules that are named once, each said as a sentence', () => {
    const ids = kind.rules.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)]);
    expect(ids.filter((id) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(id))).toEqual([]);
    expect(kind.rules.filter(({ says }) => says.trim() === '' || says.endsWith('.'))).toEqual([]);
  });
});

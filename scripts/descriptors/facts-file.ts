import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Document, parse, parseAllDocuments, parseDocument, type ScalarTag } from 'yaml';
import { filesIn, ROOT } from '../docs/files';
import { docComment, headOf, Imports, keyIn, quoted } from './code';
import { factoriesFile } from './factories-file';
import { type Declarations, declarationsCode } from './options-file';

// Tables of facts: `facts.yaml` and `name.facts.yaml` become `facts.ts` and `name.facts.ts` beside them; so does each further document of
// a `descriptor.yaml`, by the name of its `table`. `options.yaml`, with enums and structs, becomes `options.ts`; `name.factories.yaml` has
// classes of static factories.

/** A constant: what it is, its type, and its value; without a type it is read-only as it stands. */
interface Constant {
  readonly doc?: string;
  readonly type?: string;
  readonly value: unknown;
}

interface Table {
  /** The name of its file, in a descriptor. */
  readonly table?: string;
  /** Names of other files, by file below `src`: types, and values for `!name`. */
  readonly imports?: Readonly<Record<string, readonly string[]>>;
  readonly constants: Readonly<Record<string, Constant>>;
}

/** Code that stands for itself: `!regex`, which ignores case behind `(?i)`, and `!name`; `{ call, with }` calls a function. */
class Code {
  public constructor(
    public readonly text: string,
    /** A name that must be imported or declared. */
    public readonly name?: string,
  ) {}
}

const tag = (name: string, resolve: (text: string) => Code): ScalarTag => ({ tag: name, resolve });
const TAGS = [
  tag(
    '!regex',
    (text) => new Code(String(new RegExp(text.replace(/^\(\?i\)/, ''), text.startsWith('(?i)') ? 'i' : ''))),
  ),
  tag('!name', (text) => new Code(text, text.split('.')[0])),
];

const SYNTAX = { customTags: TAGS, merge: true } as const;

/** What is generated from all tables, by path. */
export function factsFiles(): Map<string, string> {
  const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
  return new Map([
    ...filesIn('src', 'facts.yaml').map((path) => [path.replace(/yaml$/, 'ts'), factsFile(path, read(path))] as const),
    ...filesIn('src', 'descriptor.yaml').flatMap((path) => tablesIn(path, read(path))),
    ...filesIn('src', 'options.yaml').map(
      (path) => [path.replace(/yaml$/, 'ts'), optionsOf(path, read(path))] as const,
    ),
    ...filesIn('src', 'factories.yaml').map(
      (path) => [path.replace(/yaml$/, 'ts'), factoriesFile(path, read(path))] as const,
    ),
  ]);
}

/** What is generated from the documents of a descriptor behind the first, by path. @throws if one of them names no table */
export function tablesIn(path: string, text: string): (readonly [string, string])[] {
  const [, ...tables] = parseAllDocuments(text, SYNTAX) as Document[];
  return tables.map((document) => {
    const { table } = document.toJS() as Table;
    if (table === undefined) {
      throw new Error(`${path}: a document behind the first has no 'table', the name of its file`);
    }
    return [path.replace(/descriptor\.yaml$/, `${table}.ts`), tableCode(path, document)];
  });
}

/** The constants of a table. @throws if it names what it does not import */
export function factsFile(path: string, text: string): string {
  return tableCode(path, parseDocument(text, SYNTAX));
}

function tableCode(path: string, document: Document): string {
  const [fault] = document.errors;
  if (fault) {
    throw new Error(`${path}: ${fault.message}`);
  }
  const { imports: names = {}, constants } = document.toJS() as Table;
  const imports = new Imports(path.slice(0, path.lastIndexOf('/')));
  const declared = new Set(Object.keys(constants));
  const values = new Set<string>();
  const rows = Object.entries(constants).map(([name, { doc, type, value }]) => {
    const code = codeOf(value, values);
    const comment = doc === undefined ? '' : `${docComment(doc.trim().split('\n'), '')}\n`;
    return type === undefined
      ? `${comment}export const ${name} = ${code}${value instanceof Code ? '' : ' as const'};`
      : `${comment}export const ${name}: ${type} = ${code};`;
  });
  for (const [file, all] of Object.entries(names)) {
    for (const name of all) {
      values.delete(name) ? imports.value(name, file) : imports.type(name, file);
    }
  }
  const missing = [...values].find((name) => !declared.has(name));
  if (missing !== undefined) {
    throw new Error(`${path}: '${missing}' is neither imported nor a constant of the table`);
  }
  return `${[`${headOf(path)}\n${imports}`.trim(), ...rows].join('\n\n')}\n`;
}

function codeOf(value: unknown, values: Set<string>): string {
  if (value instanceof Code) {
    if (value.name !== undefined) {
      values.add(value.name);
    }
    return value.text;
  }
  if (Array.isArray(value)) {
    return `[${value.map((one) => codeOf(one, values)).join(', ')}]`;
  }
  if (typeof value === 'object' && value !== null) {
    const { call, with: args } = value as { call?: string; with?: unknown[] };
    if (call !== undefined && args !== undefined) {
      values.add(call);
      return `${call}(${args.map((one) => codeOf(one, values)).join(', ')})`;
    }
    const members = Object.entries(value).map(([name, one]) => `${keyIn(name)}: ${codeOf(one, values)}`);
    return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
  }
  return typeof value === 'string' ? quoted(value) : String(value);
}

function optionsOf(path: string, text: string): string {
  const folder = path.slice(0, path.lastIndexOf('/'));
  return declarationsCode({ ...(parse(text) as Declarations), folder: folder.replace(/^src\//, '') }, folder, path);
}

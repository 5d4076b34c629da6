import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Duration, Size } from 'cdk8s';
import { parse, type YAMLMap, type YAMLSeq } from 'yaml';
import * as library from '../../src';
import type { Json } from '../../src/contract/json';

const members = { ...library, Duration, RegExp, Size };

/** Values that YAML has no words for, by the tags of their texts. */
const TEXTS: Readonly<Record<string, (text: string) => unknown>> = {
  '!unset': () => undefined,
  '!regex': (text) => new RegExp(text.slice(1, text.lastIndexOf('/')), text.slice(text.lastIndexOf('/') + 1)),
  '!strimzi': (text) => {
    const [version, gate] = text.split(' ');
    const strimzi = library.StrimziVersion.of(version);
    return gate === undefined ? strimzi : library.StrimziVersion.withServerSideApply(strimzi, gate === 'on');
  },
  '!contains': (text) => expect.stringContaining(text),
  '!matches': (text) => expect.stringMatching(new RegExp(text)),
};

/** The same of maps and lists. */
const COLLECTIONS: readonly [tag: string, collection: 'map' | 'seq', of: (value: never) => unknown][] = [
  ['!call', 'map', (calls: Json) => revived({ [`$${Object.keys(calls)[0]}`]: Object.values(calls)[0] })],
  ['!listener', 'map', (more: Json) => ({ name: 'external', port: 9094, type: 'loadbalancer', tls: true, ...more })],
  ['!has', 'map', (fields: Json) => expect.objectContaining(fields)],
  ['!holds', 'seq', (items: unknown[]) => expect.arrayContaining(items)],
];

const TAGS = [
  ...Object.entries(TEXTS).map(([tag, resolve]) => ({ tag, resolve })),
  ...COLLECTIONS.map(([tag, collection, of]) => ({
    tag,
    collection,
    resolve: (node: YAMLMap | YAMLSeq) => of(node.toJSON() as never),
  })),
];

/** A name that the reader of a file did not pass: a table of another reader may use it. */
class UnknownName {
  constructor(readonly name: string) {}
}

function unknownNamesIn(value: unknown): string[] {
  if (value instanceof UnknownName) return [value.name];
  return Array.isArray(value) || Object.getPrototypeOf(value ?? 0) === Object.prototype
    ? Object.values(value as object).flatMap(unknownNamesIn)
    : [];
}

/** The content of a YAML file of cases; `!name` is one of these values, and `!name undefined` no value. */
// biome-ignore lint/suspicious/noExplicitAny: cases are of any shape
export function tablesOf<Tables = any>(file: string, names: Readonly<Record<string, unknown>> = {}): Tables {
  const known = new Map(Object.entries({ undefined: undefined, ...names }));
  const named = (name: string) => (known.has(name) ? known.get(name) : new UnknownName(name));
  const customTags = [...TAGS, { tag: '!name', resolve: named }];
  return parse(readFileSync(file, 'utf8'), { merge: true, customTags, maxAliasCount: -1 }) as Tables;
}

/** The content of a YAML file of cases beside a test. */
// biome-ignore lint/suspicious/noExplicitAny: cases are of any shape
export const casesIn = (folder: string, file: string): any => tablesOf(join(folder, file));

/**
 * The rows of a table in a YAML file below `test`: lists, or maps in the order of the columns; what a map leaves out is undefined, and
 * `!name` one of these values.
 */
export function table<Row extends unknown[]>(
  file: string,
  name: string,
  names: Readonly<Record<string, unknown>> = {},
): Row[] {
  const given = tablesOf<Json>(join(__dirname, '..', file), names)[name];
  const { columns, rows } = Array.isArray(given) ? { columns: [], rows: given } : given;
  const unknown = unknownNamesIn(rows);
  if (unknown.length > 0) throw new Error(`${file}: '${unknown[0]}' is not a value of the test`);
  return rows.map((row: Json) => {
    if (Array.isArray(row)) return row;
    const values = columns.map((column: string) => row[column]);
    return values.slice(0, values.findLastIndex((_: unknown, i: number) => columns[i] in row) + 1);
  });
}

/** Cases as rows of `test.each`, by their `title`. */
export function titled<Case extends { readonly title: string }>(cases: readonly Case[]): [string, Case][] {
  return cases.map((one) => [one.title, one]);
}

/** Functions of a test that its cases name: `$pool: [a]` is `pool(a)`. */
type Functions = Readonly<Record<string, (...values: never[]) => unknown>>;

/**
 * A value with the members of the library that its maps name: `$MetalLb.bgp: [{ namespace: lb }]` is a call, `$IpFamily.IPV6: []` a
 * constant, `$RegExp: [text]` a pattern. `$undefined: []` is undefined.
 */
// biome-ignore lint/suspicious/noExplicitAny: values are of any type
export function revived(value: any, functions: Functions = {}): any {
  if (Array.isArray(value)) return value.map((one) => revived(one, functions));
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  const [[key, given] = ['']] = Object.entries(value);
  if (!key.startsWith('$')) {
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, revived(one, functions)]));
  }
  if (key === '$undefined') return undefined;
  const [type, member] = key.slice(1).split('.');
  const values = revived(given, functions);
  if (functions[type]) return functions[type](...(values as never[]));
  // biome-ignore lint/suspicious/noExplicitAny: any member of any class
  const of = (members as any)[type];
  if (member === undefined) return new of(...values);
  return typeof of[member] === 'function' ? of[member](...values) : of[member];
}

/** A function for `$all`: makes what maps of names and arguments say, `{ pool: [a] }` as `pool(scope, a)`. */
export function all(functions: Functions) {
  return (...steps: readonly Readonly<Record<string, unknown[]>>[]) =>
    (scope: unknown) => {
      for (const [name, values] of steps.flatMap(Object.entries)) {
        functions[name](...([scope, ...values] as never[]));
      }
    };
}

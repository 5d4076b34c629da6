import { stringify } from 'yaml';
import type { Json } from '../../../src/contract/json';
import type { Random } from '../random';

// Seeded mutants of right manifests: any value of JSON or of YAML at any field, objects that are there twice, and texts that are
// hardly YAML any more.

export interface Mutant {
  /** What was changed, for the one who reads a failure. */
  readonly change: string;
  readonly text: string;
}

type Path = readonly (string | number)[];

const PROTOTYPE = JSON.parse('{"__proto__": {"a": 1}, "constructor": {"name": "b"}, "hasOwnProperty": 1}');

const VALUES: readonly (readonly [string, () => unknown])[] = [
  ['null', () => null],
  ['an empty text', () => ''],
  ['a space', () => ' '],
  ['a text', () => 'x'],
  ['the text constructor', () => 'constructor'],
  ['the text __proto__', () => '__proto__'],
  ['the text toString', () => 'toString'],
  ['a variable', () => '$(X)'],
  ['a template', () => '{{ .Values.x }}'],
  ['a long text', () => 'ab-/.'.repeat(20_000)],
  ['a long text of digits', () => '9'.repeat(50_000)],
  ['a text of several lines', () => 'a\nb: c\r\n\u202e<script>&|`'],
  ['letters beyond ASCII', () => 'é\u{1f600}'],
  ['a range of ids', () => '[0-2000000000]'],
  ['ranges of ids', () => '[5-3, -1, 1-2-3, 9999999999999999999]'],
  ['all addresses', () => '0.0.0.0/0'],
  ['all addresses of IPv6', () => '::/0'],
  ['a range of all addresses', () => '0.0.0.0-255.255.255.255'],
  ['all ports', () => '0-65535'],
  ['many ports', () => '1-2000000000'],
  ['a duration', () => '999999999999h'],
  ['0', () => 0],
  ['-1', () => -1],
  ['1.5', () => 1.5],
  ['65536', () => 65_536],
  ['a million', () => 1_000_000],
  ['two billion', () => 2_000_000_000],
  ['the largest number', () => Number.MAX_SAFE_INTEGER],
  ['a number beyond all', () => 1e300],
  ['true', () => true],
  ['false', () => false],
  ['an empty list', () => []],
  ['an empty map', () => ({})],
  ['a list of null', () => [null]],
  ['a list of lists', () => [[[]], [['a']]]],
  ['a list of anything', () => [null, 1, 'a', true, [], {}, { toString: 'x' }]],
  ['a map with a key toString', () => ({ toString: 'x' })],
  ['a map with a key valueOf', () => ({ valueOf: 1, toString: null })],
  ['a map with a key toJSON', () => ({ toJSON: 'x', isMap: 1 })],
  ['a list of such a map', () => [{ toString: 'x' }]],
  ['a map with keys of prototypes', () => PROTOTYPE],
  ['a map with an empty key', () => ({ '': null })],
  ['a map with a length', () => ({ length: 3, 0: 'a' })],
  ['deep lists', () => deep(500, (inner) => [inner])],
  ['deep maps', () => deep(500, (inner) => ({ a: inner }))],
];

function deep(levels: number, around: (inner: unknown) => unknown): unknown {
  return Array.from({ length: levels }).reduce(around, 'x');
}

const KEYS = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf', '', ' ', 'x', '0', 'é', 'a.b/c'];

const TEXTS = [
  ...['.nan', '.inf', '-.inf', '0x7fffffff', '0o777', '1_000', '1e999', '12:30:45', '2026-01-01', 'yes', '~', 'null'],
  ...['!!binary aGVsbG8=', '!!set {a, b}', '!!omap [a: 1]', '!!timestamp 2026-01-01', '!!str 5', '!!float 5', '!own x'],
  ...['&a [*a]', '*nowhere', '&a {<<: *a}', '{<<: {a: b}, c: d}', '{<<: [1, 2]}', '{? [a] : b}', '{1: a, null: b}'],
  ...[
    '"\\u0000"',
    '"\\ud800"',
    '|\n  a\n  b',
    '> a',
    '@',
    '`',
    '%',
    '"',
    "'",
    '[',
    '{',
    '{{ .Values.a }}',
    '\t',
    '# a',
  ],
];

const MARK = 'value-of-a-mutant';

function placesIn(value: unknown, path: Path = []): Path[] {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, inner]) => [[...path, key], ...placesIn(inner, [...path, key])])
    : [];
}

/** The object with another value at a place, or, with a function, whatever that makes of the map or list around it. */
function changed(
  value: unknown,
  [key, ...rest]: Path,
  change: (entries: [string, unknown][], key: string) => void,
): unknown {
  const entries = Object.entries(value as object);
  if (rest.length > 0) {
    const entry = entries.find(([own]) => own === String(key));
    if (entry) entry[1] = changed(entry[1], rest, change);
  } else {
    change(entries, String(key));
  }
  return Array.isArray(value) ? entries.map(([, item]) => item) : Object.fromEntries(entries);
}

function replacing(odd: unknown) {
  return (entries: [string, unknown][], key: string) => {
    for (const entry of entries.filter(([own]) => own === key)) {
      entry[1] = odd;
    }
  };
}

function textOf(objects: readonly unknown[]): string {
  return objects.map((object) => stringify(object, { aliasDuplicateObjects: false })).join('---\n');
}

export function mutantOf(objects: readonly Json[], random: Random): Mutant {
  const at = random([...objects.keys()]);
  const object = objects[at];
  const path = random(placesIn(object));
  const where = `${String(object.kind)} ${path.join('.').slice(0, 200)}`;
  const others = (change: Parameters<typeof changed>[2]) =>
    objects.map((one, i) => (i === at ? (changed(one, path, change) as Json) : one));
  const value = () => {
    const [name, make] = random(VALUES);
    return { change: `${where}: ${name}`, objects: others(replacing(make())) };
  };
  switch (
    random(['value', 'value', 'value', 'value', 'key', 'beside', 'gone', 'list', 'twice', 'yaml', 'letters', 'two'])
  ) {
    case 'key': {
      const key = random(KEYS);
      const text = textOf(
        others((entries, old) => {
          for (const entry of entries.filter(([own]) => own === old)) entry[0] = key;
        }),
      );
      return { change: `${where}: is called '${key}'`, text };
    }
    case 'beside': {
      const [key, [name, make]] = [random(KEYS), random(VALUES)];
      const text = textOf(others((entries) => void entries.push([key, make()])));
      return { change: `${where}: beside it '${key}', ${name}`, text };
    }
    case 'gone':
      return {
        change: `${where}: gone`,
        text: textOf(
          others(
            (entries, key) =>
              void entries.splice(
                entries.findIndex(([own]) => own === key),
                1,
              ),
          ),
        ),
      };
    case 'list': {
      const times = random([1, 2, 50]);
      const list = (entries: [string, unknown][], key: string) => {
        const old = entries.find(([own]) => own === key)?.[1];
        replacing(Array.isArray(old) ? Array.from({ length: times }, () => old).flat() : Array(times).fill(old))(
          entries,
          key,
        );
      };
      return { change: `${where}: ${times} times`, text: textOf(others(list)) };
    }
    case 'twice': {
      const one = changed(object, path, replacing(random(VALUES)[1]())) as Json;
      return { change: `${where}: a second one with another value`, text: textOf([...objects, one, object]) };
    }
    case 'yaml': {
      const yaml = random(TEXTS);
      const text = textOf(others(replacing(MARK)));
      return { change: `${where}: ${yaml}`, text: text.replace(MARK, () => yaml) };
    }
    case 'letters': {
      const lines = textOf(objects).split('\n');
      const line = random([...lines.keys()]);
      const how = random(['gone', 'twice', 'indented', 'cut', 'tabbed']);
      const texts: Readonly<Record<string, readonly string[]>> = {
        gone: [],
        twice: [lines[line], lines[line]],
        indented: [`  ${lines[line]}`],
        cut: [lines[line].slice(0, -1)],
        tabbed: [`\t${lines[line]}`],
      };
      return {
        change: `line ${line + 1}: ${how}`,
        text: [...lines.slice(0, line), ...texts[how], ...lines.slice(line + 1)].join('\n'),
      };
    }
    case 'two': {
      const first = value();
      const [name, make] = random(VALUES);
      const second = random([...first.objects.keys()]);
      const places = placesIn(first.objects[second]).filter((one) => one.length < 20);
      const [to] = places.length > 0 ? [random(places)] : [];
      const both = first.objects.map((one, i) => (i === second && to ? changed(one, to, replacing(make())) : one));
      return { change: `${first.change}; ${String(to?.join('.').slice(0, 200))}: ${name}`, text: textOf(both) };
    }
    default: {
      const { change, objects: all } = value();
      return { change, text: textOf(all) };
    }
  }
}

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import '../../src';
import { type Json, keysChanged, ownValue, sameValue } from '../../src/contract/json';
import { run } from '../support/command';
import { tries } from '../support/random';
import { OBJECTS, textsIn, withKey, withValue } from './objects-of-all-kinds';

// Whatever stands where a text belongs, or nothing at all: what the commands say of it has no words of JavaScript. Every object of
// JavaScript has a `constructor`, and a table that is looked into by that finds something: it must not be taken for an entry.

const NAMES = ['constructor', '__proto__', 'toString'];

const folder = mkdtempSync(join(tmpdir(), 'spoilt-'));
afterAll(() => rmSync(folder, { recursive: true }));

function written(file: string, objects: readonly Json[]): string {
  const path = join(folder, file);
  writeFileSync(path, objects.map((one) => JSON.stringify(one)).join('\n---\n'));
  return path;
}

const RIGHT = written('right.yaml', OBJECTS);
const SPOILT = join(folder, 'spoilt.yaml');
const STRANGE = /.*(native code|\[object|TypeError|undefined|NaN|Infinity).*/g;

const EVERY = 20 / tries(20, 20);
let count = 0;

const strangeIn = (...args: readonly string[]) =>
  (
    Object.values(run(...args))
      .join('\n')
      .match(STRANGE) ?? []
  ).map((line) => line.trim());

/** The strange lines in what every command says if an object is another one, beside those that are right. */
function strange(at: number, changed: Json): string[] {
  const { kind, metadata } = OBJECTS[at];
  const runs = [
    ['check', SPOILT],
    ['list', SPOILT],
    ['report', SPOILT],
    ['explain', SPOILT],
    ['explain', '--trace', SPOILT],
    ['explain', `${kind} edge/${metadata.name}`, SPOILT],
    ['explain', 'edge/echo', SPOILT],
    ['diff', RIGHT, SPOILT],
    ['diff', SPOILT, RIGHT],
  ].filter(() => count++ % EVERY === 0);
  if (runs.length > 0) {
    written(
      'spoilt.yaml',
      OBJECTS.map((object, i) => (i === at ? changed : object)),
    );
  }
  return runs.flatMap((args) => strangeIn(...args));
}

const CHANGES: Readonly<Record<string, (object: Json, path: readonly string[]) => Json>> = {
  nothing: (object, path) => withValue(object, path, undefined),
  'a map': (object, path) => withValue(object, path, { a: 'b' }),
  'the text constructor': (object, path) => withValue(object, path, 'constructor'),
  'the key constructor': (object, path) => withKey(object, path, 'constructor'),
};

// without its kind an object is none
const isInside = ([first]: readonly string[]) => !['apiVersion', 'kind'].includes(first);

test.each(OBJECTS.map(({ kind }, at) => [kind, at] as const))('anything in any place of %s', (_, at) => {
  const object = OBJECTS[at];
  const found = textsIn(object).flatMap((path) =>
    Object.entries(CHANGES)
      .filter(([name]) => isInside(path) || !name.includes('key'))
      .flatMap(([name, change]) =>
        strange(at, change(object, path)).map((line) => `${path.join('.')}: ${name}: ${line}`),
      ),
  );
  expect(found).toEqual([]);
});

test.each(NAMES)('the text %s in all places of an object', (name) => {
  const found = OBJECTS.flatMap((object, at) => {
    const places = textsIn(object).filter(isInside);
    const changed = places.reduce((one, path) => withValue(one, path, name), object);
    return strange(at, changed).map((line) => `${object.kind}: ${line}`);
  });
  expect(found).toEqual([]);
});

test.each(NAMES)('on the command line, %s is a word like any other', (name) => {
  const words = ['edge/echo', name, `${name}/s`, `${name}s/s`, `${name} edge/echo`];
  expect(words.flatMap((word) => strangeIn('explain', word, RIGHT))).toEqual([]);
});

test('a map has what is written in it alone', () => {
  const inherited = JSON.parse('{"__proto__": "a", "constructor": "b"}');
  expect(NAMES.map((name) => ownValue({}, name))).toEqual([undefined, undefined, undefined]);
  expect(NAMES.map((name) => ownValue(inherited, name))).toEqual(['b', 'a', undefined]);
  expect(sameValue({}, { constructor: 'a' })).toBe(false);
  expect(sameValue({ constructor: null }, {})).toBe(true);
  expect(keysChanged({}, inherited)).toEqual(['__proto__', 'constructor']);
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import '../../src';
import type { Json } from '../../src/contract/json';
import { ownValue } from '../../src/contract/own-value';
import { keysChanged, sameValue } from '../../src/contract/same-value';
import { run } from '../support/command';
import { OBJECTS, textsIn } from './objects-of-all-kinds';

// Every object of JavaScript has a `constructor`, and a table that is looked into by that finds something. Whatever a file or a
// command line says, that must not be taken for an entry.

const NAMES = ['constructor', '__proto__', 'toString'];

/** An object with another text in a place of it, or, where `isKey`, with another name of that place. */
function spoilt(object: Json, [key, ...rest]: readonly string[], name: string, isKey = false): Json {
  if (Array.isArray(object)) {
    return object.map((item, i) =>
      String(i) !== key ? item : rest.length === 0 ? name : spoilt(item, rest, name, isKey),
    );
  }
  return Object.fromEntries(
    Object.entries(object).map(([own, value]) => {
      if (own !== key) {
        return [own, value];
      }
      return rest.length > 0 ? [own, spoilt(value, rest, name, isKey)] : isKey ? [name, value] : [own, name];
    }),
  );
}

const folder = mkdtempSync(join(tmpdir(), 'names-'));
afterAll(() => rmSync(folder, { recursive: true }));

function written(file: string, objects: readonly Json[]): string {
  const path = join(folder, file);
  writeFileSync(path, objects.map((one) => JSON.stringify(one)).join('\n---\n'));
  return path;
}

/** What all commands say of some files beside those that are right. */
function said(objects: readonly Json[], at: number): string {
  const before = written('before.yaml', OBJECTS);
  const after = written('after.yaml', objects);
  const { kind, metadata: { name = '' } = {} } = objects[at];
  const runs = [
    ['check', after],
    ['list', after],
    ['report', after],
    ['explain', `${kind} edge/${name}`, after],
    ['explain', 'edge/echo', after],
    ['diff', before, after],
    ['diff', after, before],
  ];
  return runs.map((args) => Object.values(run(...args)).join('\n')).join('\n');
}

const STRANGE = /native code|\[object|TypeError/;

const PLACES = OBJECTS.flatMap((object, at) =>
  textsIn(object).map((path) => [`${object.kind} ${path.join('.')}`, at, path] as const),
);

test('what is spoilt is right at first', () => {
  expect(said(OBJECTS, 0)).not.toMatch(STRANGE);
});

test.each(PLACES)('the text constructor in %s', (_, at, path) => {
  const objects = OBJECTS.map((object, i) => (i === at ? spoilt(object, path, 'constructor') : object));
  expect(said(objects, at)).not.toMatch(STRANGE);
});

// without its kind an object is none
const INSIDE = PLACES.filter(([, , [first]]) => !['apiVersion', 'kind'].includes(first));

test.each(OBJECTS.flatMap(({ kind }, at) => NAMES.map((name) => [name, kind, at] as const)))(
  'the text %s in all places of %s',
  (name, _, at) => {
    const places = INSIDE.filter(([, of]) => of === at);
    const objects = OBJECTS.map((object, i) =>
      i === at ? places.reduce((one, [, , path]) => spoilt(one, path, name), object) : object,
    );
    expect(said(objects, at)).not.toMatch(STRANGE);
  },
);

test.each(INSIDE)('a key constructor for %s', (_, at, path) => {
  const objects = OBJECTS.map((object, i) => (i === at ? spoilt(object, path, 'constructor', true) : object));
  expect(said(objects, at)).not.toMatch(STRANGE);
});

test.each(NAMES)('on the command line, %s is a word like any other', (name) => {
  const file = written('after.yaml', OBJECTS);
  for (const word of [name, `${name}/s`, `${name}s/s`, `${name} edge/echo`]) {
    expect(Object.values(run('explain', word, file)).join('\n')).not.toMatch(STRANGE);
  }
});

test('a map has what is written in it alone', () => {
  const inherited = JSON.parse('{"__proto__": "a", "constructor": "b"}');
  expect(NAMES.map((name) => ownValue({}, name))).toEqual([undefined, undefined, undefined]);
  expect(NAMES.map((name) => ownValue(inherited, name))).toEqual(['b', 'a', undefined]);
  expect(sameValue({}, { constructor: 'a' })).toBe(false);
  expect(sameValue({ constructor: null }, {})).toBe(true);
  expect(keysChanged({}, inherited)).toEqual(['__proto__', 'constructor']);
});

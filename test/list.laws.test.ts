import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { isMap, type Json } from '../src/contract/json';
import { knownKinds } from '../src/rules/known-kinds';
import { run } from './support/command';
import { tries } from './support/random';
import { tablesOf } from './support/yaml-cases';

const tables = tablesOf<Record<string, never>>(join(__dirname, 'list.laws.yaml'));

// Whatever stands in a file, the report is one of whole lines, and says nothing that only a program says.

const file = join(mkdtempSync(join(tmpdir(), 'list-laws-')), 'a.yaml');
const CONTROLLERS = knownKinds().map(({ name }) => name);

const OBJECTS: readonly Json[] = tables.objects;

function placesIn(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  const inner = isMap(value) || Array.isArray(value) ? Object.entries(value as Json) : [];
  return [path, ...inner.flatMap(([key, one]) => placesIn(one, [...path, key]))];
}

function changed(value: Json, [key, ...rest]: readonly string[], replacement: unknown): Json {
  const copy: Json = Array.isArray(value) ? [...value] : { ...value };
  const put = rest.length === 0 ? replacement : changed(value[key], rest, replacement);
  Object.defineProperty(copy, key, { value: put, enumerable: true, configurable: true, writable: true });
  return copy;
}

/** Values that stand nowhere, each with a reason to be feared. */
const strange = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    0,
    -1,
    80.5,
    '',
    'x\n  owner           forged',
    '\u001b[2J',
    '\u202e',
    [],
    {},
    [null],
    [[]],
  ),
  fc.constantFrom<unknown>({ toString: 'x' }, { toString: 'x', valueOf: 1 }, { __proto__: 'x' }, { constructor: {} }, [
    { toString: 1 },
  ]),
  fc.string({ unit: 'binary', maxLength: 6 }),
  fc.jsonValue({ maxDepth: 2 }),
);

const places = OBJECTS.flatMap((object, i) =>
  placesIn(object)
    .slice(1)
    .map((path) => [`${i}`, ...path]),
);
const change = fc.tuple(fc.constantFrom(...places), strange);

function said(): string {
  const outcomes = [
    run('list', '--verbose', file),
    run('list', '--verbose', '-c', CONTROLLERS.join(), file),
    run('list', '--format', 'json', file),
  ];
  expect(outcomes.map(({ code }) => code).every((code) => [0, 1, 2].includes(code ?? -1))).toBe(true);
  return outcomes
    .slice(0, 2)
    .map(({ out, error }) => out + error)
    .join('');
}

function expectPlain(text: string): void {
  expect(text).not.toMatch(/\[object |\bundefined\b|\bNaN\b|^ {2}owner {11}forged/m);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: none of them is printed
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
}

test('objects that hold anything anywhere are reported in plain lines', () => {
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) => {
      let objects: Json = [...OBJECTS];
      for (const [path, value] of changes) {
        try {
          objects = changed(objects, path, value);
        } catch {
          // an earlier change took the place away
        }
      }
      writeFileSync(file, (objects as Json[]).map((object) => JSON.stringify(object)).join('\n---\n'));
      expectPlain(said());
    }),
    { numRuns: tries(25) },
  );
});

test('files that are cut, doubled or strewn with anything are reported in plain lines', () => {
  const text = Buffer.from(OBJECTS.map((object) => JSON.stringify(object, undefined, 1)).join('\n---\n'));
  const edit = fc.record({
    at: fc.nat(text.length),
    length: fc.nat(40),
    by: fc.oneof(
      fc.uint8Array({ maxLength: 4 }),
      fc
        .constantFrom('&a ', '*a', '? ', '<<: ', '\r', '\u0085', '\t', '!!binary ', '---\n', '{{ x }}')
        .map((one) => Buffer.from(one)),
    ),
  });
  fc.assert(
    fc.property(fc.array(edit, { minLength: 1, maxLength: 3 }), (edits) => {
      let bytes = text;
      for (const { at, length, by } of edits) {
        bytes = Buffer.concat([bytes.subarray(0, at), Buffer.from(by), bytes.subarray(at + length)]);
      }
      writeFileSync(file, bytes);
      expectPlain(said());
    }),
    { numRuns: tries(25) },
  );
});

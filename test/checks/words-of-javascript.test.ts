import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import '../../src';
import type { Json } from '../../src/contract/json';
import { run } from '../support/command';
import { OBJECTS, textsIn, withValue } from './objects-of-all-kinds';

// Whatever stands where a text belongs, or nothing at all: what the commands say of it has no words of JavaScript.

const folder = mkdtempSync(join(tmpdir(), 'spoilt-'));
afterAll(() => rmSync(folder, { recursive: true }));

function written(file: string, objects: readonly Json[]): string {
  const path = join(folder, file);
  writeFileSync(path, objects.map((one) => JSON.stringify(one)).join('\n---\n'));
  return path;
}

/** What the commands say of some objects, before and after what is right. */
function said(objects: readonly Json[]): string {
  const [before, after] = [written('before.yaml', OBJECTS), written('after.yaml', objects)];
  const runs = [
    ['check', after],
    ['list', after],
    ['explain', after],
    ['explain', '--trace', after],
    ['diff', before, after],
  ];
  return runs.map((args) => Object.values(run(...args)).join('\n')).join('\n');
}

const STRANGE = /.*(native code|\[object|TypeError|undefined|NaN|Infinity).*/g;

const VALUES: readonly (readonly [string, unknown])[] = [
  ['nothing', undefined],
  ['a map', { a: 'b' }],
];

const PLACES = OBJECTS.flatMap((object, at) =>
  textsIn(object).map((path) => [`${object.kind} ${path.join('.')}`, at, path] as const),
);

test.each(PLACES)('%s', (_, at, path) => {
  const strange = VALUES.flatMap(([name, value]) => {
    const objects = OBJECTS.map((object, i) => (i === at ? withValue(object, path, value) : object));
    return (said(objects).match(STRANGE) ?? []).map((line) => `${name}: ${line.trim()}`);
  });
  expect(strange).toEqual([]);
});

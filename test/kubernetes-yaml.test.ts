import { join } from 'node:path';
import { Yaml } from 'cdk8s';
import { itemsOf, readKubernetesYaml } from '../src/contract/kubernetes-yaml';
import { tablesOf } from './support/yaml-cases';

const tables = tablesOf<Record<string, never>>(join(__dirname, 'kubernetes-yaml.yaml'));

/** What kubectl reads, seen with sigs.k8s.io/yaml v1.6.0. */
const READ: [string, unknown][] = tables.read;

test.each(READ)('%s is %j', (text, value) => {
  const { values, faults } = readKubernetesYaml(`a: ${text}\n`);
  expect(faults).toEqual([]);
  expect(values.map((one) => one.value)).toEqual([{ a: value }]);
});

test.each(READ.filter(([, value]) => value !== null))('what is written for %s means the same to kubectl', (_, value) =>
  expect(readKubernetesYaml(Yaml.stringify({ a: value })).values[0].value).toEqual({ a: value }),
);

test.each<[string, string, unknown[]]>(tables.rows)('%s', (_, text, values) => {
  const read = readKubernetesYaml(text);
  expect(read.faults).toEqual([]);
  const plain: unknown[] = JSON.parse(JSON.stringify(read.values.map(({ value }) => value)));
  expect(plain.filter((value) => value !== null)).toEqual(values);
});

test('a map with a key toString has a text, and so has a copy of it', () => {
  const [{ value }] = readKubernetesYaml('a: [{toString: b}]\n').values;
  expect((value as { a: object[] }).a.map((one) => String([{ ...one }]))).toEqual(['[object Object]']);
});

test('values know their lines, those of a list as well', () => {
  const { values } = readKubernetesYaml('# c\na: 1\n---\nitems:\n- b: 1\n\n- c: 1\n');
  expect(values.map(({ line }) => line)).toEqual([2, 4]);
  expect(values[1].items.map(({ line }) => line)).toEqual([5, 7]);
});

const NAMED = `- {kind: A, metadata: {name: a}}
- {kind: B, metadata: {name: b}}
`;

test.each<[string, string, number[]]>(tables.listHasItems)('a List has the items of %s', (_, text, lines) => {
  const { values, faults } = readKubernetesYaml(text);
  expect(faults).toEqual([]);
  const items = values.flatMap(itemsOf);
  expect(items.map(({ value }) => (value as { kind: string }).kind)).toEqual(['A', 'B']);
  expect(items.map(({ line }) => line)).toEqual(lines);
});

test('a field below a key that is an alias has its place there', () => {
  const [{ source }] = readKubernetesYaml(Buffer.from('a: &app echo\nb:\n  *app :\n    c: 1\n')).values;
  expect(source.placeOf(['b', 'echo', 'c'])).toEqual({ line: 4, column: 5 });
});

test('a field of an item that is written at an anchor has its place there', () => {
  const { values } = readKubernetesYaml(`kind: List\nx: &i\n${NAMED}items: *i\n`);
  const [, second] = values.flatMap(itemsOf);
  expect(second.source.placeOf(['metadata', 'name'])).toEqual({ line: 4, column: 24 });
});

test('an alias that grows without end is refused', () => {
  const layers = 'abcdefgh'.split('').map((name, i, all) => `${name}: &${name} [${`*${all[i - 1]},`.repeat(9)}]`);
  const { faults } = readKubernetesYaml(['a: &a [x]', ...layers.slice(1)].join('\n'));
  expect(faults).toEqual([
    { line: 1, column: 1, what: expect.stringContaining('alias'), remedy: 'write the values out' },
  ]);
});

const bytes = (...codes: number[]) => Uint8Array.from(codes);

test.each<[string, string | Uint8Array, number, RegExp]>([
  ...tables.refusedWithIts,
  ['UTF-16', Buffer.from('\ufeffkind: Service\n', 'utf16le'), 1, /^it is text in UTF-16$/],
  ['UTF-16 of the other order', bytes(0xfe, 0xff, 0, 0x61), 1, /^it is text in UTF-16$/],
  ['bytes of no text', bytes(0x61, 0x3a, 0x20, 0xff, 0xfa), 1, /^it is not text in UTF-8$/],
  ['a program', bytes(0x7f, 0x45, 0x4c, 0x46, 1, 2, 0), 1, /^it holds the control character \\u007f/],
])('%s is refused, with its line', (_, content, line, what) => {
  expect(readKubernetesYaml(content).faults).toMatchObject([{ line, what: expect.stringMatching(what) }]);
});

test('a template is told once, however many tokens it has', () => {
  const { faults } = readKubernetesYaml('{{ if a }}\na: {{ b }}\n---\nc: {{ d }}\n{{ end }}\n');
  expect(faults).toMatchObject([{ what: expect.stringContaining('template') }]);
});

import { Yaml } from 'cdk8s';
import { itemsOf, readKubernetesYaml } from '../src/contract/kubernetes-yaml';

/** What kubectl reads, seen with sigs.k8s.io/yaml v1.6.0. */
const READ: [string, unknown][] = [
  ['yes', true],
  ['NO', false],
  ['on', true],
  ['y', true],
  ['oN', 'oN'],
  ['0644', 420],
  ['0o17', 15],
  ['09', 9],
  ['1_000', 1000],
  ['0x1F', 31],
  ['-0x1f', -31],
  ['0b11', 3],
  ['22:22', '22:22'],
  ['1:30:00', '1:30:00'],
  ['190:20:30.15', '190:20:30.15'],
  ['2020-01-01', '2020-01-01'],
  ['2001-12-14t21:59:43.10-05:00', '2001-12-14t21:59:43.10-05:00'],
  ['1e3', 1000],
  ['e5', 'e5'],
  ['.e5', '.e5'],
  ['1.10', 1.1],
  ['.5', 0.5],
  ['5.', 5],
  ['.', '.'],
  ['-.', '-.'],
  ['1.2.3', '1.2.3'],
  ['123abc', '123abc'],
  ['~', null],
  ['', null],
  ['"yes"', 'yes'],
  ['!!str 123', '123'],
];

test.each(READ)('%s is %j', (text, value) => {
  const { values, faults } = readKubernetesYaml(`a: ${text}\n`);
  expect(faults).toEqual([]);
  expect(values.map((one) => one.value)).toEqual([{ a: value }]);
});

test.each(READ.filter(([, value]) => value !== null))(
  'what is written for %s means the same to kubectl',
  (_, value) => {
    expect(readKubernetesYaml(Yaml.stringify({ a: value })).values[0].value).toEqual({ a: value });
  },
);

test.each<[string, string, unknown[]]>([
  ['an anchor that is merged', 'a: &x {p: 1}\nb:\n  <<: *x\n  q: 2\n', [{ a: { p: 1 }, b: { p: 1, q: 2 } }]],
  ['a byte order mark and Windows', '\ufeffa: 1\r\n---\r\nb: |\r\n  x\r\n', [{ a: 1 }, { b: 'x\n' }]],
  ['comments and nothing between documents', '# a\n---\n---\na: 1\n...\n', [{ a: 1 }]],
  ['a byte order mark between documents', 'a: 1\n---\n\ufeffb: 2\n', [{ a: 1 }, { b: 2 }]],
  ['returns that end lines by themselves', 'a: 1\rb: 2\r', [{ a: 1, b: 2 }]],
  ['control characters that are written as such', 'a: "x\\x1by\\0"\n', [{ a: 'x\u001by\0' }]],
  ['an anchor of a name that something around it has', 'a: &a {b: &a 1, c: *a}\n', [{ a: { b: 1, c: 1 } }]],
  ['a key toString', 'a: {toString: b, __proto__: c}\n', [{ a: JSON.parse('{"toString": "b", "__proto__": "c"}') }]],
  ['JSON', '{"a": [1, "on"]}', [{ a: [1, 'on'] }]],
  ['keys that are no text', 'on: 1\n2: 3\n', [{ true: 1, 2: 3 }]],
])('%s', (_, text, values) => {
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

test.each<[string, string, number[]]>([
  ['an alias', `kind: List\nx: &i\n${NAMED}items: *i\n`, [3, 4]],
  [
    'an alias of one of them',
    `kind: List\nx: &a {kind: A, metadata: {name: a}}\nitems: [*a, {kind: B, metadata: {name: b}}]\n`,
    [3, 3],
  ],
  ['a merge key', `kind: List\nx: &i\n  items:\n${NAMED.replace(/^/gm, '  ')}<<: *i\n`.replace('  <<', '<<'), [1, 1]],
  [
    'a list of merge keys',
    `x: &i {items: [{kind: A, metadata: {name: a}}, {kind: B, metadata: {name: b}}]}\nkind: List\n<<: [*i]\n`,
    [1, 1],
  ],
  [
    'an alias of a List in a List',
    `kind: List\nx: &i {kind: List, items: [{kind: A, metadata: {name: a}}, {kind: B, metadata: {name: b}}]}\nitems: [*i]\n`,
    [2, 2],
  ],
])('a List has the items of %s', (_, text, lines) => {
  const { values, faults } = readKubernetesYaml(text);
  expect(faults).toEqual([]);
  const items = values.flatMap(itemsOf);
  expect(items.map(({ value }) => (value as { kind: string }).kind)).toEqual(['A', 'B']);
  expect(items.map(({ line }) => line)).toEqual(lines);
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
  ['UTF-16', Buffer.from('\ufeffkind: Service\n', 'utf16le'), 1, /^it is not text in UTF-8$/],
  ['UTF-16 of the other order', bytes(0xfe, 0xff, 0, 0x61), 1, /^it is not text in UTF-8$/],
  ['bytes of no text', bytes(0x61, 0x3a, 0x20, 0xff, 0xfa), 1, /^it is not text in UTF-8$/],
  ['a program', bytes(0x7f, 0x45, 0x4c, 0x46, 1, 2, 0), 1, /^it holds the control character \\u007f/],
  ['a control character', 'a: b\nc: d\u001be\n', 2, /^it holds the control character \\u001b/],
  ['an anchor that holds itself', 'a: &x\n  b: [*x]\n', 2, /^the anchor x holds itself$/],
  ['a key twice', 'a: 1\nb:\n  c: 1\n  "c": 2\n', 4, /^the key "c" is in one map twice$/],
  ['a key twice in one line', 'a: {b: 1, b: 2}\n', 1, /^the key b is in one map twice$/],
  ['a key twice without values', 'a: {b, b}\n', 1, /^the key b is in one map twice$/],
])('%s is refused, with its line', (_, content, line, what) => {
  expect(readKubernetesYaml(content).faults).toMatchObject([{ line, what: expect.stringMatching(what) }]);
});

test('a template is told once, however many tokens it has', () => {
  const { faults } = readKubernetesYaml('{{ if a }}\na: {{ b }}\n---\nc: {{ d }}\n{{ end }}\n');
  expect(faults).toMatchObject([{ what: expect.stringContaining('template') }]);
});

import * as fc from 'fast-check';
import { type JsonNode, JsonTextError, readJson } from '../../../src/tenancy/ports/json-text';

function plain(node: JsonNode): unknown {
  if (node.kind === 'scalar') {
    return node.value;
  }
  return node.kind === 'array'
    ? node.items.map(plain)
    : Object.fromEntries([...node.members].map(([key, member]) => [key, plain(member)]));
}

function parsed(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    return error instanceof JsonTextError && error.isTwice ? 'twice' : 'no JSON';
  }
}

const failureOf = (text: string): JsonTextError => {
  try {
    readJson(text);
  } catch (error) {
    return error as JsonTextError;
  }
  throw new Error('it was read');
};

test('reads whatever JSON.parse reads, as it reads it', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 6 }), fc.nat(4), (text, indent) => {
      const value = JSON.parse(text);
      expect(plain(readJson(JSON.stringify(value, null, indent)))).toEqual(value);
    }),
  );
});

test('refuses what JSON.parse refuses, and nothing else but a key that stands twice', () => {
  const broken = fc
    .tuple(fc.json({ maxDepth: 3 }), fc.nat(), fc.constantFrom(...'{}[]",:\\0.-eE+tn \t\u0001\u2028x/'), fc.boolean())
    .map(([text, at, sign, isReplaced]) => {
      const here = at % (text.length + 1);
      return text.slice(0, here) + sign + text.slice(here + Number(isReplaced));
    });
  fc.assert(
    fc.property(broken, (text) => {
      const found = parsed(() => plain(readJson(text)));
      if (found !== 'twice') {
        expect(found).toEqual(parsed(() => JSON.parse(text)));
      }
    }),
    { numRuns: 2000 },
  );
});

test.each<[string, string, number, number, RegExp]>([
  ['nothing', '', 1, 1, /ends too early/],
  ['half a file', '{\n  "a": 1,\n', 3, 1, /key in double quotes/],
  ['an object that is not closed', '{ "a": 1', 1, 9, /ends too early/],
  ['a comma too many', '{\n  "a": [1,]\n}', 2, 11, /value is missing/],
  ['a colon too few', '{\r\n  "a" 1\r\n}', 2, 7, /":" is expected, not "1"/],
  ['a comma too few', '{ "a": 1 "b": 2 }', 1, 10, /"}" is expected/],
  ['two values', '{}\n{}', 2, 1, /follows the end/],
  ['a text over two lines', '[\n"a\nb"]', 2, 1, /does not know/],
  ['a comment', '// why\n{}', 1, 1, /value/],
  ['a key twice', '{\n  "a": 1,\n  "b": {},\n  "a": 1\n}', 4, 3, /"a" stands in line 2 already/],
  ['a key twice, spelled in another way', '{ "a": 1, "\\u0061": 1 }', 1, 11, /"a" stands in line 1 already/],
  ['deep nesting', '['.repeat(100_000), 1, 101, /too deeply/],
])('says where there is %s', (_, text, line, column, message) => {
  const failure = failureOf(text);
  expect(failure).toMatchObject({ line, column });
  expect(failure.message).toMatch(message);
});

test('knows the line of everything', () => {
  const root = readJson('\n{\r\n  "a": [\n 1,\n   {} ]\n}');
  expect(root).toMatchObject({ line: 2 });
  const list = root.kind === 'object' ? root.members.get('a') : undefined;
  expect(list).toMatchObject({ line: 3, items: [{ line: 4 }, { line: 5 }] });
});

test('a key of the prototype is a key like any other', () => {
  const root = readJson('{ "__proto__": 1, "constructor": 2 }');
  expect(root.kind === 'object' && [...root.members.keys()]).toEqual(['__proto__', 'constructor']);
});

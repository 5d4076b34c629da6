import * as fc from 'fast-check';
import { type JsonFault, readJson } from '../../../src/contract/json-text';
import { tries } from '../../support/random';

/** A text as it is read: a value, or why there is none. */
function read(text: string): { readonly value?: unknown; readonly isTwice?: boolean } {
  const { node, fault } = readJson(text);
  return node ? { value: node.value } : { isTwice: fault?.isTwice };
}

function parsed(text: string): { readonly value?: unknown; readonly isTwice?: boolean } {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return { isTwice: false };
  }
}

const failureOf = (text: string): JsonFault => {
  const { fault } = readJson(text);
  if (fault) {
    return fault;
  }
  throw new Error('it was read');
};

test('reads whatever JSON.parse reads, as it reads it', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 6 }), fc.nat(4), (text, indent) => {
      const value = JSON.parse(text);
      expect(read(JSON.stringify(value, null, indent))).toEqual({ value });
    }),
  );
});

test('refuses what JSON.parse refuses, and nothing else but a key that is listed twice', () => {
  const broken = fc
    .tuple(fc.json({ maxDepth: 3 }), fc.nat(), fc.constantFrom(...'{}[]",:\\0.-eE+tn \t\u0001\u2028x/'), fc.boolean())
    .map(([text, at, sign, isReplaced]) => {
      const here = at % (text.length + 1);
      return text.slice(0, here) + sign + text.slice(here + Number(isReplaced));
    });
  fc.assert(
    fc.property(broken, (text) => {
      const found = read(text);
      if (!found.isTwice) {
        expect(found).toEqual(parsed(text));
      }
    }),
    { numRuns: tries(2000) },
  );
});

test.each<[string, string, number, RegExp]>([
  ['nothing', '', 1, /end of JSON/],
  ['half a file', '{\n  "a": 1,\n', 3, /property name/],
  ['an object that is not closed', '{ "a": 1', 1, /'}'/],
  ['a comma too many', '{\n  "a": [1,]\n}', 2, /']'/],
  ['a colon too few', '{\r\n  "a" 1\r\n}', 2, /':'/],
  ['a comma too few', '{ "a": 1 "b": 2 }', 1, /'}'/],
  ['two values', '{}\n{}', 2, /after JSON/],
  ['a text over two lines', '[\n"a\nb"]', 2, /control character/],
  ['a comment', '// why\n{}', 1, /'\/'/],
  ['a key twice', '{\n  "a": 1,\n  "b": {},\n  "a": 1\n}', 4, /"a" is in line 2 already/],
  ['a key twice, spelled in another way', '{ "a": 1, "\\u0061": 1 }', 1, /"a" is in line 1 already/],
  ['deep nesting', '['.repeat(100_000), 1, /end of JSON/],
])('says where there is %s', (_, text, line, message) => {
  const failure = failureOf(text);
  expect(failure.line).toBe(line);
  expect(failure.what).toMatch(message);
});

test('knows the line of everything', () => {
  const { node: root } = readJson('\n{\r\n  "a": [\n 1,\n   {} ]\n}');
  expect(root).toMatchObject({ line: 2 });
  const list = root?.members?.get('a');
  expect(list).toMatchObject({ line: 3, items: [{ line: 4 }, { line: 5 }] });
});

test('a key of the prototype is a key like any other', () => {
  const { node: root } = readJson('{ "__proto__": 1, "constructor": 2 }');
  expect([...(root?.members?.keys() ?? [])]).toEqual(['__proto__', 'constructor']);
});

import { type Document, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, visit } from 'yaml';
import { isMap as isJson } from './json';
import { printable } from './printable';

/** A value of a JSON text, its line, and those of its parts. */
export interface JsonNode {
  readonly value: unknown;
  readonly line: number;
  readonly members?: ReadonlyMap<string, JsonNode>;
  readonly items?: readonly JsonNode[];
}

/** Why a text is not JSON, or which key it has twice. */
export interface JsonFault {
  readonly line: number;
  readonly what: string;
  readonly isTwice: boolean;
}

/** Reads JSON with its lines; a key that is there twice, of which `JSON.parse` keeps the last silently, is a fault. */
export function readJson(text: string): { readonly node?: JsonNode; readonly fault?: JsonFault } {
  const lines = new LineCounter();
  const document = parseDocument(text, { schema: 'json', prettyErrors: false, lineCounter: lines });
  const lineAt = (offset: number | undefined) => Math.max(1, lines.linePos(offset ?? 0).line);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const { message } = error as Error;
    const known = /end of JSON/.test(message) ? text.length : /position (\d+)/.exec(message)?.[1];
    const line = lineAt(Number(known ?? document.errors[0]?.pos[0] ?? trailingComma(text)));
    return { fault: { line, what: `it is not JSON: ${printable(message)}`, isTwice: false } };
  }
  const twice = document.errors.find(({ code }) => code === 'DUPLICATE_KEY')?.pos[0];
  if (twice !== undefined) {
    const [key, first] = firstOf(document, twice);
    const what = `${JSON.stringify(key)} is in line ${lineAt(first)} already`;
    return { fault: { line: lineAt(twice), what, isTwice: true } };
  }
  return { node: nodeOf(value, document.contents, lineAt, 1) };
}

/** A comma before the end of a list or map, which YAML takes and JSON does not. */
function trailingComma(text: string): number {
  const withoutStrings = text.replace(/"(?:[^"\\]|\\.)*"/g, (one) => '_'.repeat(one.length));
  return Math.max(0, withoutStrings.search(/,\s*[\]}]/));
}

/** A key that a map has twice, and where it is first. */
function firstOf(document: Document, second: number): readonly [key: unknown, offset: number | undefined] {
  let found: readonly [unknown, number | undefined] = [undefined, undefined];
  visit(document, {
    Map: (_, { items }) => {
      const keys = items.flatMap(({ key }) => (isScalar(key) ? [key] : []));
      const twice = keys.find(({ range }) => range?.[0] === second);
      const first = twice && keys.find(({ value }) => value === twice.value);
      found = twice ? [twice.value, first?.range?.[0]] : found;
      return twice ? visit.BREAK : undefined;
    },
  });
  return found;
}

function nodeOf(value: unknown, node: unknown, lineAt: (offset?: number) => number, around: number): JsonNode {
  const offset = (node as Node | null | undefined)?.range?.[0];
  const line = offset === undefined ? around : lineAt(offset);
  if (Array.isArray(value)) {
    const nodes = isSeq(node) ? node.items : [];
    return { value, line, items: value.map((item, i) => nodeOf(item, nodes[i], lineAt, line)) };
  }
  if (!isJson(value)) {
    return { value, line };
  }
  const nodes = new Map(isMap(node) ? node.items.map((pair) => [String(pair.key), pair.value]) : []);
  const members = new Map<string, JsonNode>();
  for (const [key, member] of Object.entries(value)) {
    members.set(key, nodeOf(member, nodes.get(key), lineAt, line));
  }
  return { value, line, members };
}

import { type CelVariable, celText, celTextMap } from './admission';

/** A value for each of many keys, which an expression looks up. */
export interface LookupTable {
  /** What later expressions call the value: `variables.<name>`. */
  readonly name: string;
  /** Keys, each with the expression of its value. */
  readonly entries: readonly (readonly [key: string, value: string])[];
  /** The expression of the key that is looked up. */
  readonly key: string;
  /** The expression where the key is not in the table. */
  readonly none: string;
}

/**
 * A table as variables, the last of which is the value. The API server takes expressions of at most 100,000 characters, so a long
 * table is several, of which it evaluates the one that can have the key.
 */
export function lookup({ name, entries, key, none }: LookupTable): CelVariable[] {
  const sorted = [...entries].sort(([one], [other]) => (one < other ? -1 : 1));
  const parts = partsOf(sorted);
  if (parts.length <= 1) {
    const expression = sorted.length === 0 ? none : `${celTextMap(sorted)}[?${key}].orValue(${none})`;
    return [{ name, expression }];
  }
  const keyName = `${name}Key`;
  const tables = parts.map((part, i) => ({ name: `${name}${i}`, expression: celTextMap(part) }));
  const look = (i: number) => `variables.${name}${i}[?variables.${keyName}].orValue(${none})`;
  // halved again and again: expressions may be nested 50 deep
  const choose = (from: number, to: number): string => {
    if (to - from === 1) {
      return look(from);
    }
    const middle = Math.floor((from + to) / 2);
    const [[first]] = parts[middle];
    return `(variables.${keyName} < ${celText(first)} ? ${choose(from, middle)} : ${choose(middle, to)})`;
  };
  return [{ name: keyName, expression: key }, ...tables, { name, expression: choose(0, parts.length) }];
}

type Entries = LookupTable['entries'];

function partsOf(sorted: Entries): Entries[] {
  const parts: (readonly [string, string])[][] = [];
  let room = 0;
  for (const entry of sorted) {
    const [key, value] = entry;
    const length = key.length + value.length + SYNTAX;
    if (parts.length === 0 || length > room) {
      parts.push([]);
      room = TABLE_CHARACTERS;
    }
    parts[parts.length - 1].push(entry);
    room -= length;
  }
  return parts;
}

/** Quotes, colon and comma of an entry. */
const SYNTAX = 6;

/** Characters of one table, of the 100,000 of an expression. google/cel-go v0.26.0: parser/parser.go; seen with Kubernetes 1.36.3 */
const TABLE_CHARACTERS = 50_000;

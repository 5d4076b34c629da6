import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isCollection, isMap, isScalar, isSeq, parseDocument } from 'yaml';
import * as library from '../../src';
import type { Json } from '../../src/contract/json';

/** The values that YAML has no words for, by their tags. */
const TAGS: Readonly<Record<string, (value: never) => unknown>> = {
  '!unset': () => undefined,
  '!strimzi': (text: string) => {
    const [version, gate] = text.split(' ');
    const strimzi = library.StrimziVersion.of(version);
    return gate === undefined ? strimzi : library.StrimziVersion.withServerSideApply(strimzi, gate === 'on');
  },
  '!call': (calls: Record<string, unknown[]>) => {
    const [[name, args]] = Object.entries(calls);
    const [type, method] = name.split('.');
    return (library as Json)[type][method](...args);
  },
  '!listener': (more: Json) => ({ name: 'external', port: 9094, type: 'loadbalancer', tls: true, ...more }),
  '!has': (fields: Json) => expect.objectContaining(fields),
  '!holds': (items: unknown[]) => expect.arrayContaining(items),
  '!contains': (text: string) => expect.stringContaining(text),
  '!matches': (text: string) => expect.stringMatching(new RegExp(text)),
};

function contentOf(node: unknown): unknown {
  const value = isMap(node)
    ? Object.fromEntries(node.items.map(({ key, value }) => [String(key), contentOf(value)]))
    : isSeq(node)
      ? node.items.map(contentOf)
      : isScalar(node)
        ? node.value
        : node;
  const tag = isScalar(node) || isCollection(node) ? node.tag : undefined;
  return tag !== undefined && TAGS[tag] ? TAGS[tag](value as never) : value;
}

/** The rows of a table in a YAML file below `test`, each in the order of the columns; what a row leaves out is undefined. */
export function table<Row extends unknown[]>(file: string, name: string): Row[] {
  const document = parseDocument(readFileSync(join(__dirname, '..', file), 'utf8'), { logLevel: 'error' });
  const { columns, rows } = (contentOf(document.contents) as Json)[name];
  return rows.map((row: Json) => {
    const values = columns.map((column: string) => row[column]);
    return values.slice(0, values.findLastIndex((_: unknown, i: number) => columns[i] in row) + 1);
  });
}

import { type Document, isAlias, isMap, isSeq, type Node } from 'yaml';
import { isMap as isJson } from './json';
import type { YamlPlace, YamlSource } from './yaml-source';

/** A value that is in a file, and where it begins. */
export interface YamlValue {
  readonly value: unknown;
  readonly line: number;
  /** Where it is written. */
  readonly source: YamlSource;
  /** The values of its list `items`, where it has one. */
  readonly items: readonly YamlValue[];
}

/** The items of a List each by itself, with what the List says of all of them; any other value as it is. */
export function itemsOf(one: YamlValue): YamlValue[] {
  const { value, items } = one;
  if (!isJson(value) || typeof value.kind !== 'string' || !value.kind.endsWith('List') || !Array.isArray(value.items)) {
    return [one];
  }
  const { kind, apiVersion } = value;
  const common = kind === 'List' ? {} : { kind: kind.slice(0, -'List'.length), apiVersion };
  return items.flatMap((item) => itemsOf(isJson(item.value) ? { ...item, value: { ...common, ...item.value } } : item));
}

/** The place of an offset in a text. */
export type PlaceAt = (offset?: number) => YamlPlace;

/** What tells of a node of a document more than its value does. */
interface Written {
  readonly document: Document;
  readonly placeAt: PlaceAt;
}

/** A value with its items, which an alias or a merge key may have written elsewhere: those without a place have that of the list. */
export function valueIn(
  node: Node | undefined,
  value: unknown,
  source: YamlSource,
  written: Written,
  around = 1,
): YamlValue {
  const line = node?.range ? written.placeAt(node.range[0]).line : around;
  const values = isJson(value) && Array.isArray(value.items) ? value.items : [];
  const whole = resolved(node, written);
  const list = isMap(whole) ? resolved(whole.get('items', true), written) : undefined;
  const nodes = isSeq(list) ? list.items : [];
  return {
    value,
    line,
    source,
    items: values.map((item, i) => valueIn(nodes[i] as Node | undefined, item, source.item(i), written, line)),
  };
}

/** A node, or the one that it is an alias of. */
function resolved(node: unknown, { document }: Written): unknown {
  return isAlias(node) ? node.resolve(document) : node;
}

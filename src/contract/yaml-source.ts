import { type Document, isAlias, isMap, isSeq, LineCounter, type Node, parseDocument } from 'yaml';
import { isMap as isJson } from './json';

/** A place in a text; both begin with 1. */
export interface YamlPlace {
  readonly line: number;
  readonly column: number;
}

/** The steps from a document to a field of it. */
export type YamlPath = readonly (string | number)[];

/** Where the fields of an object are written. */
export interface PlacesOfFields {
  /** True for an item of a List, as kubectl prints the objects of a cluster. */
  readonly isItem: boolean;
  /** The template that Helm rendered the object from. */
  readonly template?: string | undefined;
  /** Where a field is, or else the nearest field around it; in another file than the object if a file is named. */
  placeOf(path: YamlPath): YamlPlace & { readonly file?: string };
}

/** Where a document, or an item of a List, is written: the text is read again only where something is reported in it. */
export class YamlSource implements PlacesOfFields {
  /** What was read last: findings of a document come one after the other, and those of a large file are not held together. */
  private static latest?: Parsed;

  /**
   * @param text the whole text
   * @param start where the document begins, its comments among it
   * @param end where it ends
   * @param firstLine the line in which it begins
   * @param root the steps to the item, where it is one of a List
   */
  public constructor(
    private readonly text: string,
    private readonly start: number,
    private readonly end: number,
    private readonly firstLine: number,
    private readonly root: YamlPath = [],
  ) {}

  /** Where an item of the document's list is written. */
  public item(index: number): YamlSource {
    return new YamlSource(this.text, this.start, this.end, this.firstLine, [...this.root, 'items', index]);
  }

  /** Whether it is an item of a List, as kubectl prints what a cluster has. */
  public get isItem(): boolean {
    return this.root.length > 0;
  }

  /** Where a field is, by its key; of what is not there, the nearest thing around it. */
  public placeOf(path: YamlPath): YamlPlace {
    const { document, lines } = this.read();
    let node = document.contents as Node | null;
    let offset = node?.range?.[0] ?? 0;
    for (const step of [...this.root, ...path]) {
      const pair = isMap(node) ? node.items.find(({ key }) => String(key) === String(step)) : undefined;
      const next = isSeq(node) ? node.items[Number(step)] : pair?.value;
      const shown = pair ? pair.key : next;
      const found = (shown as Node | undefined)?.range?.[0];
      if (found === undefined) {
        break;
      }
      offset = found;
      node = ((isAlias(next) ? next.resolve(document) : next) ?? null) as Node | null;
    }
    const { line, col } = lines.linePos(offset);
    return { line: this.firstLine + line - 1, column: col };
  }

  /** The template that Helm rendered it from, as Helm says in a comment before it. */
  public get template(): string | undefined {
    return TEMPLATE.exec(this.text.slice(this.start, this.end))?.[1];
  }

  private read(): Parsed {
    const { latest } = YamlSource;
    if (latest && latest.text === this.text && latest.start === this.start) {
      return latest;
    }
    const lines = new LineCounter();
    const options = { version: '1.1', merge: true, uniqueKeys: false, lineCounter: lines, logLevel: 'silent' } as const;
    const document = parseDocument(this.text.slice(this.start, this.end), options);
    YamlSource.latest = { text: this.text, start: this.start, document, lines };
    return YamlSource.latest;
  }
}

/** A document of a text, read again. */
interface Parsed {
  readonly text: string;
  readonly start: number;
  readonly document: Document;
  readonly lines: LineCounter;
}

const TEMPLATE = /^# Source: (\S.*)$/m;

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

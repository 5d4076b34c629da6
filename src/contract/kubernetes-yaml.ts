import {
  Composer,
  type Document,
  isAlias,
  isCollection,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  Parser,
  parseDocument,
  type ScalarTag,
  Schema,
  type Tags,
  type YAMLParseError,
  type YAMLWarning,
} from 'yaml';
import { isMap as isJson, type Json, printable, printableMaps, shown } from './json';

interface YamlFault {
  readonly line: number;
  /** The column in it; the first one where the whole line is meant. */
  readonly column?: number;
  readonly what: string;
  readonly remedy: string;
  /** True if it looks like a template that was not rendered. */
  readonly isTemplate?: true;
  /** True if files for other programs have it by right, such as a tag of CloudFormation or of GitLab. */
  readonly isOfOthers?: true;
}

/** Content of a YAML text; if something is wrong, the values are unreliable. */
interface YamlText {
  readonly values: YamlValue[];
  readonly faults: YamlFault[];
}

/**
 * Reads YAML as kubectl does, which is neither 1.1 nor 1.2: `yes` is true and 0644 is 420, as in 1.1, but a time of
 * day, a date and a number of base 60 (`22:22`) are text. yaml/go-yaml v2.4.2: resolve.go, decode.go, readerc.go
 * @param content the text, or the bytes of a file, which may be no text at all
 */
export function readKubernetesYaml(content: string | Uint8Array): YamlText {
  const lines = new LineCounter();
  const found: YamlText = { values: [], faults: [] };
  const read = typeof content === 'string' ? content : textIn(content);
  const text = typeof read === 'string' ? read.replace(LONE_RETURN, '\n').replace(MARK, '$1') : '';
  const strange = typeof read === 'string' ? controlCharacterIn(text) : read;
  if (strange) {
    found.faults.push(strange);
    return found;
  }
  const options = { version: '1.1', schema: SCHEMA, uniqueKeys: true, prettyErrors: false } as const;
  // document by document: those of a large file are not held in memory together
  const documents = new Composer(options).compose(new Parser(lines.addNewLine).parse(text));
  const placeAt = (offset = 0) => {
    const { line, col: column } = lines.linePos(offset);
    return { line, column };
  };
  let start = 0;
  const add = (fault: YamlFault) => {
    // a template is strange wherever it has a token
    const isKnown = fault.isTemplate && found.faults.some(({ isTemplate }) => isTemplate);
    if (!isKnown) {
      found.faults.push(fault);
    }
  };
  for (const document of documents) {
    const [begin, end] = [start, document.range[2]];
    start = end;
    // what follows the first mistake of a document mostly follows from it
    for (const error of [...document.errors, ...document.warnings].slice(0, 1)) {
      add(inWords(text, placeAt(error.pos[0]), error));
    }
    const { contents } = document;
    if (document.errors.length > 0 || contents === null) {
      continue;
    }
    const { faults, plain } = readContents(contents as Node, document, placeAt);
    faults.forEach(add);
    if (faults.length > 0) {
      continue;
    }
    try {
      const source = new YamlSource(text, begin, end, placeAt(begin).line);
      const value = plain ?? printableMaps(document.toJS());
      found.values.push(valueIn(contents as Node, value, source, { document, placeAt }));
    } catch (error) {
      const place = placeAt(contents.range?.[0]);
      found.faults.push({ ...place, what: (error as Error).message, remedy: 'write the values out' });
    }
  }
  return found;
}

/** Line ends that kubectl accepts and the parser does not. */
const LONE_RETURN = /\r(?!\n)/g;

/** A byte order mark before a document that is not the first: kubectl reads each by itself. */
const MARK = /^(---[^\n]*\n)\ufeff/gm;

/** Bytes that kubectl does not accept as text; at the beginning a byte order mark is one. */
const CONTROL = /[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;

const UTF_16 = ['fffe', 'feff'];

function textIn(bytes: Uint8Array): string | YamlFault {
  if (UTF_16.includes(Buffer.from(bytes.subarray(0, 2)).toString('hex'))) {
    return { line: 1, what: 'it is text in UTF-16', remedy: 'save it as UTF-8, in PowerShell with -Encoding utf8' };
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return { line: 1, what: 'it is not text in UTF-8', remedy: 'leave it out, or save it as UTF-8' };
  }
}

function controlCharacterIn(text: string): YamlFault | undefined {
  const at = text.search(CONTROL);
  return at < 0
    ? undefined
    : {
        line: text.slice(0, at).split('\n').length,
        what: `it holds the control character ${printable(text.charAt(at))}, which YAML does not allow`,
        remedy: 'leave the file out, or remove the character',
      };
}

/** Tags that kubectl reads otherwise than YAML 1.1 does, or not at all. */
const OTHERWISE = new Set(['TIME', 'timestamp', 'binary', 'set', 'omap', 'pairs']);

function asRead(tag: Tags[number]): Tags[number] {
  if (typeof tag === 'string') {
    return tag;
  }
  const scalar = tag as ScalarTag;
  const isFraction = scalar.format === undefined && tagName(tag) === 'float' && scalar.test?.test('.') === true;
  const test = tagName(tag) === 'EXP' ? WITH_EXPONENT : isFraction ? FRACTION : undefined;
  return test ? { ...scalar, test } : tag;
}

/** Numbers with a point: the parser takes the point alone for one as well, which is a key of every `managedFields`. */
const FRACTION = /^[-+]?([0-9][0-9_]*\.[0-9_]*|\.[0-9][0-9_]*)$/;

/** Octal numbers as 1.2 writes them. */
const OCTAL: ScalarTag = {
  tag: 'tag:yaml.org,2002:int',
  default: true,
  format: 'OCT',
  test: /^0o[0-7]+$/,
  resolve: (text) => Number(text),
};

const WITH_EXPONENT = /^[-+]?(\.[0-9]+|[0-9][0-9_]*(\.[0-9_]*)?)[eE][-+]?[0-9]+$/;

function tagName({ tag, format }: { readonly tag: string; readonly format?: string }): string {
  return format ?? tag.slice(tag.lastIndexOf(':') + 1);
}

/** One for all documents: to make it costs as much as to read a small one. */
const SCHEMA = new Schema({
  schema: 'yaml-1.1',
  resolveKnownTags: false,
  merge: true,
  customTags: (tags) => [
    ...tags.filter((tag) => typeof tag === 'string' || !OTHERWISE.has(tagName(tag))).map(asRead),
    OCTAL,
  ],
});

/** Values that a parser makes of a template, numbers that lose precision, and the value if it needs no parser. */
function readContents(contents: Node, document: Document, placeAt: PlaceAt) {
  const faults: YamlFault[] = [];
  const around: Node[] = [];
  // most of the time of a large file would go into the visitors of the parser
  let isPlain = true;
  let isSpaced = false;
  const read = (node: unknown): unknown => {
    if (isScalar(node)) {
      const { value, source, range } = node;
      if (typeof value === 'number' && (!Number.isFinite(value) || isTooLong(value))) {
        const what = `${source} is a number that JSON cannot hold`;
        faults.push({ ...placeAt(range?.[0]), what, remedy: 'put it in quotes, or write a smaller one' });
      }
      return value;
    }
    if (isCollection(node)) {
      around.push(node);
      const value = isMap(node) ? mapIn(node.items as Pair<Node, unknown>[]) : node.items.map(read);
      around.pop();
      return value;
    }
    isPlain &&= !node;
    if (isAlias(node)) {
      const isAround = around.some((one) => isCollection(one) && one.anchor === node.source);
      const target = isAround ? node.resolve(document) : undefined;
      if (target && around.includes(target)) {
        const what = `the anchor ${node.source} holds itself`;
        faults.push({ ...placeAt(node.range?.[0]), what, remedy: 'write the values out' });
      }
    }
    return null;
  };
  const mapIn = (items: readonly Pair<Node, unknown>[]) => {
    const map: Json = {};
    for (const { key: written, value } of items) {
      const key = isAlias(written) ? written.resolve(document) : written;
      if (isCollection(key)) {
        faults.push({ ...placeAt(written.range?.[0]), ...TEMPLATE });
        continue;
      }
      isPlain &&= key === written;
      const name = read(key);
      if (typeof name === 'string' && /^\s/.test(name) && !isSpaced) {
        isSpaced = true;
        const what = `the key ${shown(name)} begins with a space that YAML takes for a letter`;
        faults.push({ ...placeAt(written.range?.[0]), what, remedy: 'indent by plain spaces' });
      }
      isPlain &&= typeof name === 'string' && !INHERITED.has(name);
      map[String(name)] = read(value);
    }
    return map;
  };
  const value = read(contents);
  return { faults, ...(isPlain && { plain: value }) };
}

const INHERITED = new Set(Object.getOwnPropertyNames(Object.prototype));

function isTooLong(value: number): boolean {
  return Number.isInteger(value) && !Number.isSafeInteger(value);
}

const TEMPLATE: Omit<YamlFault, 'line'> = {
  what: 'a key is not a string, as in a template that was not rendered',
  remedy: 'render the template, as helm template does, and pass what comes out',
  isTemplate: true,
  isOfOthers: true,
};

function inWords(
  text: string,
  place: YamlPlace,
  { pos: [offset], name, code, message }: YAMLParseError | YAMLWarning,
): YamlFault {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const end = text.indexOf('\n', offset);
  const written = text.slice(start, end < 0 ? undefined : end);
  if (/\{\{|\{%/.test(written)) {
    return { ...place, ...TEMPLATE };
  }
  const key = /^[\s-]*([^:,}]+)/.exec(text.slice(offset, end < 0 ? undefined : end))?.[1];
  if (code === 'DUPLICATE_KEY') {
    const what = `${key === undefined ? 'a key' : `the key ${key.trim()}`} is in one map twice`;
    return { ...place, what, remedy: TWICE, isOfOthers: true };
  }
  const fault = {
    ...place,
    what: `it is not valid YAML: ${printable(firstLine(message))}`,
    remedy: 'correct the line',
  };
  return code === 'TAG_RESOLVE_FAILED' && name === 'YAMLWarning' ? { ...fault, isOfOthers: true } : fault;
}

const TWICE = 'keep one of the two, or put `---` between two objects';

function firstLine(message: string): string {
  const [first] = message.split('\n');
  return first.charAt(0).toLowerCase() + first.slice(1).replace(/[:.]$/, '');
}

export interface YamlPlace {
  readonly line: number;
  readonly column: number;
}

export type YamlPath = readonly (string | number)[];

export interface PlacesOfFields {
  /** True for an item of a List, as kubectl prints the objects of a cluster. */
  readonly isItem: boolean;
  /** The template that Helm rendered the object from. */
  readonly template?: string | undefined;
  /** Place of a field, or else of the nearest field around it; in another file than the object if a file is named. */
  placeOf(path: YamlPath): YamlPlace & { readonly file?: string };
}

/** Place of a document or of an item of a List: the text is read again only where something is reported in it. */
export class YamlSource implements PlacesOfFields {
  /** The text that was read last: findings of a document come one after the other, and those of a large file are not held together. */
  private static latest?: Parsed;

  /**
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

  public item(index: number): YamlSource {
    return new YamlSource(this.text, this.start, this.end, this.firstLine, [...this.root, 'items', index]);
  }

  public get isItem(): boolean {
    return this.root.length > 0;
  }

  /** Place of a field by its key; for a missing field, the nearest place around it. */
  public placeOf(path: YamlPath): YamlPlace {
    const { document, lines } = this.read();
    let node = document.contents as Node | null;
    let offset = node?.range?.[0] ?? 0;
    for (const step of [...this.root, ...path]) {
      const nameOf = (key: unknown) => String(isAlias(key) ? key.resolve(document) : key);
      const pair = isMap(node) ? node.items.find(({ key }) => nameOf(key) === String(step)) : undefined;
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
    return SOURCE.exec(this.text.slice(this.start, this.end))?.[1];
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

interface Parsed {
  readonly text: string;
  readonly start: number;
  readonly document: Document;
  readonly lines: LineCounter;
}

const SOURCE = /^# Source: (\S.*)$/m;

export interface YamlValue {
  readonly value: unknown;
  readonly line: number;
  readonly source: YamlSource;
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

export type PlaceAt = (offset?: number) => YamlPlace;

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

function resolved(node: unknown, { document }: Written): unknown {
  return isAlias(node) ? node.resolve(document) : node;
}

import {
  Composer,
  type Document,
  isAlias,
  isCollection,
  isPair,
  isScalar,
  LineCounter,
  type Node,
  type Pair,
  Parser,
  type ScalarTag,
  Schema,
  type Tags,
} from 'yaml';
import { printable, printableMaps, shown } from './printable';
import { type PlaceAt, valueIn, type YamlPlace, YamlSource, type YamlValue } from './yaml-source';

interface YamlFault {
  readonly line: number;
  /** The column in it; the first one where the whole line is meant. */
  readonly column?: number;
  readonly what: string;
  readonly remedy: string;
  /** Whether it looks like a template that was not rendered. */
  readonly isTemplate?: true;
  /** Whether files for other programs have it by right, such as a tag of CloudFormation or of GitLab. */
  readonly isOfOthers?: true;
}

/** What a text of YAML holds; where something is wrong, the values cannot be relied on. */
interface YamlText {
  readonly values: YamlValue[];
  readonly faults: YamlFault[];
}

/**
 * Reads YAML as kubectl does, which is neither 1.1 nor 1.2: `yes` is true and 0644 is 420, as in 1.1, but a time of day, a
 * date and a number of base 60 (`22:22`) are text. yaml/go-yaml v2.4.2: resolve.go, decode.go, readerc.go
 *
 * @param content the text, or the bytes of a file, which may be no text at all
 */
export function readKubernetesYaml(content: string | Uint8Array): YamlText {
  const lines = new LineCounter();
  const found: YamlText = { values: [], faults: [] };
  const text = (typeof content === 'string' ? content : textIn(content))
    ?.replace(LONE_RETURN, '\n')
    .replace(MARK, '$1');
  const strange = text === undefined ? NO_TEXT : controlCharacterIn(text);
  if (text === undefined || strange) {
    found.faults.push(strange ?? NO_TEXT);
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
    const isKnown = fault.what === TEMPLATE.what && found.faults.some(({ what }) => what === TEMPLATE.what);
    if (!isKnown) {
      found.faults.push(fault);
    }
  };
  for (const document of documents) {
    const [begin, end] = [start, document.range[2]];
    start = end;
    // what follows the first mistake of a document mostly follows from it
    for (const { pos, message } of [...document.errors, ...document.warnings].slice(0, 1)) {
      add(inWords(text, pos[0], placeAt(pos[0]), message));
    }
    const { contents } = document;
    if (document.errors.length > 0 || contents === null) {
      continue;
    }
    const odd = strangeValues(contents as Node, document, placeAt);
    for (const fault of odd) {
      add(fault);
    }
    if (odd.length > 0) {
      continue;
    }
    try {
      const source = new YamlSource(text, begin, end, placeAt(begin).line);
      found.values.push(valueIn(contents as Node, printableMaps(document.toJS()), source, { document, placeAt }));
    } catch (error) {
      const place = placeAt(contents.range?.[0]);
      found.faults.push({ ...place, what: (error as Error).message, remedy: 'write the values out' });
    }
  }
  return found;
}

/** What ends a line by itself: kubectl takes it for one, and the parser does not. */
const LONE_RETURN = /\r(?!\n)/g;

/** A byte order mark before a document that is not the first: kubectl reads each by itself. */
const MARK = /^(---[^\n]*\n)\ufeff/gm;

/** What kubectl takes for no text; at the beginning a byte order mark is one. */
const CONTROL = /[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;

const UTF_16 = ['fffe', 'feff'];

const NO_TEXT: YamlFault = { line: 1, what: 'it is not text in UTF-8', remedy: 'leave it out, or save it as UTF-8' };

function textIn(bytes: Uint8Array): string | undefined {
  if (UTF_16.includes(Buffer.from(bytes.subarray(0, 2)).toString('hex'))) {
    return undefined;
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function controlCharacterIn(text: string): YamlFault | undefined {
  const at = text.search(CONTROL);
  return at < 0
    ? undefined
    : {
        line: text.slice(0, at).split('\n').length,
        what: `it holds the control character ${printable(text.charAt(at))}, which YAML does not allow`,
        remedy: 'leave the file out, or take the character out',
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
  customTags: (tags) =>
    tags
      .filter((tag) => typeof tag === 'string' || !OTHERWISE.has(tagName(tag)))
      .map(asRead)
      .concat(OCTAL),
});

/** What a parser makes of a template, and numbers that do not survive. */
function strangeValues(contents: Node, document: Document, placeAt: PlaceAt): YamlFault[] {
  const faults: YamlFault[] = [];
  const around: Node[] = [];
  // most of the time of a large file would go into the visitor of the parser
  const look = (node: unknown): void => {
    if (isScalar(node)) {
      const { value, source, range } = node;
      if (typeof value === 'number' && (!Number.isFinite(value) || isTooLong(value))) {
        const what = `${source} is a number that JSON cannot hold`;
        faults.push({ ...placeAt(range?.[0]), what, remedy: 'put it in quotes, or write a smaller one' });
      }
    } else if (isCollection(node)) {
      around.push(node);
      node.items.forEach(look);
      around.pop();
    } else if (isPair(node)) {
      const { key, value } = node as Pair<Node, unknown>;
      if (isCollection(key) || isAlias(key)) {
        faults.push({ ...placeAt(key.range?.[0]), ...TEMPLATE });
        return;
      }
      if (isScalar(key) && /^\s/.test(String(key.value)) && !faults.some(({ remedy }) => remedy === PLAIN_SPACES)) {
        const what = `the key ${shown(key.value)} begins with a space that YAML takes for a letter`;
        faults.push({ ...placeAt(key.range?.[0]), what, remedy: PLAIN_SPACES });
      }
      look(key);
      look(value);
    } else if (isAlias(node)) {
      const isAround = around.some((one) => isCollection(one) && one.anchor === node.source);
      const target = isAround ? node.resolve(document) : undefined;
      if (target && around.includes(target)) {
        const what = `the anchor ${node.source} holds itself`;
        faults.push({ ...placeAt(node.range?.[0]), what, remedy: 'write the values out' });
      }
    }
  };
  look(contents);
  return faults;
}

function isTooLong(value: number): boolean {
  return Number.isInteger(value) && !Number.isSafeInteger(value);
}

const PLAIN_SPACES = 'indent by plain spaces';

const TEMPLATE: Omit<YamlFault, 'line'> = {
  what: 'a key is not a string, as in a template that was not rendered',
  remedy: 'render the template, as helm template does, and pass what comes out',
  isTemplate: true,
  isOfOthers: true,
};

function inWords(text: string, offset: number, place: YamlPlace, message: string): YamlFault {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const end = text.indexOf('\n', offset);
  const written = text.slice(start, end < 0 ? undefined : end);
  if (/\{\{|\{%/.test(written)) {
    return { ...place, ...TEMPLATE };
  }
  const key = /^[\s-]*([^:,}]+)/.exec(text.slice(offset, end < 0 ? undefined : end))?.[1];
  if (message.startsWith('Map keys must be unique')) {
    const what = `${key === undefined ? 'a key' : `the key ${key.trim()}`} is in one map twice`;
    return { ...place, what, remedy: TWICE, isOfOthers: true };
  }
  const fault = {
    ...place,
    what: `it is not valid YAML: ${printable(firstLine(message))}`,
    remedy: 'correct the line',
  };
  return message.startsWith('Unresolved tag') ? { ...fault, isOfOthers: true } : fault;
}

const TWICE = 'keep one of the two, or put `---` between two objects';

function firstLine(message: string): string {
  const [first] = message.split('\n');
  return first.charAt(0).toLowerCase() + first.slice(1).replace(/[:.]$/, '');
}

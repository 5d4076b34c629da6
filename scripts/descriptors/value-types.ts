import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../docs/files';
import { type Imports, literal, quoted } from './code';
import { type DescribedController, folderOf, type ValueType } from './descriptor';

/** A syntax of values as code, and the type of the option that is written in it. */
export interface TypeCode {
  readonly codec: string;
  readonly option: string;
}

const CODECS = 'src/contract/annotation-codec';
const LISTS = 'src/contract/annotation-codecs-lists';
const SELECTOR = 'src/contract/annotation-codecs-lists';

const MAP = '{ [key: string]: string }';

/** Syntaxes without arguments: the codec, its file and the type of the option. */
const SIMPLE: Readonly<Record<string, readonly [codec: string, file: string, option: string]>> = {
  text: ['text()', CODECS, 'string'],
  flag: ['flag()', CODECS, 'boolean'],
  exactFlag: ['exactFlag()', CODECS, 'boolean'],
  presence: ['presence()', CODECS, 'boolean'],
  goDuration: ['goDuration()', CODECS, 'Duration'],
  address: ['address()', CODECS, 'string'],
  ipv4: ['address(4)', CODECS, 'string'],
  ipv6: ['address(6)', CODECS, 'string'],
  cidr: ['cidr()', CODECS, 'string'],
  maskedCidr: ['maskedCidr()', LISTS, 'string'],
  pairs: ['pairs()', CODECS, MAP],
  selector: ['selectorText()', SELECTOR, 'string'],
  nodeLabels: ['nodeLabels()', SELECTOR, MAP],
};

/** Enumerations of requests. */
const SHARED_ENUMS: Readonly<Record<string, string>> = {
  HealthCheckProtocol: 'src/contract/options',
  LoadBalancerScheme: 'src/contract/options',
};

/** The code of a syntax. @throws if nothing is called so */
export function typeCode(type: ValueType, { base, ...own }: DescribedController, imports: Imports): TypeCode {
  const of = base ?? own;
  if (typeof type === 'string') {
    const named = of.syntaxes?.[type];
    if (named !== undefined) {
      return typeCode(named, of, imports);
    }
    return SIMPLE[type] ? simple(type, imports) : ownCodec(type, undefined, of, imports);
  }
  const [[name, given]] = Object.entries(type);
  const numbers = (Array.isArray(given) ? given : [given]) as number[];
  const inner = () => typeCode(given as ValueType, of, imports);
  switch (name) {
    case 'text':
      return { codec: `${imports.value('text', CODECS)}(${textLimit(given as TextLimit)})`, option: 'string' };
    case 'word':
      return { codec: `${imports.value('onlyWord', CODECS)}(${literal(given)})`, option: 'boolean' };
    case 'words':
      return { codec: `${imports.value('words', CODECS)}(${numbers.map(literal).join(', ')})`, option: 'boolean' };
    case 'integer':
      return { codec: `${imports.value('integer', CODECS)}(${numbers.join(', ')})`, option: 'number' };
    case 'seconds':
    case 'minutes':
      return {
        codec: `${imports.value('duration', CODECS)}('${name}', ${numbers.join(', ')})`,
        option: 'Duration',
      };
    case 'oneOf':
    case 'anyCase': {
      const { values, option } = wordsOf(given as string | string[], of, imports);
      return { codec: `${imports.value(name, CODECS)}(${values})`, option };
    }
    case 'list':
    case 'sparseList': {
      const { codec, option } = inner();
      const file = name === 'list' ? CODECS : LISTS;
      return { codec: `${imports.value(name, file)}(${codec})`, option: `${option}[]` };
    }
    case 'plainPairs':
    case 'escapedPairs':
      return { codec: `${imports.value(name, LISTS)}(${literal(given)})`, option: MAP };
    default:
      return ownCodec(name, given, of, imports);
  }
}

function simple(type: string, imports: Imports): TypeCode {
  const [codec, file, option] = SIMPLE[type];
  imports.value(codec.replace(/\(.*/, ''), file);
  return { codec, option };
}

interface TextLimit {
  readonly says: string;
  readonly matches: string;
  readonly flags?: string;
  readonly example: string;
}

function textLimit({ says, matches, flags = '', example }: TextLimit): string {
  const { source } = new RegExp(matches, flags);
  return `{ says: ${quoted(says)}, matches: /${source}/${flags}, example: ${quoted(example)} }`;
}

function wordsOf(given: string | string[], of: DescribedController, imports: Imports) {
  if (Array.isArray(given)) {
    return { values: literal(given), option: 'string' };
  }
  const file = of.enums?.[given] ? `${folderOf(of)}/options` : SHARED_ENUMS[given];
  if (file === undefined) {
    throw new Error(`${of.folder}: no enumeration is called '${given}'; add it to enums`);
  }
  return { values: `Object.values(${imports.value(given, file)})`, option: given };
}

/** A codec of the folder: a constant, or a function of texts, numbers and `{ of: type }`. */
function ownCodec(name: string, given: unknown, of: DescribedController, imports: Imports): TypeCode {
  const declared = exportOf(of, 'codecs', name);
  const args = given === undefined ? [] : Array.isArray(given) ? given : [given];
  const code = args.map((one) => {
    const isType = typeof one === 'object' && one !== null && 'of' in one;
    return isType ? typeCode((one as { of: ValueType }).of, of, imports).codec : literal(one);
  });
  const isFunction = declared !== 'value';
  imports.value(name, `${folderOf(of)}/codecs`);
  return { codec: isFunction ? `${name}(${code.join(', ')})` : name, option: 'string' };
}

const texts = new Map<string, string>();

/** Whether a file of the folder exports a function or a value of this name. @throws if it exports neither */
export function exportOf(of: DescribedController, file: string, name: string): 'function' | 'value' {
  const path = `${folderOf(of)}/${file}.ts`;
  const text = texts.get(path) ?? (existsSync(join(ROOT, path)) ? readFileSync(join(ROOT, path), 'utf8') : '');
  texts.set(path, text);
  if (new RegExp(`^export (function ${name}\\b|const ${name}\\b[^=]*= (\\(|<))`, 'm').test(text)) {
    return 'function';
  }
  if (new RegExp(`^export const ${name}\\b`, 'm').test(text)) {
    return 'value';
  }
  throw new Error(`${of.folder}: '${name}' is not a known name, and ${path} does not export it`);
}

import { Lazy } from 'cdk8s';
import { DECLARED_TYPES } from './declared-types.facts';
import { cachedIn, isMap, once, shown } from './json';
import { WRONG_PROP } from './request-rules.facts';
import { nearest } from './rule';

// Callers without types may pass anything. What nothing can be made of is reported before it ends in an error of the runtime,
// and a key that is misspelt before its default holds.

interface PropFaults {
  readonly wrong: readonly string[];
  readonly unknown: readonly UnknownProp[];
}

interface UnknownProp {
  readonly path: string;
  readonly remedy: string;
  /** True if it cannot be meant: it is like a key that was not given, or in an object that is not extended. */
  readonly isWrong: boolean;
}

interface Member {
  readonly type: string;
  readonly isOptional: boolean;
}

type Struct = ReadonlyMap<string, Member>;

interface Declared {
  readonly kind: 'struct' | 'enum' | 'class';
  readonly bases: readonly string[];
  readonly parts: readonly string[];
}

/** Compares props with the types that they are declared with; keys of other structs beside it are left to the caller. */
export function propFaults(struct: string, props: unknown, ...beside: readonly string[]): PropFaults {
  const found: Found = { wrong: [], unknown: [] };
  if (!table().has(struct)) {
    throw new Error(`${struct} is not in declared-types.facts.ts; generate that file: npm run docs`);
  }
  if (isMap(props)) {
    checkStruct(membersOf(struct), props, '', found);
  } else {
    const needed = [...membersOf(struct)].filter(([, { isOptional }]) => !isOptional).map(([name]) => name);
    const members = needed.length > 0 ? ` with ${needed.join(', ')}` : '';
    found.wrong.push(`the props are ${described(props)}, and not an object; pass an object${members}`);
  }
  if (beside.length > 0) {
    return { ...found, unknown: found.unknown.filter(({ path }) => !beside.some((one) => membersOf(one).has(path))) };
  }
  return found;
}

export function declaredProps<Props extends object>(struct: string, props: Props): Props {
  const members = membersOf(struct);
  return Object.fromEntries(Object.entries(props).filter(([key]) => members.has(key))) as Props;
}

/**
 * Refuses props that nothing can be made of, and such that would not be read.
 * @param who who asks; the path of a construct, or the name of a factory
 * @param beside types of neighbouring factories, of whose options the caller says more itself
 * @throws with all that is wrong
 */
export function refuseWrongProps(who: string, struct: string, props: unknown, ...beside: readonly string[]): void {
  refuseFaults(who, propFaults(struct, props, ...beside));
}

export function refuseWrongValue(who: string, name: string, type: string, value: unknown): void {
  const found: Found = { wrong: [], unknown: [] };
  check(type, value, name, found);
  refuseFaults(who, found);
}

function refuseFaults(who: string, { wrong, unknown }: PropFaults): void {
  refuse(who, [...wrong.map((what) => `${what} (${WRONG_PROP.id})`), ...unknown.map(sentenceOfUnknown)]);
}

export function refuse(who: string, sentences: readonly string[]): void {
  if (sentences.length > 0) {
    throw new Error(sentences.map((sentence) => `${who}: ${sentence}`).join('\n'));
  }
}

export function sentenceOfUnknown({ path, remedy }: UnknownProp): string {
  return `${path} is unknown, so it has no effect; ${remedy} (${WRONG_PROP.id})`;
}

interface Found {
  readonly wrong: string[];
  readonly unknown: UnknownProp[];
}

function checkStruct(members: Struct, value: Record<string, unknown>, at: string, found: Found): void {
  for (const [name, { type, isOptional }] of members) {
    const given = value[name];
    if (given !== undefined) {
      check(type, given, `${at}${name}`, found);
    } else if (!isOptional) {
      found.wrong.push(`${at}${name} is missing; pass ${called(type)}`);
    }
  }
  for (const key in value) {
    if (!members.has(key) && value[key] !== undefined) {
      const free = [...members.keys()].filter((name) => value[name] === undefined);
      const meant = nearest(key, free);
      // an object of a class has members of its own
      if (meant !== undefined || isPlain(value)) {
        found.unknown.push(unknownProp(key, meant, members, at));
      }
    }
  }
}

function unknownProp(key: string, meant: string | undefined, members: Struct, at: string): UnknownProp {
  const others = OTHERS.find((name) => members.has(name));
  const remedy = meant
    ? `write ${meant}`
    : others
      ? `write it in ${at}${others}`
      : ANNOTATION.test(key) && members.has('controller')
        ? 'wrap the controller in AnnotatedController'
        : 'remove it';
  return { path: `${at}${key}`, remedy, isWrong: meant !== undefined || at !== '' };
}

/** A key that would hold annotations, for which constructs with a controller have no prop. */
const ANNOTATION = /annot/i;

const OTHERS = ['additional', 'others'];

function check(type: string, value: unknown, at: string, found: Found): void {
  if (isLate(value)) {
    return;
  }
  if (type === 'any') {
    if (isCircular(value)) found.wrong.push(`${at} contains itself, and no manifest can; pass plain data`);
    return;
  }
  if (!fits(type, value)) {
    const declared = table().get(type);
    const values = declared?.kind === 'enum' ? declared.parts : [];
    const right = values.length > 0 ? `one of ${values.join(', ')}` : called(type);
    const meant = typeof value === 'string' ? nearest(value, values) : undefined;
    found.wrong.push(
      `${at} is ${described(value)}, which is not ${right}; pass ${meant ? `'${meant}'` : called(type)}`,
    );
  } else if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      check(type.slice(0, -2), value[i], `${at}[${i}]`, found);
    }
  } else if (type.startsWith('{')) {
    for (const key in value as object) {
      check(type.slice(1, -1), (value as Record<string, unknown>)[key], `${at}.${key}`, found);
    }
  } else if (table().get(type)?.kind === 'struct') {
    checkStruct(membersOf(type), value as Record<string, unknown>, `${at}.`, found);
  }
}

function fits(type: string, value: unknown): boolean {
  if (type.endsWith('[]')) {
    return Array.isArray(value);
  }
  if (PRIMITIVES[type]) {
    return typeof value === type;
  }
  const { kind, parts } = table().get(type) ?? { parts: FOREIGN[type] ?? [] };
  if (kind === 'enum') {
    return parts.includes(value as string);
  }
  const isMade = kind !== 'class' || BEHAVIOUR.test(type) || (!isPlain(value) && !isOfAnother(type, value));
  return isMap(value) && isMade && (kind === 'struct' || parts.every((member) => member in value));
}

/** True if an object is of another class of this package. Where names were made short, what an object has must do. */
function isOfAnother(type: string, value: unknown): boolean {
  const classes: string[] = [];
  for (let one = Object(value); one; one = Object.getPrototypeOf(one)) {
    classes.push(one.constructor?.name);
  }
  return !classes.includes(type) && classes.some((name) => table().get(name)?.kind === 'class');
}

/** True if plain data contains itself; what was looked through once is not looked through again. */
function isCircular(value: unknown, above = new Set<unknown>(), done = new Set<unknown>()): boolean {
  if (!(Array.isArray(value) || isPlain(value)) || done.has(value)) {
    return false;
  }
  if (above.has(value)) {
    return true;
  }
  above.add(value);
  const found = Object.values(value as object).some((inner) => isCircular(inner, above, done));
  above.delete(value);
  done.add(value);
  return found;
}

const BEHAVIOUR = /^I[A-Z][a-z]/;

function isPlain(value: unknown): boolean {
  const prototype = isMap(value) ? Object.getPrototypeOf(value) : undefined;
  return prototype === null || prototype?.constructor?.name === 'Object';
}

const PRIMITIVES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
};

const FOREIGN: Readonly<Record<string, readonly string[]>> = {
  Duration: ['toSeconds'],
  Size: ['toKibibytes'],
  IConstruct: ['node'],
  Construct: ['node'],
  ApiObject: ['node', 'kind'],
  Chart: ['node'],
};

function called(type: string): string {
  if (type.endsWith('[]')) {
    const inner = type.slice(0, -2);
    return `a list of ${PLURALS[inner] ?? inner}`;
  }
  return type.startsWith('{') ? 'a map' : (PRIMITIVES[type] ?? `${/^[AEIO]/.test(type) ? 'an' : 'a'} ${type}`);
}

const PLURALS: Readonly<Record<string, string>> = { string: 'strings', number: 'numbers' };

/** Constructs point at each other in circles: they are shown as what they are made of. */
function described(value: unknown): string {
  if (typeof value === 'string') {
    return `'${value}'`;
  }
  if (isMap(value) && value.constructor && value.constructor !== Object) {
    return `a ${value.constructor.name}`;
  }
  try {
    return JSON.stringify(value) ?? (typeof value === 'function' ? 'a function' : String(value));
  } catch {
    return 'an object that contains itself';
  }
}

/** A value that is known when it is written; what cannot wait says so by itself. */
function isLate(value: unknown): boolean {
  return value instanceof Lazy || (isMap(value) && typeof value.resolve === 'function');
}

const table = once((): ReadonlyMap<string, Declared> => {
  const lines = DECLARED_TYPES.trim().split('\n');
  return new Map(
    lines.map((line) => {
      const [head, ...parts] = line.split(' | ');
      const [kind, name, ...bases] = head.split(' ');
      return [name, { kind: kind as Declared['kind'], bases, parts }];
    }),
  );
});

const STRUCTS = new Map<string, Struct>();

function membersOf(name: string): Struct {
  return cachedIn(STRUCTS, name, () => {
    const { bases, parts } = table().get(name) ?? NOTHING;
    const own = parts.map((part): [string, Member] => {
      const [key, type] = part.split(' ');
      return [key.replace('?', ''), { type, isOptional: key.endsWith('?') }];
    });
    return new Map([...bases.flatMap((base) => [...membersOf(base)]), ...own]);
  });
}

const NOTHING: Declared = { kind: 'struct', bases: [], parts: [] };

/**
 * Refuses what was made by another class than a parameter asks for, where the table of declared types does not know
 * that class.
 * @throws unless it did
 */
export function refuseOther(what: string, type: string, value: unknown, isOne: boolean): void {
  if (!isOne) {
    const right = called(type);
    throw new Error(`${what} is ${madeBy(value)}, which is not ${right}; pass ${right} (${WRONG_PROP.id})`);
  }
}

/** Constructs point at each other in circles: they are shown as what they are made of. */
function madeBy(value: unknown): string {
  const maker = value instanceof Object ? value.constructor : Object;
  return maker === Object ? shown(value) : `a ${maker.name}`;
}

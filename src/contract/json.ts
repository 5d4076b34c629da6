// biome-ignore lint/suspicious/noExplicitAny: manifests are trees of unknown shape
export type Json = Record<string, any>;

// Reading of finished objects. Third-party manifests may hold anything anywhere: these never throw.

const NO_ENTRIES: never[] = [];

export function isMap(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** True if a field holds something: the API server drops a null. */
export function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}

export function list<T>(value: unknown): T[] {
  return Array.isArray(value) ? value : NO_ENTRIES;
}

export function mapIn(json: unknown, field: string): Json {
  const found = isMap(json) ? json[field] : undefined;
  return mapOf(found);
}

export function listIn(json: unknown, field: string): unknown[] {
  return list(isMap(json) ? json[field] : undefined);
}

export function mapsIn(json: unknown, field: string): Json[] {
  return listIn(json, field).filter(isMap);
}

export function mapOfJson(text: unknown): Json | undefined {
  try {
    const value: unknown = typeof text === 'string' ? JSON.parse(text) : undefined;
    return isMap(value) ? printableMaps(value) : undefined;
  } catch {
    return undefined;
  }
}

export function omitKeys(json: Json, keys: readonly string[]): Json {
  return Object.fromEntries(Object.entries(json).filter(([key]) => !keys.includes(key)));
}

/** The texts at the end of some steps; a list has its items looked into. */
export function textsAt(value: unknown, [step, ...others]: readonly string[]): string[] {
  if (Array.isArray(value)) {
    return value.flatMap((item) => textsAt(item, step === undefined ? [] : [step, ...others]));
  }
  if (step === undefined) {
    return typeof value === 'string' ? [value] : [];
  }
  return isMap(value) ? textsAt(value[step], others) : [];
}

export function defined(json: Json): Json {
  return Object.fromEntries(Object.entries(json).filter(([, value]) => value !== undefined));
}

/** The same, its keys in the order in which cdk8s writes them. */
export function sorted(json: Json): Json {
  return Object.fromEntries(Object.entries(defined(json)).sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** Puts the keys of a map itself in that order, for a map that others hold. */
export function sortKeys(map: Json): void {
  for (const key of Object.keys(map).sort()) {
    const value = map[key];
    delete map[key];
    map[key] = value;
  }
}

/** A map without the fields that are undefined, and nothing where no field is left. */
export function definedOrNothing(json: Json): Json | undefined {
  const left = defined(json);
  return Object.keys(left).length === 0 ? undefined : left;
}

/** The value of a key of a map that was read, never one of the prototype: `constructor` and `toString` are keys like any other. */
export function ownValue<T>(map: Readonly<Record<string, T>> | undefined, key: unknown): T | undefined {
  return map !== undefined && typeof key === 'string' && Object.hasOwn(map, key) ? map[key] : undefined;
}

export type Group<T> = [T, ...T[]];

/** Some things by what they have in common, in the order of the first of each. */
export function grouped<T, K>(things: Iterable<T>, keyOf: (thing: T) => K): Map<K, Group<T>> {
  return groupedByAll(things, (thing) => [keyOf(thing)]);
}

/** As above, where a thing may have several keys, or none. */
export function groupedByAll<T, K>(things: Iterable<T>, keysOf: (thing: T) => readonly K[]): Map<K, Group<T>> {
  const groups = new Map<K, Group<T>>();
  for (const thing of things) {
    for (const key of keysOf(thing)) {
      const group = groups.get(key);
      if (group) {
        group.push(thing);
      } else {
        groups.set(key, [thing]);
      }
    }
  }
  return groups;
}

/** One of all things that have a key in common: the first. */
export function firstOfEach<T, K>(things: Iterable<T>, keyOf: (thing: T) => K): T[] {
  return [...grouped(things, keyOf).values()].map(([first]) => first);
}

/** A value that is a map, and an empty one for any other value. */
export function mapOf(value: unknown): Json {
  return isMap(value) ? value : {};
}

/** Value computed on first use. */
export function once<T>(make: () => T): () => T {
  let kept: { readonly value: T } | undefined;
  return () => {
    kept ??= { value: make() };
    return kept.value;
  };
}

/** Value computed once for each object, as long as there is the object. */
export function oncePer<K extends object, T>(make: (key: K) => T): (key: K) => T {
  const kept = new WeakMap<K, T>();
  return (key) => cachedIn(kept, key, () => make(key));
}

/** Value of a key, computed on first use. */
export function cachedIn<K, V>(
  all: Pick<Map<K, V>, 'has' | 'get'> & { set(key: K, value: V): unknown },
  key: K,
  make: () => V,
): V {
  if (!all.has(key)) {
    all.set(key, make());
  }
  return all.get(key) as V;
}

/** True if two values of manifests are the same to the API server: the order of keys does not count, and nothing is nothing. */
export function sameValue(one: unknown, other: unknown): boolean {
  if (one === other) {
    return true;
  }
  if (!isSet(one) || !isSet(other)) {
    return isSet(one) === isSet(other);
  }
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, i) => sameValue(item, other[i]));
  }
  return isMap(one) && isMap(other) && sameMaps(one, other);
}

function sameMaps(one: Json, other: Json): boolean {
  for (const key in one) {
    if (!sameValue(one[key], ownValue(other, key))) {
      return false;
    }
  }
  for (const key in other) {
    if (isSet(other[key]) && !isSet(ownValue(one, key))) {
      return false;
    }
  }
  return true;
}

export function keysChanged(one: Json, other: Json): string[] {
  if (one === other) {
    return [];
  }
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...keys].filter((key) => !sameValue(ownValue(one, key), ownValue(other, key))).sort();
}

/** A value with the keys of all its maps in order, so that its text tells what it says and not how it was written. */
export function inKeyOrder(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(inKeyOrder);
  }
  return isMap(value)
    ? Object.fromEntries(
        Object.keys(value)
          .sort()
          .map((key) => [key, inKeyOrder(value[key])]),
      )
    : value;
}

/** True if all of a value is in another one; what the API server adds is in that alone. */
export function isPart(value: unknown, whole: unknown): boolean {
  if (Array.isArray(value)) {
    return Array.isArray(whole) && value.length === whole.length && value.every((one, i) => isPart(one, whole[i]));
  }
  if (isMap(value)) {
    return isMap(whole) && Object.keys(value).every((key) => isPart(value[key], whole[key]));
  }
  return value === whole || (value ?? undefined) === (whole ?? undefined);
}

export function objectTitleOf(object: Json): string {
  const namespace = namespaceIn(object);
  return `${object.kind} ${namespace === undefined ? '' : `${namespace}/`}${objectNameOf(object)}`;
}

/** The name of an object, or how one begins that the API server makes up. */
export function objectNameOf({ metadata }: Json): string {
  const { name, generateName } = mapOf(metadata);
  return !isWritten(name) && isWritten(generateName) ? `${nameIn(generateName)}*` : nameIn(name);
}

/** `namespace/name`; an object without a namespace is applied to `default`. */
export function objectIdOf(object: Json): string {
  return `${namespaceIn(object) ?? 'default'}/${objectNameOf(object)}`;
}

export function namespaceIn({ metadata }: Json): string | undefined {
  const { namespace } = mapOf(metadata);
  return isWritten(namespace) ? nameIn(namespace) : undefined;
}

export function namespaceTitle(namespace: unknown): string {
  return isWritten(namespace) ? `namespace ${nameIn(namespace)}` : 'the same namespace';
}

/** A name as it is written, also where it is a map, a list or nothing. */
export function nameIn(name: unknown): string {
  if (!isWritten(name)) {
    return '(without a name)';
  }
  return typeof name === 'object' ? shown(name) : String(name);
}

const isWritten = (value: unknown) => value !== undefined && value !== null && value !== '';

/** JSON pointer to a field of what another one points to, as RFC 6901 has it. */
export function pointer(at: string, name: string): string {
  return `${at}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

export function pointedAt(json: unknown, at: string): unknown {
  return valueBySteps(json, stepsOf(at));
}

export function valueBySteps(json: unknown, steps: readonly (string | number)[]): unknown {
  return steps.reduce<unknown>(
    (value, step) => (typeof value === 'object' && value !== null ? (value as Json)[step] : undefined),
    json,
  );
}

export function stepsOf(pointer: string): string[] {
  const steps = pointer.split('/').slice(1);
  return steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/**
 * Characters that a terminal acts upon or a reader does not see: control characters, line separators, marks of direction,
 * characters without width and halves of characters.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]|\p{Surrogate}/gu;

/** A third-party text as it can be in a line of a report: it begins no line of its own, and hides nothing. */
export function printable(text: string): string {
  return text.replace(UNSEEN, (sign) => `\\u${(sign.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`);
}

/** Any value of a third-party file as it can be in a message; it may hold itself, or have a key `toString`. */
export function shown(value: unknown): string {
  if (typeof value === 'string') {
    return `'${printable(value)}'`;
  }
  if (typeof value === 'object' && value !== null) {
    return jsonOf(value);
  }
  return value === undefined ? 'nothing' : `${String(value)}`;
}

export function unquoted(value: unknown): string {
  return typeof value === 'string' ? value : shown(value);
}

function jsonOf(value: object): string {
  try {
    return printable(JSON.stringify(value));
  } catch {
    return Array.isArray(value) ? 'a list' : 'a map';
  }
}

const CONVERSIONS = ['toString', 'valueOf'];

const likeAnyMap = (hint: string) => (hint === 'number' ? Number.NaN : String({}));

/** Gives maps of a file that have such keys themselves the text of any other map, without which a message could not name them. */
export function printableMaps<T>(value: T, seen = new Set<unknown>()): T {
  if (typeof value === 'object' && value !== null && !seen.has(value)) {
    seen.add(value);
    if (CONVERSIONS.some((key) => Object.hasOwn(value, key))) {
      // enumerable, so that a copy has it too
      Object.defineProperty(value, Symbol.toPrimitive, { value: likeAnyMap, enumerable: true });
    }
    for (const inner of Object.values(value)) {
      printableMaps(inner, seen);
    }
  }
  return value;
}

/** True for a day of the calendar such as 2027-06-30. */
export function isDay(text: string): boolean {
  const day = new Date(`${text}T00:00:00Z`);
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

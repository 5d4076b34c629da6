import { printableMaps } from './printable';

/** A rendered Kubernetes object. */
// biome-ignore lint/suspicious/noExplicitAny: manifests are trees of unknown shape
export type Json = Record<string, any>;

// How finished objects are read. Third-party manifests may hold anything anywhere: these never throw.

const NO_ENTRIES: never[] = [];

/** Whether a value is a map. */
export function isMap(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a field holds something: the API server drops a null. */
export function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** A list, or an empty one for any other value. */
export function list<T>(value: unknown): T[] {
  return Array.isArray(value) ? value : NO_ENTRIES;
}

/** The map in a field, or an empty one. */
export function mapIn(json: unknown, field: string): Json {
  const found = isMap(json) ? json[field] : undefined;
  return isMap(found) ? found : {};
}

/** The list in a field, or an empty one. */
export function listIn(json: unknown, field: string): unknown[] {
  return list(isMap(json) ? json[field] : undefined);
}

/** The maps of the list in a field. */
export function mapsIn(json: unknown, field: string): Json[] {
  return listIn(json, field).filter(isMap);
}

/** The map in a text of JSON; undefined if it is none. */
export function mapOfJson(text: unknown): Json | undefined {
  try {
    const value: unknown = typeof text === 'string' ? JSON.parse(text) : undefined;
    return isMap(value) ? printableMaps(value) : undefined;
  } catch {
    return undefined;
  }
}

/** A map without some keys. */
export function without(json: Json, keys: readonly string[]): Json {
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

/** A map without the fields that are undefined. */
export function defined(json: Json): Json {
  return Object.fromEntries(Object.entries(json).filter(([, value]) => value !== undefined));
}

/** The same, its keys in the order in which cdk8s writes them. */
export function sorted(json: Json): Json {
  return Object.fromEntries(Object.entries(defined(json)).sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** A map without the fields that are undefined, and nothing where no field is left. */
export function definedOrNothing(json: Json): Json | undefined {
  const left = defined(json);
  return Object.keys(left).length === 0 ? undefined : left;
}

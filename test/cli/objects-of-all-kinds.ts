import type { Json } from '../../src/contract/json';
import { casesIn } from '../support/yaml-cases';

// An object of each kind that the commands read, right as it stands, and what is put into the places of it.

export const OBJECTS: readonly Json[] = casesIn(__dirname, 'objects-of-all-kinds.yaml').objects;

/** Every text in an object, by the keys that lead to it. */
export function textsIn(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value === 'string') return [path];
  return typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, inner]) => textsIn(inner, [...path, key]))
    : [];
}

type Entry = readonly [string, unknown];

function withEntry(object: Json, [key, ...rest]: readonly string[], change: (value: unknown) => Entry): Json {
  const entries = Object.entries(object).map(([own, inner]): Entry => {
    if (own !== key) return [own, inner];
    return rest.length > 0 ? [own, withEntry(inner, rest, change)] : change(inner);
  });
  return Array.isArray(object) ? entries.map(([, item]) => item) : Object.fromEntries(entries);
}

/** An object with another value in a place of it, or nothing there if the value is undefined. */
export const withValue = (object: Json, path: readonly string[], value: unknown): Json =>
  withEntry(object, path, () => [path[path.length - 1], value]);

/** An object with another name of a place of it. */
export const withKey = (object: Json, path: readonly string[], name: string): Json =>
  withEntry(object, path, (value) => [name, value]);

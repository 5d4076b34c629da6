import { isMap, isSet, type Json } from './json';
import { ownValue } from './own-value';

/** Whether two values of manifests are the same to the API server: the order of keys does not count, and nothing is nothing. */
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

/** The keys of two maps, each once and in order, whose values are not the same. */
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

/** Whether all of a value is in another one; what the API server adds is in that alone. */
export function isPart(value: unknown, whole: unknown): boolean {
  if (Array.isArray(value)) {
    return Array.isArray(whole) && value.length === whole.length && value.every((one, i) => isPart(one, whole[i]));
  }
  if (isMap(value)) {
    return isMap(whole) && Object.keys(value).every((key) => isPart(value[key], whole[key]));
  }
  return value === whole || (value ?? undefined) === (whole ?? undefined);
}

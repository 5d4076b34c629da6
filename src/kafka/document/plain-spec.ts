import { isMap, type Json } from '../../contract/json';
import { ownValue } from '../../contract/own-value';
import { shown } from './kafka-json';

/**
 * A `spec` of what props decide and of plain data in Strimzi's own fields, merged deep.
 *
 * @param path the path of the construct
 * @param decided what props decide
 * @param plain the prop `spec`
 * @param props the props that decide fields, by the paths of the fields
 * @throws where the plain data contradicts the props, or has a number that no manifest can have
 */
export function mergedSpec(
  path: string,
  decided: Json,
  plain: Json,
  props: Readonly<Record<string, string>>,
  where = 'spec',
): Json {
  refuseNoNumbers(path, plain, where);
  const merged = { ...decided };
  for (const [key, value] of Object.entries(plain)) {
    const present: unknown = ownValue(decided, key);
    const place = `${where}.${key}`;
    if (isMap(present) && isMap(value)) {
      merged[key] = mergedSpec(path, present, value, props, place);
    } else if (present === undefined) {
      merged[key] = value;
    } else if (value !== undefined && shown(present) !== shown(value)) {
      const owner = Object.keys(props).find((field) => place === field || place.startsWith(`${field}.`));
      throw new Error(
        `${path}: ${place} is ${shown(value)}, and ${owner ? `the prop ${props[owner]}` : 'the construct'} makes it ${shown(present)}; ` +
          `leave it out of spec${owner ? `, and use ${props[owner]} alone` : ''}`,
      );
    }
  }
  return merged;
}

function refuseNoNumbers(path: string, value: unknown, where: string): void {
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new Error(`${path}: ${where} is ${value}, and no manifest can have it; write a finite number`);
  }
  if (Array.isArray(value) || (isMap(value) && Object.getPrototypeOf(value) === Object.prototype)) {
    for (const [key, inner] of Object.entries(value)) {
      refuseNoNumbers(path, inner, `${where}.${key}`);
    }
  }
}

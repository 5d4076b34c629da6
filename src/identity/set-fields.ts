import { isMap } from '../contract/json';

/** How many of the fields of a map are set. */
export function setFields(map: unknown, ...fields: string[]): number {
  const json = isMap(map) ? map : {};
  return fields.filter((field) => json[field] !== undefined && json[field] !== null && json[field] !== '').length;
}

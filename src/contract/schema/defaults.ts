import { isMap, isSet, type Json } from '../json';
import type { SchemaField, SchemaFields } from './field';

/** A map with what the API server fills in where nothing is written: the defaults of its fields, and of those inside. */
export function withDefaults(map: Json, fields: SchemaFields): Json {
  const filled = Object.entries(fields).flatMap(([name, field]): [string, unknown][] => {
    const value = Object.hasOwn(map, name) && isSet(map[name]) ? map[name] : field.default;
    return value === undefined ? [] : [[name, field.fields ? inside(value, field.fields) : value]];
  });
  return { ...map, ...Object.fromEntries(filled) };
}

function inside(value: unknown, fields: NonNullable<SchemaField['fields']>): unknown {
  if (Array.isArray(value)) {
    return value.map((entry) => (isMap(entry) ? withDefaults(entry, fields) : entry));
  }
  return isMap(value) ? withDefaults(value, fields) : value;
}

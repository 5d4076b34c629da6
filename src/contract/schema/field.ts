import { isMap, isSet, type Json } from '../json';

/** What a field holds. `MAP` and `MAPS` have fields of their own, `FREE` and `FREE_LIST` are not looked into. */
export enum Shape {
  TEXT = 'a string',
  INTEGER = 'a whole number',
  /** May have a fraction. */
  NUMBER = 'a number',
  BOOLEAN = 'true or false',
  INTEGER_OR_TEXT = 'a whole number or a string',
  /** A quantity of Kubernetes, such as `500m`. */
  QUANTITY = 'a quantity',
  /** A text, or a number or truth that readers take for one. */
  SCALAR = 'one string',
  TEXTS = 'a list of strings',
  INTEGERS = 'a list of whole numbers',
  TEXT_MAP = 'a map of strings',
  TEXTS_MAP = 'a map of lists of strings',
  QUANTITIES = 'a map of quantities',
  SCALARS = 'a map of single strings',
  MAP = 'a map',
  MAPS = 'a list of maps',
  FREE = 'a map of anything',
  FREE_LIST = 'a list of anything',
  /** Other rules validate it. */
  ANYTHING = 'anything',
}

/** One field of a resource, as its schema has it. */
export interface SchemaField {
  readonly shape: Shape;
  /** The values that the schema accepts, where it lists them; in a list, of each entry. */
  readonly values?: readonly string[];
  /** Of these, the ones that are newer than the field. */
  readonly valuesSince?: Readonly<Record<string, string>>;
  /** Of these, the ones of the older API version alone. */
  readonly oldApiValues?: readonly string[];
  /** What a text must match; in a list, each entry. */
  readonly pattern?: RegExp;
  /** The least number, characters of a text, or entries of a list or map. */
  readonly atLeast?: number;
  /** The same, at most. */
  readonly atMost?: number;
  /** The characters of each entry of a list of strings, at most. */
  readonly entriesAtMost?: number;
  /** What the field accepts, for messages, where `pattern` or the limits do not read well; in a list, each entry. */
  readonly takes?: string;
  /** The schema refuses the map around it without it. */
  readonly required?: true;
  /** The first release that has it, where that is newer than the oldest one that is known. */
  readonly since?: string;
  /** Of the older API version alone. */
  readonly oldApi?: true;
  /** What releases older than `until` have instead of it. */
  readonly formerly?: FormerField;
  /** A `MAP` may have other fields, which are not looked at. */
  readonly open?: true;
  /** The fields of a `MAP`, or of each entry of `MAPS`. */
  readonly fields?: SchemaFields;

  // what a definition holds beside that, and is not validated here
  readonly format?: string;
  readonly default?: unknown;
  readonly mapType?: string;
  readonly listType?: string;
  readonly listMapKeys?: readonly string[];
  /** Rules in CEL; in a list of maps, about each entry. */
  readonly cel?: readonly string[];
}

/** A field as older releases have it, which may have another name there. */
export interface FormerField extends SchemaField {
  readonly name?: string;
  readonly until: string;
}

export type SchemaFields = Readonly<Record<string, SchemaField>>;

/** What the lists and maps hold that are looked into. */
const ENTRIES: Readonly<Partial<Record<Shape, Shape>>> = {
  [Shape.TEXTS]: Shape.TEXT,
  [Shape.INTEGERS]: Shape.INTEGER,
  [Shape.MAPS]: Shape.MAP,
  [Shape.TEXT_MAP]: Shape.TEXT,
  [Shape.TEXTS_MAP]: Shape.TEXTS,
  [Shape.QUANTITIES]: Shape.QUANTITY,
  [Shape.SCALARS]: Shape.SCALAR,
};

/** Each entry of a list or map as a field; nothing where entries are not looked into. */
export function entryOf(field: SchemaField): SchemaField | undefined {
  const shape = ENTRIES[field.shape];
  const { values, valuesSince, oldApiValues, pattern, takes, entriesAtMost: atMost, cel, fields } = field;
  return shape && { shape, values, valuesSince, oldApiValues, pattern, takes, atMost, cel, fields };
}

/** A map with these fields. */
export function mapOf(fields: SchemaFields, more?: Partial<SchemaField>): SchemaField {
  return { shape: Shape.MAP, ...more, fields };
}

/** A list of maps with these fields. */
export function listOf(fields: SchemaFields, more?: Partial<SchemaField>): SchemaField {
  return { shape: Shape.MAPS, ...more, fields };
}

/** A text that is one of these. */
export function oneOf(...values: readonly string[]): SchemaField {
  return { shape: Shape.TEXT, values };
}

/** Fields that are written by their paths, as fields within fields; entries of a list add nothing to a path. */
export function fieldsWithin(paths: SchemaFields, parent = ''): SchemaFields {
  const names = Object.keys(paths).filter((path) => path.slice(0, Math.max(path.lastIndexOf('.'), 0)) === parent);
  return Object.fromEntries(
    names.map((path) => {
      const { shape } = paths[path];
      const inside = shape === Shape.MAP || shape === Shape.MAPS ? { fields: fieldsWithin(paths, path) } : {};
      return [path.slice(path.lastIndexOf('.') + 1), { ...paths[path], ...inside }];
    }),
  );
}

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

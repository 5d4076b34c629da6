/** What stands in a field. `MAP` and `MAPS` have fields of their own, `FREE` and `FREE_LIST` are not looked into. */
export enum Shape {
  TEXT = 'text',
  INTEGER = 'a whole number',
  /** May have a fraction. */
  NUMBER = 'a number',
  BOOLEAN = 'true or false',
  TEXTS = 'a list of texts',
  TEXT_MAP = 'a map of texts',
  MAP = 'a map',
  MAPS = 'a list of maps',
  FREE = 'a map of anything',
  FREE_LIST = 'a list of anything',
  /** Other rules judge it. */
  ANYTHING = 'anything',
}

/** One field of a resource, as its schema has it. */
export interface SchemaField {
  readonly shape: Shape;
  /** The words that the schema takes, where it takes some only. */
  readonly words?: readonly string[];
  /** Words that are newer than the field in which they stand. */
  readonly wordsSince?: Readonly<Record<string, string>>;
  /** Words that the API version `v1beta2` alone takes. */
  readonly oldApiWords?: readonly string[];
  /** What a text looks like. */
  readonly pattern?: RegExp;
  readonly atLeast?: number;
  readonly atMost?: number;
  /** What a value of the right shape keeps, in words, where `pattern` or the limits are not said well by themselves. */
  readonly takes?: string;
  /** Without it the schema refuses what the field stands in. */
  readonly required?: true;
  /** The first version that has it, where that is newer than 0.45. */
  readonly since?: string;
  /** Present in the API version `v1beta2` alone. */
  readonly oldApi?: true;
  /** What stands in a `MAP`, or in each entry of `MAPS`. */
  readonly fields?: SchemaFields;
}

export type SchemaFields = Readonly<Record<string, SchemaField>>;

/** Fields that are written by their paths, as fields within fields; what stands in the maps of a list has its path. */
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

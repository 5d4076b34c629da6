/** What a field holds. `MAP` and `MAPS` have fields of their own, `FREE` and `FREE_LIST` are not looked into. */
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
  /** Other rules validate it. */
  ANYTHING = 'anything',
}

/** One field of a resource, as its schema has it. */
export interface SchemaField {
  readonly shape: Shape;
  /** The values that the schema accepts, where it lists them. */
  readonly values?: readonly string[];
  /** Of these, the ones that are newer than the field. */
  readonly valuesSince?: Readonly<Record<string, string>>;
  /** Of these, the ones of the older API version alone. */
  readonly oldApiValues?: readonly string[];
  /** What a text must match. */
  readonly pattern?: RegExp;
  readonly atLeast?: number;
  readonly atMost?: number;
  /** What the field accepts, for messages, where `pattern` or the limits do not read well. */
  readonly takes?: string;
  /** The schema refuses the map around it without it. */
  readonly required?: true;
  /** The first release that has it, where that is newer than the oldest one that is known. */
  readonly since?: string;
  /** Of the older API version alone. */
  readonly oldApi?: true;
  /** The fields of a `MAP`, or of each entry of `MAPS`. */
  readonly fields?: SchemaFields;
}

export type SchemaFields = Readonly<Record<string, SchemaField>>;

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

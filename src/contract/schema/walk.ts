import { isMap, isSet, type Json, oncePer, pointer, shown } from '../json';
import { tokenIn } from '../kubernetes-syntax';

/** Type of a field. `MAP` and `MAPS` have fields of their own, `FREE` and `FREE_LIST` are not looked into. */
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

export interface SchemaField {
  readonly shape: Shape;
  /** The values that the schema accepts, where it lists them; in a list, of each entry. */
  readonly values?: readonly string[];
  /** Of these, the ones that are newer than the field. */
  readonly valuesSince?: Readonly<Record<string, string>>;
  /** Of these, the ones of the older API version alone. */
  readonly oldApiValues?: readonly string[];
  /** Pattern of a text; in a list, of each entry. */
  readonly pattern?: RegExp;
  /** The least number, characters of a text, or entries of a list or map. */
  readonly atLeast?: number;
  /** The same, at most. */
  readonly atMost?: number;
  /** The characters of each entry of a list of strings, at most. */
  readonly entriesAtMost?: number;
  /** Accepted values for messages, if `pattern` or the limits do not read well; in a list, each entry. */
  readonly takes?: string;
  /** The schema refuses the map around it without it. */
  readonly required?: true;
  /** The first release that has it, where that is newer than the oldest one that is known. */
  readonly since?: string;
  /** Of the older API version alone. */
  readonly oldApi?: true;
  /** Replacement in releases older than `until`. */
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

export function mapOf(fields: SchemaFields, more?: Partial<SchemaField>): SchemaField {
  return { shape: Shape.MAP, ...more, fields };
}

export function listOf(fields: SchemaFields, more?: Partial<SchemaField>): SchemaField {
  return { shape: Shape.MAPS, ...more, fields };
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

export enum SchemaFault {
  /** The field holds something of another kind, or beyond its limits. */
  SHAPE,
  /** Not one of the values that the field accepts. */
  VALUE,
  /** A required field is not there. */
  MISSING,
  /** No release has such a field. */
  UNKNOWN,
  /** A later release has it. */
  TOO_NEW,
  /** The API version of the document has it no more. */
  REMOVED,
}

export interface Misfit {
  readonly fault: SchemaFault;
  readonly at: string;
  /** The field as messages call it: `configuration.brokers[1].host`. */
  readonly where: string;
  readonly path: string;
  readonly name: string;
  readonly value: string;
  readonly takes?: string;
  readonly since?: string;
  /** The name that the release has for the field, and the first release that has the newer one of both names. */
  readonly renamed?: Renaming;
  readonly siblings: readonly string[];
}

/** Two names of a field in different releases. */
export interface Renaming {
  readonly to: string;
  readonly holds: Shape;
  /** The first release with the newer one of both names. */
  readonly since: string;
  /** True if that is the name that the document has. */
  readonly isTooNew: boolean;
}

export interface SchemaRelease {
  /** Product of the releases: `Strimzi`. */
  readonly product: string;
  readonly version: string;
  /** The oldest release that was read; an older one may have had other fields. */
  readonly readFrom: string;
  /** True if the document is written in an API version that has more fields than the current one. */
  readonly oldApi: boolean;
  /** True if this release has what another one added. */
  has(since: string): boolean;
  /** True if the release is not known, and the newest one that was read stands for it. */
  readonly isAssumed?: boolean;
}

/** A map of a document that has a schema. */
export interface SchemaPart {
  /** The map; anything else is a misfit. */
  readonly map: unknown;
  readonly fields: SchemaFields;
  /** True if it may have other fields too, which are not looked at. */
  readonly open?: boolean;
  /** Name in messages; empty where the names of its fields are clear by themselves. */
  readonly where: string;
  readonly at: string;
  readonly release: SchemaRelease;
}

export function misfitsIn({ map, fields, where, at, release, open }: SchemaPart): Misfit[] {
  const walk = new SchemaWalk(release, open);
  if (isMap(map)) {
    walk.through(map, fields, { where, at, path: '' });
  } else {
    walk.add(SchemaFault.MISSING, { where, at, path: '', name: where }, map);
  }
  return walk.misfits;
}

const isText = (value: unknown) => typeof value === 'string';
const isList = (value: unknown) => Array.isArray(value);

const FITS: Readonly<Record<Shape, (value: unknown) => boolean>> = {
  [Shape.TEXT]: isText,
  [Shape.INTEGER]: Number.isInteger,
  [Shape.NUMBER]: (value) => typeof value === 'number',
  [Shape.BOOLEAN]: (value) => typeof value === 'boolean',
  [Shape.INTEGER_OR_TEXT]: (value) => isText(value) || Number.isInteger(value),
  [Shape.QUANTITY]: (value) => isText(value) || typeof value === 'number',
  [Shape.SCALAR]: (value) => !isMap(value) && !isList(value),
  [Shape.TEXTS]: isList,
  [Shape.INTEGERS]: isList,
  [Shape.TEXT_MAP]: isMap,
  [Shape.TEXTS_MAP]: isMap,
  [Shape.QUANTITIES]: isMap,
  [Shape.SCALARS]: isMap,
  [Shape.MAP]: isMap,
  [Shape.MAPS]: isList,
  [Shape.FREE]: isMap,
  [Shape.FREE_LIST]: isList,
  [Shape.ANYTHING]: () => true,
};

/** True if a value is of a shape; what is inside of it is not looked at. */
export const fits = (shape: Shape, value: unknown) => FITS[shape](value);

type Place = Pick<Misfit, 'where' | 'at' | 'path' | 'name'>;

class SchemaWalk {
  public readonly misfits: Misfit[] = [];

  public constructor(
    private readonly release: SchemaRelease,
    private readonly open = false,
  ) {}

  public through(map: Json, all: SchemaFields, above: Omit<Place, 'name'>, open = this.open): void {
    const fields = this.inRelease(all);
    const reported = new Set<string>();
    for (const name of requiredOf(fields).filter((one) => !isSet(map[one]))) {
      const [other, renamed] = renamingsIn(all).find(([one, { to }]) => to === name && isSet(map[one])) ?? [];
      const { formerly } = fields[name];
      if (other === undefined) {
        this.add(SchemaFault.MISSING, below(above, name), undefined);
      } else if (!this.release.isAssumed || !formerly || !FITS[formerly.shape](map[other])) {
        this.add(SchemaFault.MISSING, below(above, other), map[other], { renamed });
        reported.add(other);
      }
    }
    for (const name of Object.keys(map)) {
      if (isSet(map[name]) && !reported.has(name)) {
        const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
        if (field || !open) {
          this.field(map[name], field, all, below(above, name));
        }
      }
    }
  }

  private inRelease(fields: SchemaFields): SchemaFields {
    const isFormer = ({ formerly }: SchemaField) => formerly !== undefined && !this.release.has(formerly.until);
    return Object.values(fields).some(isFormer)
      ? Object.fromEntries(
          Object.entries(fields).map(([name, field]) =>
            isFormer(field) ? [field.formerly?.name ?? name, field.formerly as SchemaField] : [name, field],
          ),
        )
      : fields;
  }

  public add(
    fault: SchemaFault,
    place: Place,
    value: unknown,
    more: Pick<Partial<Misfit>, 'takes' | 'since' | 'renamed' | 'siblings'> = {},
  ): void {
    const isOfValue = fault === SchemaFault.SHAPE || fault === SchemaFault.VALUE;
    if (isOfValue && tokenIn(value) !== undefined) {
      return; // only a deployment knows the value
    }
    this.misfits.push({ siblings: [], ...more, ...place, fault, value: shown(value) });
  }

  private field(value: unknown, field: SchemaField | undefined, all: SchemaFields, place: Place): void {
    if (!field) {
      const [, renamed] = renamingsIn(all).find(([one]) => one === place.name) ?? [];
      this.add(SchemaFault.UNKNOWN, place, value, { siblings: Object.keys(all), renamed });
    } else if (field.oldApi && !this.release.oldApi) {
      this.add(SchemaFault.REMOVED, place, value);
    } else if (field.since !== undefined && !this.release.has(field.since)) {
      this.add(SchemaFault.TOO_NEW, place, value, { since: field.since });
    } else {
      this.inside(value, field, place);
    }
  }

  private inside(value: unknown, field: SchemaField, place: Place): void {
    const { shape, fields = {}, values } = field;
    if (!FITS[shape](value)) {
      this.add(SchemaFault.SHAPE, place, value, { takes: shape });
    } else if (isText(value) && values) {
      this.oneOf(value as string, field, place);
    } else if (!this.exceeds(value, field, place)) {
      if (shape === Shape.MAP) {
        this.through(value as Json, fields, place, field.open);
      } else {
        const entry = entryOf(field);
        if (entry !== undefined) {
          this.entries(value as unknown[] | Json, entry, place);
        }
      }
    }
  }

  private entries(value: unknown[] | Json, entry: SchemaField, { where, at, path, name }: Place): void {
    if (Array.isArray(value)) {
      for (const [i, one] of value.entries()) {
        this.inside(one, entry, { where: `${where}[${i}]`, at: `${at}/${i}`, path, name });
      }
      return;
    }
    for (const key of Object.keys(value).filter((one) => isSet(value[one]))) {
      const place = { where: `${where}['${key}']`, at: pointer(at, key), path: `${path}.${key}`, name: key };
      if (entry.shape === Shape.TEXT && !isText(value[key])) {
        this.add(SchemaFault.SHAPE, place, value[key], { takes: `${Shape.TEXT}, in quotes` });
      } else {
        this.inside(value[key], entry, place);
      }
    }
  }

  private oneOf(value: string, field: SchemaField, place: Place): void {
    const { values = [], valuesSince = {}, oldApiValues = [] } = field;
    const since = Object.hasOwn(valuesSince, value) ? valuesSince[value] : undefined;
    if (since !== undefined && !this.release.has(since)) {
      this.add(SchemaFault.TOO_NEW, place, value, { since });
    } else if (oldApiValues.includes(value) && !this.release.oldApi) {
      this.add(SchemaFault.REMOVED, place, value);
    } else if (!values.includes(value)) {
      const accepted = values
        .filter((one) => this.release.oldApi || !oldApiValues.includes(one))
        .filter((one) => valuesSince[one] === undefined || this.release.has(valuesSince[one]));
      this.add(SchemaFault.VALUE, place, value, { takes: accepted.join(', ') });
    }
  }

  /** True if a value does not match its pattern or is beyond its limits, which is added then. */
  private exceeds(value: unknown, field: SchemaField, place: Place): boolean {
    const { shape, pattern, atLeast, atMost } = field;
    const isOther = isText(value) && pattern?.test(value as string) === false;
    const size = atLeast === undefined && atMost === undefined ? Number.NaN : sizeOf(value);
    const limit =
      size < (atLeast as number) ? `at least ${atLeast}` : size > (atMost as number) ? `at most ${atMost}` : undefined;
    if (isOther || limit !== undefined) {
      this.add(SchemaFault.SHAPE, place, value, {
        takes: field.takes ?? (limit ? `${shape}, ${limit}${unitOf(value)}` : `${shape} like ${pattern?.source}`),
      });
    }
    return isOther || limit !== undefined;
  }
}

function sizeOf(value: unknown): number {
  return typeof value === 'number'
    ? value
    : isText(value) || isList(value)
      ? (value as string).length
      : Object.keys(value as Json).length;
}

function unitOf(value: unknown): string {
  return typeof value === 'number' ? '' : isText(value) ? ' characters' : ' entries';
}

/** Fields with another name in other releases, by each of both names. */
function renamingsIn(fields: SchemaFields): [string, Renaming][] {
  return Object.entries(fields).flatMap(([newer, { shape, formerly }]): [string, Renaming][] => {
    const { name: older, until: since = '' } = formerly ?? {};
    return formerly && older !== undefined
      ? [
          [older, { to: newer, holds: shape, since, isTooNew: false }],
          [newer, { to: older, holds: formerly.shape, since, isTooNew: true }],
        ]
      : [];
  });
}

/** The names of required fields: the same few maps of fields are asked again and again. */
const requiredOf = oncePer((fields: SchemaFields) => Object.keys(fields).filter((name) => fields[name].required));

const PLAIN = /^[-\w]+$/;

function below({ where, at, path }: Omit<Place, 'name'>, name: string): Place {
  const found = !PLAIN.test(name) ? `${where}['${name}']` : where === '' ? name : `${where}.${name}`;
  return { where: found, at: pointer(at, name), path: path === '' ? name : `${path}.${name}`, name };
}

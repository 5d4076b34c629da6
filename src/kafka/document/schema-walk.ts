import { reaches } from '../../contract/compare-versions';
import { isMap, type Json } from '../../contract/json';
import { isOldApi } from '../strimzi/served-api';
import type { StrimziVersion } from '../strimzi/strimzi-version';
import { isSaid, shown } from './kafka-json';
import { type SchemaField, type SchemaFields, Shape } from './schema-field';

/** One way in which a part of a resource does not fit the schema of its version. */
export enum SchemaFault {
  /** Something else stands there than the field takes. */
  SHAPE,
  /** A word that the field does not take. */
  WORD,
  /** Nothing stands where something must. */
  MISSING,
  /** No version has such a field. */
  UNKNOWN,
  /** A later version has it. */
  TOO_NEW,
  /** The API version of this document has it no more. */
  REMOVED,
}

/** Where a resource does not fit, and why. */
export interface Misfit {
  readonly fault: SchemaFault;
  /** The field as a reader finds it: `configuration.brokers[1].host`. */
  readonly where: string;
  /** The field in the schema, below where the walk began: `configuration.brokers.host`. */
  readonly path: string;
  /** The field itself: `host`. */
  readonly name: string;
  /** What stands there, as text. */
  readonly value: string;
  /** What the field takes. */
  readonly takes?: string;
  /** The first version that has it. */
  readonly since?: string;
  /** The fields that an unknown one could have been. */
  readonly siblings: readonly string[];
}

/** What was found in the part of a document that is being judged: several rules ask. */
export class FoundMisfits<C extends object> {
  private readonly found = new WeakMap<C, { readonly json: Json; readonly misfits: readonly Misfit[] }>();

  /** Looks once for each context: who judges a document makes a context of its own for it. */
  public of(json: Json, context: C, look: () => readonly Misfit[]): readonly Misfit[] {
    const before = this.found.get(context);
    if (before?.json === json) {
      return before.misfits;
    }
    const misfits = look();
    this.found.set(context, { json, misfits });
    return misfits;
  }
}

/** One map, and how a reader finds it. */
export interface SchemaPart {
  readonly map: unknown;
  readonly fields: SchemaFields;
  /** The map as a reader finds it; empty where names alone are clear. */
  readonly where: string;
}

/** Where a part of a document does not fit the schema of its version. */
export function misfitsIn(document: Json, { map, fields, where }: SchemaPart, strimzi: StrimziVersion): Misfit[] {
  const walk = new SchemaWalk(strimzi, isOldApi(document));
  if (isMap(map)) {
    walk.through(map, fields, { where, path: '' });
  } else {
    walk.tell(SchemaFault.MISSING, { where, path: '', name: where }, map);
  }
  return walk.misfits;
}

const isText = (value: unknown) => typeof value === 'string';
const isList = (value: unknown) => Array.isArray(value);

/** Whether a value is what a field takes, as far as one sees it from outside. */
const FITS: Readonly<Record<Shape, (value: unknown) => boolean>> = {
  [Shape.TEXT]: isText,
  [Shape.INTEGER]: Number.isInteger,
  [Shape.NUMBER]: (value) => typeof value === 'number',
  [Shape.BOOLEAN]: (value) => typeof value === 'boolean',
  [Shape.TEXTS]: isList,
  [Shape.TEXT_MAP]: isMap,
  [Shape.MAP]: isMap,
  [Shape.MAPS]: isList,
  [Shape.FREE]: isMap,
  [Shape.FREE_LIST]: isList,
  [Shape.ANYTHING]: () => true,
};

/** The shape of each entry of a list that is looked into. */
const ENTRIES: Readonly<Partial<Record<Shape, Shape>>> = { [Shape.TEXTS]: Shape.TEXT, [Shape.MAPS]: Shape.MAP };

type Place = Pick<Misfit, 'where' | 'path' | 'name'>;

class SchemaWalk {
  public readonly misfits: Misfit[] = [];

  public constructor(
    private readonly strimzi: StrimziVersion,
    private readonly oldApi: boolean,
  ) {}

  public through(map: Json, fields: SchemaFields, above: Omit<Place, 'name'>): void {
    for (const name of requiredOf(fields)) {
      if (!isSaid(map[name])) {
        this.tell(SchemaFault.MISSING, below(above, name), undefined);
      }
    }
    for (const name of Object.keys(map)) {
      if (isSaid(map[name])) {
        this.field(map[name], fields, below(above, name));
      }
    }
  }

  public tell(
    fault: SchemaFault,
    place: Place,
    value: unknown,
    more: Pick<Partial<Misfit>, 'takes' | 'since' | 'siblings'> = {},
  ): void {
    this.misfits.push({ siblings: [], ...more, ...place, fault, value: shown(value) });
  }

  private field(value: unknown, fields: SchemaFields, place: Place): void {
    const field = Object.hasOwn(fields, place.name) ? fields[place.name] : undefined;
    if (!field) {
      this.tell(SchemaFault.UNKNOWN, place, value, { siblings: Object.keys(fields) });
    } else if (field.oldApi && !this.oldApi) {
      this.tell(SchemaFault.REMOVED, place, value);
    } else if (field.since !== undefined && !reaches(this.strimzi, field.since)) {
      this.tell(SchemaFault.TOO_NEW, place, value, { since: field.since });
    } else {
      this.inside(value, field, place);
    }
  }

  private inside(value: unknown, field: SchemaField, place: Place): void {
    const { shape, fields = {} } = field;
    const entries = ENTRIES[shape];
    if (!FITS[shape](value)) {
      this.tell(SchemaFault.SHAPE, place, value, { takes: shape });
    } else if (isText(value) && field.words) {
      this.word(value as string, field, place);
    } else if (isText(value) || typeof value === 'number') {
      this.limits(value as string | number, field, place);
    } else if (shape === Shape.TEXT_MAP) {
      this.texts(value as Json, place);
    } else if (shape === Shape.MAP) {
      this.through(value as Json, fields, place);
    } else if (entries !== undefined) {
      for (const [i, one] of (value as unknown[]).entries()) {
        this.inside(one, { ...field, shape: entries }, { ...place, where: `${place.where}[${i}]` });
      }
    }
  }

  private word(value: string, field: SchemaField, place: Place): void {
    const { words = [], wordsSince = {}, oldApiWords = [] } = field;
    const since = Object.hasOwn(wordsSince, value) ? wordsSince[value] : undefined;
    if (since !== undefined && !reaches(this.strimzi, since)) {
      this.tell(SchemaFault.TOO_NEW, place, value, { since });
    } else if (oldApiWords.includes(value) && !this.oldApi) {
      this.tell(SchemaFault.REMOVED, place, value);
    } else if (!words.includes(value)) {
      const taken = words
        .filter((word) => this.oldApi || !oldApiWords.includes(word))
        .filter((word) => wordsSince[word] === undefined || reaches(this.strimzi, wordsSince[word]));
      this.tell(SchemaFault.WORD, place, value, { takes: taken.join(', ') });
    }
  }

  private limits(value: string | number, field: SchemaField, place: Place): void {
    const { shape, pattern, atLeast = -Infinity, atMost = Infinity } = field;
    if (typeof value === 'string' ? pattern?.test(value) === false : value < atLeast || value > atMost) {
      const limit = (value as number) < atLeast ? `at least ${atLeast}` : `at most ${atMost}`;
      this.tell(SchemaFault.SHAPE, place, value, { takes: field.takes ?? `${shape}, ${limit}` });
    }
  }

  private texts(map: Json, { where, path }: Place): void {
    for (const name of Object.keys(map)) {
      if (isSaid(map[name]) && !isText(map[name])) {
        const place = { where: `${where}['${name}']`, path: `${path}.${name}`, name };
        this.tell(SchemaFault.SHAPE, place, map[name], { takes: `${Shape.TEXT}, so quote it` });
      }
    }
  }
}

/** The names of required fields: the same few maps of fields are asked again and again. */
const required = new WeakMap<SchemaFields, readonly string[]>();

function requiredOf(fields: SchemaFields): readonly string[] {
  let names = required.get(fields);
  if (!names) {
    names = Object.keys(fields).filter((name) => fields[name].required);
    required.set(fields, names);
  }
  return names;
}

/** Names that need no quotes. */
const PLAIN = /^[-\w]+$/;

function below({ where, path }: Omit<Place, 'name'>, name: string): Place {
  const found = !PLAIN.test(name) ? `${where}['${name}']` : where === '' ? name : `${where}.${name}`;
  return { where: found, path: path === '' ? name : `${path}.${name}`, name };
}

import type { Json } from '../../contract/late-rendering';
import { isMap } from '../../rules/service-json';
import { isSaid, shown } from '../document/kafka-json';
import type { ListenerContext } from '../document/kafka-rule';
import { reaches } from '../strimzi/reaches';
import { STRIMZI_API, STRIMZI_GROUP } from '../strimzi/strimzi.facts';
import type { StrimziVersion } from '../strimzi/strimzi-version';
import { LISTENER_FIELDS, type ListenerField, OLD_API_WORDS, Shape, WORDS_SINCE } from './listener-schema.facts';

/** One way in which a listener does not fit the schema of its version. */
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

/** Where a listener does not fit, and why. */
export interface Misfit {
  readonly fault: SchemaFault;
  /** The field as a reader finds it: `configuration.brokers[1].host`. */
  readonly where: string;
  /** What stands there, as text. */
  readonly value?: string;
  /** What the field takes. */
  readonly takes?: string;
  /** The first version that has it. */
  readonly since?: string;
}

/** What was found in the listener that is being judged: several rules ask. */
const judged = new WeakMap<ListenerContext, { readonly listener: Json; readonly misfits: readonly Misfit[] }>();

/**
 * Where one listener does not fit the schema. It is looked through once for each context: who judges a listener makes a
 * context of its own for it.
 */
export function misfitsOf(kafka: Json, listener: Json, context: ListenerContext): readonly Misfit[] {
  const before = judged.get(context);
  if (before?.listener === listener) {
    return before.misfits;
  }
  const walk = new SchemaWalk(context.strimzi, isOldApi(kafka));
  walk.through(listener, '', '');
  judged.set(context, { listener, misfits: walk.misfits });
  return walk.misfits;
}

/** Whether the document is not written in API version `v1`, which knows less than those before it. */
export function isOldApi(kafka: Json): boolean {
  return kafka.apiVersion !== `${STRIMZI_GROUP}/${STRIMZI_API}`;
}

/** Names of the required fields, by the path of the map in which they stand. */
const REQUIRED = new Map<string, string[]>();
for (const [path, { required }] of Object.entries(LISTENER_FIELDS)) {
  if (required) {
    const dot = path.lastIndexOf('.');
    const parent = path.slice(0, Math.max(dot, 0));
    REQUIRED.set(parent, [...(REQUIRED.get(parent) ?? []), path.slice(dot + 1)]);
  }
}

const isText = (value: unknown) => typeof value === 'string';
const isList = (value: unknown) => Array.isArray(value);

/** Whether a value is what a field takes, as far as one sees it from outside. */
const FITS: Readonly<Record<Shape, (value: unknown) => boolean>> = {
  [Shape.TEXT]: isText,
  [Shape.INTEGER]: (value) => Number.isInteger(value),
  [Shape.BOOLEAN]: (value) => typeof value === 'boolean',
  [Shape.TEXTS]: isList,
  [Shape.TEXT_MAP]: isMap,
  [Shape.MAP]: isMap,
  [Shape.MAPS]: isList,
  [Shape.FREE]: isMap,
  [Shape.FREE_LIST]: isList,
};

class SchemaWalk {
  public readonly misfits: Misfit[] = [];

  public constructor(
    private readonly strimzi: StrimziVersion,
    private readonly oldApi: boolean,
  ) {}

  /** Through one map: `path` is the one of the schema, `where` the one of the document. */
  public through(map: Json, path: string, where: string): void {
    for (const name of REQUIRED.get(path) ?? []) {
      if (!isSaid(map[name])) {
        this.misfits.push({ fault: SchemaFault.MISSING, where: below(where, name) });
      }
    }
    for (const name of Object.keys(map)) {
      if (isSaid(map[name])) {
        this.field(map[name], below(path, name), below(where, name));
      }
    }
  }

  private field(value: unknown, path: string, where: string): void {
    const field = Object.hasOwn(LISTENER_FIELDS, path) ? LISTENER_FIELDS[path] : undefined;
    if (!field) {
      this.misfits.push({ fault: SchemaFault.UNKNOWN, where, value: shown(value) });
    } else if (field.oldApi && !this.oldApi) {
      this.misfits.push({ fault: SchemaFault.REMOVED, where, value: shown(value) });
    } else if (field.since !== undefined && !reaches(this.strimzi, field.since)) {
      this.misfits.push({ fault: SchemaFault.TOO_NEW, where, value: shown(value), since: field.since });
    } else {
      this.inside(value, field, path, where);
    }
  }

  private inside(value: unknown, field: ListenerField, path: string, where: string): void {
    if (!FITS[field.shape](value)) {
      this.odd(value, where, field.shape);
    } else if (field.shape === Shape.TEXT) {
      this.word(value as string, field, path, where);
    } else if (field.shape === Shape.TEXT_MAP) {
      this.texts(value as Json, where);
    } else if (field.shape === Shape.MAP) {
      this.through(value as Json, path, where);
    } else if (field.shape === Shape.TEXTS || field.shape === Shape.MAPS) {
      this.each(value as unknown[], field, path, where);
    }
  }

  private odd(value: unknown, where: string, takes: string): void {
    this.misfits.push({ fault: SchemaFault.SHAPE, where, value: shown(value), takes });
  }

  private each(values: readonly unknown[], field: ListenerField, path: string, where: string): void {
    const shape = field.shape === Shape.MAPS ? Shape.MAP : Shape.TEXT;
    for (const [i, one] of values.entries()) {
      this.inside(one, { ...field, shape }, path, `${where}[${i}]`);
    }
  }

  private texts(map: Json, where: string): void {
    for (const key of Object.keys(map)) {
      if (typeof map[key] !== 'string') {
        this.odd(map[key], `${where}['${key}']`, `${Shape.TEXT}, so quote it`);
      }
    }
  }

  private word(value: string, { words }: ListenerField, path: string, where: string): void {
    if (!words) {
      return;
    }
    const since = Object.hasOwn(WORDS_SINCE, path) ? WORDS_SINCE[path][value] : undefined;
    const old = Object.hasOwn(OLD_API_WORDS, path) ? OLD_API_WORDS[path] : [];
    if (since !== undefined && !reaches(this.strimzi, since)) {
      this.misfits.push({ fault: SchemaFault.TOO_NEW, where, value: shown(value), since });
    } else if (old.includes(value) && !this.oldApi) {
      this.misfits.push({ fault: SchemaFault.REMOVED, where, value: shown(value) });
    } else if (!words.includes(value)) {
      const takes = this.taken(path, words, old).join(', ');
      this.misfits.push({ fault: SchemaFault.WORD, where, value: shown(value), takes });
    }
  }

  /** The words that this version takes. */
  private taken(path: string, words: readonly string[], old: readonly string[]): string[] {
    const since = Object.hasOwn(WORDS_SINCE, path) ? WORDS_SINCE[path] : {};
    return words
      .filter((word) => this.oldApi || !old.includes(word))
      .filter((word) => since[word] === undefined || reaches(this.strimzi, since[word]));
  }
}

function below(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

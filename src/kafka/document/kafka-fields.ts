import type { Json } from '../../contract/late-rendering';
import { isMap } from '../../rules/service-json';
import { isOldApi } from '../listener/listener-schema';
import { Shape } from '../listener/listener-schema.facts';
import { reaches } from '../strimzi/reaches';
import type { StrimziVersion } from '../strimzi/strimzi-version';
import { ANYTHING, KAFKA_FIELDS, type KafkaField, type KafkaFields, NUMBER } from './kafka-fields.facts';
import { isSaid, mapAt, shown } from './kafka-json';

/** One way in which a Kafka resource does not fit the schema of its version. */
export enum FieldFault {
  /** Something else stands there than the field takes. */
  SHAPE,
  /** Nothing stands where something must. */
  MISSING,
  /** No version has such a field. */
  UNKNOWN,
  /** A later version has it. */
  TOO_NEW,
}

/** Where a Kafka resource does not fit, and why. */
export interface FieldMisfit {
  readonly fault: FieldFault;
  /** The field as a reader finds it: `spec.kafka.rack.type`. */
  readonly where: string;
  readonly name: string;
  /** What stands there, as text. */
  readonly value: string;
  /** What the field takes. */
  readonly takes?: string;
  /** The first version that has it. */
  readonly since?: string;
  /** The fields that stand beside it. */
  readonly siblings: readonly string[];
}

/** Where a Kafka resource does not fit the schema, beside its listeners. */
export function fieldMisfits(kafka: Json, strimzi: StrimziVersion): readonly FieldMisfit[] {
  const walk = new FieldWalk(strimzi, isOldApi(kafka));
  walk.through(mapAt(kafka, 'spec'), KAFKA_FIELDS, 'spec');
  return walk.misfits;
}

/** Where a field of this name stands, as high up as there is one. */
export function placeOf(name: string): string | undefined {
  let level: readonly (readonly [string, KafkaFields])[] = [['spec', KAFKA_FIELDS]];
  while (level.length > 0) {
    const found = level.find(([, fields]) => Object.hasOwn(fields, name));
    if (found) {
      return `${found[0]}.${name}`;
    }
    level = level.flatMap(([path, fields]) =>
      Object.entries(fields).flatMap(([key, { fields: inner }]) => (inner ? [[`${path}.${key}`, inner] as const] : [])),
    );
  }
  return undefined;
}

const FITS: Readonly<Record<KafkaField['shape'], (value: unknown) => boolean>> = {
  [Shape.TEXT]: (value) => typeof value === 'string',
  [Shape.INTEGER]: (value) => Number.isInteger(value),
  [Shape.BOOLEAN]: (value) => typeof value === 'boolean',
  [Shape.TEXTS]: Array.isArray,
  [Shape.TEXT_MAP]: isMap,
  [Shape.MAP]: isMap,
  [Shape.MAPS]: Array.isArray,
  [Shape.FREE]: isMap,
  [Shape.FREE_LIST]: Array.isArray,
  [NUMBER]: (value) => typeof value === 'number',
  [ANYTHING]: () => true,
};

class FieldWalk {
  public readonly misfits: FieldMisfit[] = [];

  public constructor(
    private readonly strimzi: StrimziVersion,
    private readonly oldApi: boolean,
  ) {}

  public through(map: Json, fields: KafkaFields, where: string): void {
    for (const name of Object.keys(fields)) {
      if (fields[name].required && !isSaid(map[name])) {
        this.tell(FieldFault.MISSING, where, name, undefined, {});
      }
    }
    for (const name of Object.keys(map)) {
      if (isSaid(map[name])) {
        this.field(map[name], fields, where, name);
      }
    }
  }

  private field(value: unknown, fields: KafkaFields, where: string, name: string): void {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (!field) {
      this.tell(FieldFault.UNKNOWN, where, name, value, { siblings: Object.keys(fields) });
    } else if (field.since !== undefined && !reaches(this.strimzi, field.since)) {
      this.tell(FieldFault.TOO_NEW, where, name, value, { since: field.since });
    } else if (!field.oldApi || this.oldApi) {
      this.inside(value, field, where, name);
    }
  }

  private inside(value: unknown, field: KafkaField, where: string, name: string): void {
    const since = typeof value === 'string' ? field.wordsSince?.[value] : undefined;
    const takes = FITS[field.shape](value) ? limitBrokenBy(value, field) : field.shape;
    if (takes !== undefined) {
      this.tell(FieldFault.SHAPE, where, name, value, { takes });
    } else if (since !== undefined && !reaches(this.strimzi, since)) {
      this.tell(FieldFault.TOO_NEW, where, name, value, { since });
    } else if (field.shape === Shape.MAP) {
      this.through(value as Json, field.fields as KafkaFields, `${where}.${name}`);
    } else if (field.shape === Shape.TEXT_MAP) {
      this.texts(value as Json, `${where}.${name}`);
    } else if (field.shape === Shape.TEXTS || field.shape === Shape.MAPS) {
      const shape = field.shape === Shape.TEXTS ? Shape.TEXT : Shape.MAP;
      for (const [i, one] of (value as unknown[]).entries()) {
        this.inside(one, { ...field, shape }, where, `${name}[${i}]`);
      }
    }
  }

  private texts(map: Json, where: string): void {
    for (const key of Object.keys(map)) {
      if (isSaid(map[key]) && typeof map[key] !== 'string') {
        this.tell(FieldFault.SHAPE, where, key, map[key], { takes: `${Shape.TEXT}, so quote it` });
      }
    }
  }

  private tell(
    fault: FieldFault,
    where: string,
    name: string,
    value: unknown,
    more: Pick<Partial<FieldMisfit>, 'takes' | 'since' | 'siblings'>,
  ): void {
    const key = /^[-\w[\]]+$/.test(name) ? `.${name}` : `['${name}']`;
    this.misfits.push({ siblings: [], ...more, fault, where: `${where}${key}`, name, value: shown(value) });
  }
}

/** What a value of the right shape does not keep, in words. */
function limitBrokenBy(value: unknown, field: KafkaField): string | undefined {
  const { shape, words, pattern, looksLike, atLeast = -Infinity, atMost = Infinity } = field;
  if (shape === Shape.TEXT) {
    const isOdd = pattern !== undefined && !pattern.test(value as string);
    const isUnknown = words !== undefined && !words.includes(value as string);
    return isUnknown ? `one of ${words.join(', ')}` : isOdd ? looksLike : undefined;
  }
  if (typeof value === 'number' && value < atLeast) {
    return `${shape}, at least ${atLeast}`;
  }
  return typeof value === 'number' && value > atMost ? `${shape}, at most ${atMost}` : undefined;
}

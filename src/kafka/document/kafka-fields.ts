import type { Json } from '../../contract/json';
import type { SchemaFields } from '../../contract/schema/field';
import { type Misfit, misfitsIn } from '../../contract/schema/walk';
import { releaseReading } from '../strimzi/served-api';
import { KAFKA_FIELDS } from './kafka-fields.facts';
import { mapAt } from './kafka-json';
import type { ListenerContext } from './kafka-rule';

const found = new WeakMap<ListenerContext, { readonly json: Json; readonly misfits: readonly Misfit[] }>();

/** Where a Kafka resource does not fit the schema of its version, beside its listeners. */
export function fieldMisfits(kafka: Json, context: ListenerContext): readonly Misfit[] {
  const before = found.get(context);
  if (before?.json === kafka) {
    return before.misfits;
  }
  const release = releaseReading(kafka, context.strimzi);
  const misfits = misfitsIn({ map: mapAt(kafka, 'spec'), fields: KAFKA_FIELDS, where: 'spec', at: '/spec', release });
  found.set(context, { json: kafka, misfits });
  return misfits;
}

/** Where a field of this name stands, as high up as there is one. */
export function placeOf(name: string): string | undefined {
  let level: readonly (readonly [string, SchemaFields])[] = [['spec', KAFKA_FIELDS]];
  while (level.length > 0) {
    const place = level.find(([, fields]) => Object.hasOwn(fields, name));
    if (place) {
      return `${place[0]}.${name}`;
    }
    level = level.flatMap(([path, fields]) =>
      Object.entries(fields).flatMap(([key, { fields: inner }]) => (inner ? [[`${path}.${key}`, inner] as const] : [])),
    );
  }
  return undefined;
}

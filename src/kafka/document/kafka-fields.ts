import type { Json } from '../../contract/json';
import { KAFKA_FIELDS } from './kafka-fields.facts';
import { mapAt } from './kafka-json';
import type { ListenerContext } from './kafka-rule';
import type { SchemaFields } from './schema-field';
import { FoundMisfits, type Misfit, misfitsIn } from './schema-walk';

const found = new FoundMisfits<ListenerContext>();

/** Where a Kafka resource does not fit the schema of its version, beside its listeners. */
export function fieldMisfits(kafka: Json, context: ListenerContext): readonly Misfit[] {
  return found.of(kafka, context, () =>
    misfitsIn(kafka, { map: mapAt(kafka, 'spec'), fields: KAFKA_FIELDS, where: 'spec' }, context.strimzi),
  );
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

import type { Json } from '../../contract/json';
import type { ListenerContext } from '../document/kafka-rule';
import { fieldsWithin } from '../document/schema-field';
import { FoundMisfits, type Misfit, misfitsIn } from '../document/schema-walk';
import { LISTENER_FIELDS } from './listener-schema.facts';

const FIELDS = fieldsWithin(LISTENER_FIELDS);
const found = new FoundMisfits<ListenerContext>();

/** Where one listener does not fit the schema of its version. */
export function misfitsOf(kafka: Json, listener: Json, context: ListenerContext): readonly Misfit[] {
  return found.of(listener, context, () =>
    misfitsIn(kafka, { map: listener, fields: FIELDS, where: '' }, context.strimzi),
  );
}

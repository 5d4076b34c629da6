import type { Json } from '../../contract/json';
import type { SchemaField } from '../../contract/schema/field';
import { type SchemaSubject, schemaRules } from '../../contract/schema/rules';
import { SchemaFault } from '../../contract/schema/walk';
import type { Rule } from '../../rules/rule';
import type { ObjectContext } from '../../rules/rule-context';
import { DEFINITIONS_OF } from './kinds.facts';

/**
 * What the definition of a kind refuses or drops of its objects.
 *
 * @param specOf the schema of `spec`; nothing where it is not known for an object
 */
export function kindRules(
  subject: Pick<SchemaSubject<ObjectContext>, 'prefix' | 'called' | 'source'>,
  specOf: (object: Json) => SchemaField | undefined,
): readonly Rule<ObjectContext>[] {
  return schemaRules<ObjectContext>({
    ...subject,
    faults: [SchemaFault.MISSING, SchemaFault.SHAPE, SchemaFault.VALUE, SchemaFault.UNKNOWN],
    warnings: [SchemaFault.UNKNOWN],
    part(object) {
      const fields = specOf(object)?.fields;
      return fields && { map: object.spec, fields, where: 'spec', at: '/spec', release: RELEASE };
    },
  });
}

const RELEASE = {
  product: 'the AWS Load Balancer Controller',
  version: DEFINITIONS_OF,
  readFrom: '3.3.0',
  oldApi: false,
  has: () => true,
};

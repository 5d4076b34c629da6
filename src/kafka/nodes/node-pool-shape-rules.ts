import type { Finding } from '../../rules/rule';
import { missingField, oddField, tooNewField, unknownField, unknownWord } from '../document/schema-verdicts';
import { type Misfit, SchemaFault } from '../document/schema-walk';
import { ELSEWHERE } from './node-pool.facts';
import { type NodePoolRule, POOL_SCHEMA, poolError } from './node-pool-rule';
import { misfitsOfPool } from './node-pool-schema';

// What the schema of a node pool says: the API server refuses some of it, and drops the rest without a word, unless it is
// asked to be strict.

/** A rule about one way in which a node pool does not fit the schema of its version. */
function schemaRule(
  id: string,
  says: string,
  fault: SchemaFault,
  tell: (misfit: Misfit, strimzi: string) => Finding,
): NodePoolRule {
  return poolError(
    id,
    says,
    (pool, context) =>
      misfitsOfPool(pool, context)
        .filter((misfit) => misfit.fault === fault)
        .map((misfit) => tell(misfit, context.strimzi.version)),
    POOL_SCHEMA,
  );
}

/** What the schema of the version refuses or drops. */
export const NODE_POOL_SHAPE_RULES: readonly NodePoolRule[] = [
  schemaRule(
    'node-pool-field-missing',
    'a node pool has replicas, roles and storage',
    SchemaFault.MISSING,
    missingField,
  ),
  schemaRule(
    'node-pool-field-shape',
    'a field of a node pool holds what the schema takes',
    SchemaFault.SHAPE,
    oddField,
  ),
  schemaRule(
    'node-pool-word',
    'a field of a node pool that takes some words only holds one of them, as it is spelt',
    SchemaFault.WORD,
    unknownWord,
  ),
  schemaRule(
    'node-pool-field-unknown',
    'a node pool has no field that Strimzi does not know',
    SchemaFault.UNKNOWN,
    (misfit, strimzi) =>
      unknownField(misfit, strimzi, Object.hasOwn(ELSEWHERE, misfit.path) ? ELSEWHERE[misfit.path] : undefined),
  ),
  schemaRule(
    'node-pool-field-since',
    'a node pool has no field that is newer than its operator',
    SchemaFault.TOO_NEW,
    tooNewField,
  ),
  schemaRule(
    'node-pool-field-removed',
    'a node pool in API version v1 says nothing of the storage of single brokers',
    SchemaFault.REMOVED,
    ({ where, value }) => ({
      what: `${where} does not exist in API version v1`,
      remedy: 'make a node pool for each storage class',
      value,
    }),
  ),
];

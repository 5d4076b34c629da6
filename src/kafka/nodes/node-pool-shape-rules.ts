import type { Json } from '../../contract/json';
import { fieldsWithin } from '../../contract/schema/field';
import { schemaRules } from '../../contract/schema/rules';
import { releaseReading } from '../strimzi/served-api';
import { ELSEWHERE, NODE_POOL_FIELDS } from './node-pool.facts';
import { type NodePoolContext, type NodePoolRule, POOL_SCHEMA } from './node-pool-rule';

const FIELDS = fieldsWithin(NODE_POOL_FIELDS);

/** What the schema of the release refuses or drops. */
export const NODE_POOL_SHAPE_RULES: readonly NodePoolRule[] = schemaRules<[pool: Json, context: NodePoolContext]>({
  prefix: 'node-pool',
  called: 'a node pool',
  source: POOL_SCHEMA,
  part: (pool, { strimzi }) => ({
    map: pool.spec,
    fields: FIELDS,
    where: 'spec',
    at: '/spec',
    release: releaseReading(pool, strimzi),
  }),
  remedy: ({ path }) => (Object.hasOwn(ELSEWHERE, path) ? ELSEWHERE[path] : undefined),
});

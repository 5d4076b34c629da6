import type { Json } from '../../contract/json';
import { fieldsWithin } from '../document/schema-field';
import { FoundMisfits, type Misfit, misfitsIn } from '../document/schema-walk';
import { NODE_POOL_FIELDS } from './node-pool.facts';
import type { NodePoolContext } from './node-pool-rule';

const FIELDS = fieldsWithin(NODE_POOL_FIELDS);
const found = new FoundMisfits<NodePoolContext>();

/** Where a node pool does not fit the schema of its version. */
export function misfitsOfPool(pool: Json, context: NodePoolContext): readonly Misfit[] {
  return found.of(pool, context, () =>
    misfitsIn(pool, { map: pool.spec, fields: FIELDS, where: 'spec' }, context.strimzi),
  );
}

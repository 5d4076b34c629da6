import type { Json } from '../../contract/json';
import { judgementOf } from '../../rules/judgement-of';
import type { Judgement } from '../../rules/rule';
import { OPERATOR } from '../document/kafka-rule';
import { NODE_POOL_IDENTITY_RULES } from './node-pool-identity-rules';
import { NODE_POOL_RESOURCE_RULES } from './node-pool-resource-rules';
import type { NodePoolContext, NodePoolRule } from './node-pool-rule';
import { NODE_POOL_SHAPE_RULES } from './node-pool-shape-rules';
import { NODE_POOL_STORAGE_RULES } from './node-pool-storage-rules';
import { NODE_POOL_TEMPLATE_RULES } from './node-pool-template-rules';

/** All rules about one KafkaNodePool document. */
export const NODE_POOL_RULES: readonly NodePoolRule[] = [
  ...NODE_POOL_SHAPE_RULES,
  ...NODE_POOL_IDENTITY_RULES,
  ...NODE_POOL_STORAGE_RULES,
  ...NODE_POOL_RESOURCE_RULES,
  ...NODE_POOL_TEMPLATE_RULES,
];

/** Judges a finished KafkaNodePool document by itself. */
export function judgeNodePool(pool: Json, context: NodePoolContext): Judgement {
  const own = { ...context };
  return judgementOf(NODE_POOL_RULES, OPERATOR, (rule) => rule.judge(pool, own));
}

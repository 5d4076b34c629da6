import type { Json } from '../../contract/json';
import { judgementOf } from '../../rules/judgement-of';
import type { Judgement } from '../../rules/rule';
import { OPERATOR } from '../document/kafka-rule';
import { CLUSTER_NODE_RULES } from './cluster-node-rules';
import type { ClusterContext, ClusterRule } from './cluster-rule';
import { CLUSTER_TEMPLATE_RULES } from './cluster-template-rules';

/** All rules about what a Kafka document and its KafkaNodePool documents say together. */
export const CLUSTER_RULES: readonly ClusterRule[] = [...CLUSTER_NODE_RULES, ...CLUSTER_TEMPLATE_RULES];

/** Judges the node pools of a cluster with it. */
export function judgePools(kafka: Json, pools: readonly Json[], context: ClusterContext): Judgement {
  return judgementOf(CLUSTER_RULES, OPERATOR, (rule) => rule.judge(kafka, pools, context));
}

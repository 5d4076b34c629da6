import type { Json } from '../../contract/json';
import type { Judgement } from '../../rules/judgement';
import type { Rule } from '../../rules/rule';
import { RuleSet } from '../../rules/rule-set';
import { KafkaNodeRole } from '../strimzi/kafka-node-role';
import { MIGRATING, POOLS_MODEL } from '../strimzi/node-pool.facts';
import { NEXT_NODE_IDS_ANNOTATION } from '../strimzi/operator-services.facts';
import { CLUSTER_IDENTITY_RULES, forEachTwo } from './cluster-identity-rules';
import { CLUSTER_TEMPLATE_RULES } from './cluster-template-rules';
import { OPERATOR } from './kafka-context';
import {
  annotationOf,
  type ClusterContext,
  hasRole,
  KRAFT_ANNOTATION,
  NODE_POOLS_ANNOTATION,
  nextIdsOf,
  poolName,
  poolTitle,
  readsPools,
  runsKraft,
  withRole,
} from './pool-json';

/** The ids in two ranges; most ranges are apart. */
function inBoth(one: readonly number[], other: readonly number[]): number[] {
  if (Math.max(...one) < Math.min(...other) || Math.max(...other) < Math.min(...one)) {
    return [];
  }
  const ids = new Set(one);
  return other.filter((id) => ids.has(id));
}

/** Which nodes a cluster has by its node pools, and which ids they get. */
const NODE_RULES: readonly Rule<ClusterContext>[] = [
  {
    id: 'pools-unread',
    severity: 'warning',
    says: 'a cluster with node pools enables them',
    source: POOLS_MODEL,
    judge: (kafka, { strimzi, pools }) =>
      pools.length === 0 || readsPools(kafka, strimzi)
        ? undefined
        : {
            what: `annotation ${NODE_POOLS_ANNOTATION} of the Kafka resource is not 'enabled', without which Strimzi ${strimzi.version} ignores node pools`,
            remedy: `write ${NODE_POOLS_ANNOTATION}: enabled, or remove the node pools`,
          },
  },
  {
    id: 'pools-roles',
    severity: 'error',
    says: 'a cluster has a broker and a controller',
    source: POOLS_MODEL,
    needs: ['hasAllPools'],
    judge: (kafka, { strimzi, pools }) =>
      runsKraft(kafka, strimzi)
        ? Object.values(KafkaNodeRole)
            .filter((role) => withRole(pools, role).nodes === 0)
            .map((role) => ({
              what: `no node pool has the role ${role} and a replica, without which the operator does not reconcile the cluster`,
              remedy: `give the role to one with replicas, or add a node pool of ${role}s`,
              value: role,
            }))
        : undefined,
  },
  {
    id: 'pools-controllers',
    severity: 'error',
    says: 'a cluster with ZooKeeper has no controllers',
    source: POOLS_MODEL,
    judge: (kafka, { strimzi, pools }) =>
      readsPools(kafka, strimzi) &&
      !runsKraft(kafka, strimzi) &&
      !MIGRATING.includes(annotationOf(kafka, KRAFT_ANNOTATION))
        ? pools
            .filter((pool) => hasRole(pool, KafkaNodeRole.CONTROLLER))
            .map((pool) => ({
              what: `${poolTitle(pool)} has the role controller, and annotation ${KRAFT_ANNOTATION} of the Kafka resource is not 'enabled', so that Strimzi ${strimzi.version} does not reconcile the cluster`,
              remedy: `write ${KRAFT_ANNOTATION}: enabled for a new cluster, or remove the role`,
              value: poolName(pool),
            }))
        : undefined,
  },
  {
    id: 'pools-ids',
    severity: 'warning',
    says: 'the node pools of a cluster have different ids',
    source: POOLS_MODEL,
    judge: (_, { pools }) =>
      forEachTwo(pools, (one, other) => {
        const both = inBoth(nextIdsOf(one) ?? [], nextIdsOf(other) ?? []);
        return both.length === 0
          ? undefined
          : {
              what: `${poolTitle(one)} and ${poolTitle(other)} both have id ${both[0]}${both.length > 1 ? ` and ${both.length - 1} more` : ''} in ${NEXT_NODE_IDS_ANNOTATION}, so that which of them gets it depends on the order of their nodes`,
              remedy: 'give each a range of its own',
              value: String(both[0]),
            };
      }),
  },
];

/** All rules about what a Kafka document and its KafkaNodePool documents decide together. */
export const CLUSTER_RULES: readonly Rule<ClusterContext>[] = [
  ...NODE_RULES,
  ...CLUSTER_IDENTITY_RULES,
  ...CLUSTER_TEMPLATE_RULES,
];

const RULES = new RuleSet(CLUSTER_RULES, OPERATOR);

/** Validates a Kafka document with its node pools. */
export function judgePools(kafka: Json, context: ClusterContext): Judgement {
  return RULES.judge(kafka, context);
}

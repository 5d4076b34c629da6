import type { LoadBalancerFinding } from '../../contract/load-balancer-finding';
import { lookAt } from '../../rules/judge-object';
import type { NodePoolDocument } from '../operator/node-pool-ids';
import { KafkaNodeRole } from './kafka-node-role';
import { POOLS_MODEL } from './node-pool.facts';
import { differences, saidIn } from './node-pool-said';

/** What was counted stays as it is. */
export const NODE_POOL_CHANGED = {
  id: 'node-pool-changed',
  severity: 'error',
  says: 'a KafkaNodePool is as it was when KafkaCluster.fromManifest counted its brokers',
  source: POOLS_MODEL,
} as const;

/** Node pools that were changed after a cluster was read from manifests: its brokers are counted as they were then. */
export function changedPools(pools: readonly NodePoolDocument[]): LoadBalancerFinding[] {
  return pools.flatMap(({ name, object, said: before }) => {
    if (!before) {
      return [];
    }
    const now = saidIn(lookAt(object));
    const isOfBrokers = [before, now].some(({ roles }) => roles.includes(KafkaNodeRole.BROKER));
    return (isOfBrokers ? differences(before, now) : []).map(({ where, before: old, now: fresh }) => ({
      ruleId: NODE_POOL_CHANGED.id,
      who: 'strimzi',
      what: `${where} of KafkaNodePool ${name} is ${fresh}, and was ${old} when KafkaCluster.fromManifest counted its brokers and their balancers`,
      remedy: 'change it before fromManifest',
      value: fresh,
    }));
  });
}

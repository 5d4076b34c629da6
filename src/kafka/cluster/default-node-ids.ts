import { KafkaNodeRole } from '../strimzi/kafka-node-role';
import { KafkaNodeIds } from './kafka-node-ids';
import type { KafkaNodePool, KafkaNodePoolProps } from './kafka-node-pool';

// Ids never depend on the order in which pools are made: a pool that is put before another must not move its brokers.

const BROKERS = KafkaNodeIds.between(0, 99);
const CONTROLLERS = KafkaNodeIds.between(900, 999);

/** The pools whose ids are not set. */
const UNSAID = new WeakSet<KafkaNodePool>();

/** The ids for the nodes of a pool: as they are set, or those that only one pool of its sort can have. */
export function idsFor(pool: KafkaNodePool, props: KafkaNodePoolProps): KafkaNodeIds {
  const { kafka, name, replicas, nodeIds, roles } = props;
  const isBroker = roles.includes(KafkaNodeRole.BROKER);
  const ids = nodeIds ?? (isBroker ? BROKERS : CONTROLLERS);
  const fail = (what: string, remedy: string): never => {
    throw new Error(`${pool.node.path}: node pool '${name}' ${what}; ${remedy}`);
  };
  if (!nodeIds) {
    const other = kafka.nodePools.find((present) => UNSAID.has(present) && present.isBroker === isBroker);
    const sort = isBroker ? 'brokers' : 'controllers';
    if (other) {
      fail(
        `and '${other.poolName}' are both pools of ${sort} and leave nodeIds out, so both would have ${ids._annotation()}`,
        'set nodeIds of the one that is new, such as KafkaNodeIds.between(100, 199)',
      );
    }
    UNSAID.add(pool);
  }
  if (ids.ids.length < replicas) {
    fail(
      `has ${replicas} replicas, and ${ids.ids.length} ids (${ids._annotation()}): the others would get whichever ids are free`,
      'set nodeIds with an id for every replica',
    );
  }
  return ids;
}

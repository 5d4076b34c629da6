import type { Size } from 'cdk8s';
import { refuseWrongValue } from '../../contract/declared-types';
import type { Json } from '../../contract/json';

/**
 * Where the nodes of a pool keep their data, as far as every pool must have it; classes, several volumes and what happens to
 * claims are plain data under `storage` in `spec` of the pool. The type is chosen once: the operator ignores a change of it,
 * and with it all other changes of the storage. So a pool that may need a second volume one day begins with `jbod` of one.
 */
export class KafkaStorage {
  /**
   * One persistent volume for each node. It cannot become `jbod` later: that takes another pool, and moving the partitions.
   *
   * @param size may grow later, where the class allows it, but not shrink
   * @throws when the size is nothing
   */
  public static persistentClaim(size: Size): KafkaStorage {
    refuseWrongValue('KafkaStorage.persistentClaim', 'size', 'Size', size);
    const text = size.asString();
    if (Number.parseFloat(text) === 0) {
      throw new Error(`strimzi: a persistent volume cannot have a size of ${text}; write how much it shall hold`);
    }
    return new KafkaStorage({ type: 'persistent-claim', size: text });
  }

  /**
   * A volume for each node that lives as long as its pod: whatever restarts a pod loses its data, and it copies its
   * partitions from the other brokers. Never for a cluster of one broker or one controller.
   */
  public static ephemeral(): KafkaStorage {
    return new KafkaStorage({ type: 'ephemeral' });
  }

  private constructor(private readonly settings: Json) {}

  /**
   * The `storage` of a node pool.
   *
   * @internal
   */
  public _toJson(): Json {
    return { ...this.settings };
  }
}

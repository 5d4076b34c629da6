import type { Size } from 'cdk8s';
import { refuseWrongProps, refuseWrongValue } from '../../contract/declared-types';
import type { Json } from '../../contract/json';
import type { KafkaEphemeralOptions } from './kafka-ephemeral-options';
import type { KafkaPersistentClaimOptions } from './kafka-persistent-claim-options';
import type { KafkaVolume } from './kafka-volume';
import { STORAGE_TYPES } from './node-pool.facts';
import { claimJson, ephemeralJson } from './storage-json';

/**
 * Where the nodes of a pool keep their data. The type is chosen once: the operator ignores a change of it, and with it
 * all other changes of the storage. So a pool that may need a second volume one day begins with `jbod` of one.
 */
export class KafkaStorage {
  /**
   * One persistent volume for each node. It cannot become `jbod` later: that takes another pool, and moving the partitions.
   *
   * @param size may grow later, where the class allows it, but not shrink
   * @param options how it is claimed
   * @throws when the size is nothing
   */
  public static persistentClaim(size: Size, options: KafkaPersistentClaimOptions = {}): KafkaStorage {
    refuseWrongValue('KafkaStorage.persistentClaim', 'size', 'Size', size);
    refuseWrongProps('KafkaStorage.persistentClaim', 'KafkaPersistentClaimOptions', options);
    return new KafkaStorage(claimJson(size, options));
  }

  /**
   * Several volumes for each node. Volumes may be added and removed later; before one is removed, its partitions have to
   * be moved off it.
   *
   * @param volumes at least one
   * @throws when there is none, two have the same id, or several hold the metadata log
   */
  public static jbod(volumes: KafkaVolume[]): KafkaStorage {
    refuseWrongValue('KafkaStorage.jbod', 'volumes', 'KafkaVolume[]', volumes);
    if (volumes.length === 0) {
      throw new Error('strimzi: storage cannot be jbod without a volume; name at least one');
    }
    const ids = volumes.map(({ id }) => id);
    const twice = ids.find((id, i) => ids.indexOf(id) !== i);
    if (twice !== undefined) {
      throw new Error(`strimzi: two volumes cannot have the id ${twice}; give each an id of its own`);
    }
    const metadata = volumes.filter(({ holdsKraftMetadata }) => holdsKraftMetadata).map(({ id }) => id);
    if (metadata.length > 1) {
      throw new Error(`strimzi: volumes ${metadata.join(', ')} cannot all hold the metadata log; choose one of them`);
    }
    return new KafkaStorage({ type: STORAGE_TYPES.jbod, volumes: volumes.map((volume) => volume._toJson()) });
  }

  /**
   * A volume for each node that lives as long as its pod: whatever restarts a pod loses its data, and it copies its
   * partitions from the other brokers. Never for a cluster of one broker or one controller.
   *
   * @param options its limit
   */
  public static ephemeral(options: KafkaEphemeralOptions = {}): KafkaStorage {
    refuseWrongProps('KafkaStorage.ephemeral', 'KafkaEphemeralOptions', options);
    return new KafkaStorage(ephemeralJson(options));
  }

  private constructor(private readonly settings: Json) {}

  /**
   * The `storage` of a node pool.
   *
   * @internal
   */
  public _toJson(): Json {
    return structuredClone(this.settings);
  }
}

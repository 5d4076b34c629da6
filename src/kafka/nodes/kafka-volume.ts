import type { Size } from 'cdk8s';
import { refuseWrongProps } from '../../contract/declared-types';
import type { Json } from '../../contract/json';
import type { KafkaEphemeralOptions } from './kafka-ephemeral-options';
import type { KafkaPersistentClaimOptions } from './kafka-persistent-claim-options';
import { KRAFT_METADATA_SHARED } from './node-pool.facts';
import { claimJson, ephemeralJson } from './storage-json';

/**
 * What a volume holds that stands among others.
 */
export interface KafkaVolumeClaimOptions extends KafkaPersistentClaimOptions {
  /**
   * Whether the metadata log of the cluster is on this volume, beside its partitions. At most one volume of a pool holds
   * it. Without a word the volume with the lowest id does, so that adding a lower one moves the log.
   *
   * @default - whether it has the lowest id
   */
  readonly holdsKraftMetadata?: boolean;
}

/**
 * The same of a volume that lives as long as its pod.
 */
export interface KafkaEphemeralVolumeOptions extends KafkaEphemeralOptions {
  /**
   * Whether the metadata log of the cluster is on this volume, beside its partitions.
   *
   * @default - whether it has the lowest id
   */
  readonly holdsKraftMetadata?: boolean;
}

/**
 * One of several volumes that each node of a pool has. Its id is part of the name of the claim: a volume that gets the id
 * of another one gets its data as well, and ids need not follow one another.
 */
export class KafkaVolume {
  /**
   * A persistent volume.
   *
   * @param id a whole number from 0, the same for as long as the volume lives
   * @param size may grow later, where the class allows it, but not shrink
   * @param options how it is claimed
   * @throws when the id is no such number, or the size is nothing
   */
  public static persistentClaim(id: number, size: Size, options: KafkaVolumeClaimOptions = {}): KafkaVolume {
    refuseWrongProps('KafkaVolume.persistentClaim', 'KafkaVolumeClaimOptions', options);
    return new KafkaVolume(id, claimJson(size, options), options.holdsKraftMetadata);
  }

  /**
   * A volume that lives as long as its pod: whatever restarts the pod loses what is on it.
   *
   * @param id a whole number from 0
   * @param options its limit
   * @throws when the id is no such number
   */
  public static ephemeral(id: number, options: KafkaEphemeralVolumeOptions = {}): KafkaVolume {
    refuseWrongProps('KafkaVolume.ephemeral', 'KafkaEphemeralVolumeOptions', options);
    return new KafkaVolume(id, ephemeralJson(options), options.holdsKraftMetadata);
  }

  private constructor(
    /** The id of the volume. */
    public readonly id: number,
    private readonly settings: Json,
    /** Whether somebody said that the metadata log is on it. */
    public readonly holdsKraftMetadata: boolean = false,
  ) {
    if (!Number.isInteger(id) || id < 0) {
      throw new Error(`strimzi: ${id} cannot be the id of a volume; write a whole number from 0`);
    }
  }

  /**
   * An entry of the `volumes` of storage.
   *
   * @internal
   */
  public _toJson(): Json {
    return {
      id: this.id,
      ...structuredClone(this.settings),
      ...(this.holdsKraftMetadata && { kraftMetadata: KRAFT_METADATA_SHARED }),
    };
  }
}

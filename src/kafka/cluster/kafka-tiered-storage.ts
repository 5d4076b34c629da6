import { refuseWrongProps } from '../../contract/declared-types';
import type { Json } from '../../contract/json';

/**
 * A plugin that keeps old segments of topics elsewhere.
 */
export interface KafkaRemoteStorageManager {
  /** The class of the plugin, an implementation of Kafka's `RemoteStorageManager`. */
  readonly className: string;

  /** Where its classes lie in the image of the brokers: `/opt/kafka/plugins/tiered-storage/*`. */
  readonly classPath: string;

  /**
   * The options of the plugin, without the prefix `rsm.config.`.
   *
   * @default - none
   */
  readonly config?: { [key: string]: string };
}

/**
 * How brokers move old segments of topics to storage that costs less. Each topic has to ask for it as well, by
 * `remote.storage.enable` in its configuration.
 *
 * @see https://strimzi.io/docs/operators/latest/configuring.html#ref-tiered-storage-str
 */
export class KafkaTieredStorage {
  /**
   * By a plugin that the image of the brokers holds: Strimzi's own images hold none, so this takes an image of your own.
   *
   * @param manager the plugin
   * @throws when the class or its path is empty
   */
  public static custom(manager: KafkaRemoteStorageManager): KafkaTieredStorage {
    refuseWrongProps('KafkaTieredStorage.custom', 'KafkaRemoteStorageManager', manager);
    const { className, classPath, config } = manager;
    if (className === '' || classPath === '') {
      throw new Error(
        `strimzi: tiered storage cannot have an empty ${className === '' ? 'className' : 'classPath'}; name the plugin that the image of the brokers holds`,
      );
    }
    const remoteStorageManager = { className, classPath, ...(config && { config: { ...config } }) };
    return new KafkaTieredStorage({ type: 'custom', remoteStorageManager });
  }

  private constructor(private readonly settings: Json) {}

  /**
   * The `tieredStorage` of a Kafka resource.
   *
   * @internal
   */
  public _toJson(): Json {
    return structuredClone(this.settings);
  }
}

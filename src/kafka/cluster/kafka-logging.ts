import { refuseWrongProps } from '../../contract/declared-types';
import type { Json } from '../../contract/json';
import { configMapKeyJson } from './config-map-key-json';
import { LOGGING } from './kafka-cluster.facts';
import type { KafkaConfigMapKey } from './kafka-config-map-key';

/**
 * What is written to the log of a component.
 *
 * @see https://strimzi.io/docs/operators/latest/deploying#external-logging_str
 */
export class KafkaLogging {
  /**
   * Levels of loggers, beside those that the component has by default.
   *
   * @param loggers names and levels as Log4j 2 has them, such as `rootLogger.level: INFO`; below Kafka 4.0 brokers have
   * Log4j 1 (`kafka.root.logger.level: INFO`)
   */
  public static inline(loggers: { [name: string]: string }): KafkaLogging {
    return new KafkaLogging(LOGGING.inline, () => ({ loggers: { ...loggers } }));
  }

  /**
   * A whole configuration of Log4j in a ConfigMap. What is not in it is not set.
   *
   * @param configuration where it stands
   */
  public static external(configuration: KafkaConfigMapKey): KafkaLogging {
    refuseWrongProps('KafkaLogging.external', 'KafkaConfigMapKey', configuration);
    return new KafkaLogging(LOGGING.external, () => ({ valueFrom: configMapKeyJson(configuration) }));
  }

  private constructor(
    /** The type as the manifest has it. */
    public readonly type: string,
    private readonly settings: () => Json,
  ) {}

  /**
   * A `logging`.
   *
   * @internal
   */
  public _toJson(): Json {
    return { type: this.type, ...this.settings() };
  }
}

import type { Size } from 'cdk8s';
import { refuseWrongProps } from '../../contract/declared-types';
import { defined, type Json } from '../../contract/json';
import { QUOTAS } from './kafka-cluster.facts';
import { bytesIn } from './units-json';

/**
 * Limits that every kind of quota has.
 */
export interface KafkaQuotaRates {
  /**
   * How much may be written in a second: by each client and to each broker with `kafka()`, by all clients together to each
   * broker with `strimzi()`.
   *
   * @default - no limit
   */
  readonly producerRate?: Size;

  /**
   * How much may be read in a second, counted in the same way.
   *
   * @default - no limit
   */
  readonly consumerRate?: Size;
}

/**
 * Quotas of Kafka itself, as defaults for every user.
 */
export interface KafkaDefaultQuotas extends KafkaQuotaRates {
  /**
   * How much of the time of network and I/O threads a client may take, in percent of one thread: 100 for each thread.
   *
   * @default - no limit
   */
  readonly requestPercentage?: number;

  /**
   * How many partitions may be created, added or deleted in a second.
   *
   * @default - no limit
   */
  readonly controllerMutationRate?: number;
}

/**
 * Quotas of Strimzi's plugin, which can also stop producers before a volume is full.
 */
export interface KafkaVolumeQuotas extends KafkaQuotaRates {
  /**
   * How much must stay free on each volume: producers are stopped below. Not together with `minAvailableRatioPerVolume`.
   *
   * @default - no limit
   */
  readonly minAvailablePerVolume?: Size;

  /**
   * Which part of each volume must stay free, from 0 to 1. Not together with `minAvailablePerVolume`.
   *
   * @default - no limit
   */
  readonly minAvailableRatioPerVolume?: number;

  /**
   * Clients without limits, as principals such as `User:alice`. Brokers and Cruise Control have none anyway.
   *
   * @default - none
   */
  readonly excludedPrincipals?: string[];
}

/**
 * How much clients may read and write.
 *
 * @see https://strimzi.io/docs/operators/latest/deploying#proc-setting-broker-limits-str
 */
export class KafkaQuotas {
  /**
   * By Kafka itself, for each client; KafkaUsers may have quotas of their own.
   *
   * @param options the limits
   * @see https://strimzi.io/docs/operators/latest/configuring.html#type-QuotasPluginKafka-reference
   */
  public static kafka(options: KafkaDefaultQuotas): KafkaQuotas {
    refuseWrongProps('KafkaQuotas.kafka', 'KafkaDefaultQuotas', options);
    const { requestPercentage, controllerMutationRate } = options;
    return new KafkaQuotas(QUOTAS.kafka, { ...ratesJson(options), requestPercentage, controllerMutationRate });
  }

  /**
   * By a plugin of Strimzi, for all clients of a broker together. Quotas of KafkaUsers no longer count.
   *
   * @param options the limits
   * @throws when both a size and a ratio must stay free: the operator refuses that
   * @see https://strimzi.io/docs/operators/latest/configuring.html#type-QuotasPluginStrimzi-reference
   */
  public static strimzi(options: KafkaVolumeQuotas): KafkaQuotas {
    refuseWrongProps('KafkaQuotas.strimzi', 'KafkaVolumeQuotas', options);
    const { minAvailablePerVolume, minAvailableRatioPerVolume, excludedPrincipals } = options;
    if (minAvailablePerVolume !== undefined && minAvailableRatioPerVolume !== undefined) {
      throw new Error(
        `strimzi: quotas cannot have both minAvailablePerVolume ${minAvailablePerVolume.asString()} and ` +
          `minAvailableRatioPerVolume ${minAvailableRatioPerVolume}; say one of them`,
      );
    }
    return new KafkaQuotas(QUOTAS.strimzi, {
      ...ratesJson(options),
      minAvailableBytesPerVolume: bytesIn('minAvailablePerVolume', minAvailablePerVolume),
      minAvailableRatioPerVolume,
      excludedPrincipals,
    });
  }

  private constructor(
    /** The type as the manifest has it. */
    public readonly type: string,
    private readonly settings: Json,
  ) {}

  /**
   * The `quotas` of a cluster.
   *
   * @internal
   */
  public _toJson(): Json {
    return defined({ type: this.type, ...this.settings });
  }
}

function ratesJson({ producerRate, consumerRate }: KafkaQuotaRates): Json {
  return {
    producerByteRate: bytesIn('producerRate', producerRate),
    consumerByteRate: bytesIn('consumerRate', consumerRate),
  };
}

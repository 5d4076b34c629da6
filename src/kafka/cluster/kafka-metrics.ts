import { refuseWrongProps } from '../../contract/declared-types';
import { defined, type Json } from '../../contract/json';
import { configMapKeyJson } from './config-map-key-json';
import { METRICS } from './kafka-cluster.facts';
import type { KafkaConfigMapKey } from './kafka-config-map-key';

/**
 * Which metrics the reporter of Strimzi tells.
 */
export interface KafkaStrimziMetricsReporterOptions {
  /**
   * Regular expressions (Java) of the names that are told; at least one.
   *
   * @default - a list of the operator's
   */
  readonly allowList?: string[];
}

/**
 * How metrics are told to Prometheus, on port 9404 of each pod.
 *
 * @see https://strimzi.io/docs/operators/latest/deploying#assembly-metrics-str
 */
export class KafkaMetrics {
  /**
   * By the JMX exporter, whose rules stand in a ConfigMap.
   *
   * @param rules where the rules stand
   * @see https://strimzi.io/docs/operators/latest/configuring.html#type-JmxPrometheusExporterMetrics-reference
   */
  public static jmxPrometheusExporter(rules: KafkaConfigMapKey): KafkaMetrics {
    refuseWrongProps('KafkaMetrics.jmxPrometheusExporter', 'KafkaConfigMapKey', rules);
    return new KafkaMetrics(METRICS.jmxPrometheusExporter, () => ({ valueFrom: configMapKeyJson(rules) }));
  }

  /**
   * By the reporter of Strimzi, which needs no JMX. Strimzi 0.47 or newer, and not for Cruise Control.
   *
   * @param options which metrics
   * @throws when the list of names is empty
   * @see https://strimzi.io/docs/operators/latest/configuring.html#type-StrimziMetricsReporter-reference
   */
  public static strimziMetricsReporter(options: KafkaStrimziMetricsReporterOptions = {}): KafkaMetrics {
    refuseWrongProps('KafkaMetrics.strimziMetricsReporter', 'KafkaStrimziMetricsReporterOptions', options);
    const { allowList } = options;
    if (allowList?.length === 0) {
      throw new Error(
        'strimzi: strimziMetricsReporter cannot have an empty allowList; leave it out for the list of the operator',
      );
    }
    return new KafkaMetrics(METRICS.strimziMetricsReporter, () => ({
      values: allowList && { allowList: [...allowList] },
    }));
  }

  private constructor(
    /** The type as the manifest has it. */
    public readonly type: string,
    private readonly settings: () => Json,
  ) {}

  /**
   * A `metricsConfig`.
   *
   * @internal
   */
  public _toJson(): Json {
    return defined({ type: this.type, ...this.settings() });
  }
}

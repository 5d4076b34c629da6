import type { Size } from 'cdk8s';
import type { KafkaJvmOptions } from '../nodes/kafka-jvm-options';
import type { KafkaPodTemplate } from '../nodes/kafka-pod-template';
import type { KafkaComponentOptions } from './kafka-component-options';
import type { KafkaLogging } from './kafka-logging';
import type { KafkaMetrics } from './kafka-metrics';

/**
 * What a broker can bear, for the goals of Cruise Control.
 */
export interface KafkaCapacity {
  /**
   * Processors: `2`, `1.5`, `500m`.
   *
   * @default - the request of the broker's pool, else its limit, else 1
   */
  readonly cpu?: string;

  /**
   * How much may come in a second. Whole kibibytes.
   *
   * @default - 10000 KiB, and goals about it are left out
   */
  readonly inboundNetwork?: Size;

  /**
   * How much may go out in a second. Whole kibibytes.
   *
   * @default - 10000 KiB, and goals about it are left out
   */
  readonly outboundNetwork?: Size;
}

/**
 * What some brokers can bear, where they differ.
 */
export interface KafkaBrokerCapacityOverride extends KafkaCapacity {
  /** The ids of these brokers. Of several entries for one broker the first one counts. */
  readonly brokerIds: number[];
}

/**
 * What brokers can bear. Disks are read from the volumes.
 */
export interface KafkaBrokerCapacity extends KafkaCapacity {
  /**
   * Brokers that differ.
   *
   * @default - none
   */
  readonly overrides?: KafkaBrokerCapacityOverride[];
}

/**
 * When Cruise Control moves partitions without being asked.
 */
export enum KafkaAutoRebalanceMode {
  /** When brokers have been added: partitions move onto them. */
  ADD_BROKERS = 'add-brokers',

  /** When brokers are about to go: partitions move away first. Without it, a pool with partitions cannot be scaled down. */
  REMOVE_BROKERS = 'remove-brokers',
}

/**
 * A rebalance that comes by itself when the cluster is scaled.
 */
export interface KafkaAutoRebalance {
  /** When it comes. */
  readonly mode: KafkaAutoRebalanceMode;

  /**
   * The name of a KafkaRebalance with the annotation `strimzi.io/rebalance-template`, whose goals count.
   *
   * @default - the default goals of Cruise Control
   */
  readonly template?: string;
}

/**
 * Users of one's own for the API of Cruise Control, in a Secret.
 */
export interface KafkaCruiseControlApiUsers {
  /** The name of the Secret. */
  readonly secretName: string;

  /** The key in it: lines of `name: password, ROLE` with the roles VIEWER and USER. */
  readonly key: string;
}

/**
 * Cruise Control, which balances partitions over brokers. It runs beside the cluster as soon as it is given, even without
 * options, and needs two brokers.
 *
 * @see https://strimzi.io/docs/operators/latest/deploying#cruise-control-concepts-str
 */
export interface KafkaCruiseControlOptions extends KafkaComponentOptions {
  /**
   * Cruise Control's own configuration. The operator ignores what it sets itself, such as the addresses of brokers.
   *
   * @default - the defaults of the operator
   */
  readonly config?: { [key: string]: unknown };

  /**
   * What the brokers can bear.
   *
   * @default - by the resources and volumes of their pools
   */
  readonly brokerCapacity?: KafkaBrokerCapacity;

  /**
   * What happens by itself when the cluster is scaled; each mode once, at least one.
   *
   * @default - nothing
   */
  readonly autoRebalance?: KafkaAutoRebalance[];

  /**
   * Metrics of Cruise Control itself: by the JMX exporter only.
   *
   * @default - none
   */
  readonly metrics?: KafkaMetrics;

  /**
   * Users beside those of the operator.
   *
   * @default - none
   */
  readonly apiUsers?: KafkaCruiseControlApiUsers;

  /**
   * Options of its Java virtual machine.
   *
   * @default - chosen by the memory limit
   */
  readonly jvm?: KafkaJvmOptions;

  /**
   * What is written to its log.
   *
   * @default - the loggers of the operator
   */
  readonly logging?: KafkaLogging;

  /**
   * What the pod has beside its container.
   *
   * @default - nothing
   */
  readonly podTemplate?: KafkaPodTemplate;
}

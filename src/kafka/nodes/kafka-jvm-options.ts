import type { Size } from 'cdk8s';

/**
 * Options of the Java virtual machine. Those of a node pool replace those of the Kafka resource as a whole.
 */
export interface KafkaJvmOptions {
  /**
   * The heap at the start, `-Xms`. Best the same as the maximum.
   *
   * @default - chosen by the memory limit
   */
  readonly initialHeap?: Size;

  /**
   * The heap at most, `-Xmx`. Far below the memory limit: Kafka lives on the page cache, and a container that needs more
   * than its limit is killed.
   *
   * @default - chosen by the memory limit
   */
  readonly maximumHeap?: Size;

  /**
   * Whether garbage collection is logged.
   *
   * @default false
   */
  readonly gcLoggingEnabled?: boolean;

  /**
   * Options that begin with `-XX:`, by their names: `true` is written as `-XX:+<name>`, `false` as `-XX:-<name>`, and all
   * else as `-XX:<name>=<value>`.
   *
   * @default - those of Kafka itself
   */
  readonly xx?: { [option: string]: string };

  /**
   * System properties, `-D<name>=<value>`.
   *
   * @default - none
   */
  readonly javaSystemProperties?: { [name: string]: string };
}

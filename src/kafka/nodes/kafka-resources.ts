import type { Size } from 'cdk8s';

/**
 * Amounts of what a node of a Kafka cluster computes with.
 */
export interface KafkaResourceAmounts {
  /**
   * Processors: `2`, `500m` for half of one.
   *
   * @default - none
   */
  readonly cpu?: string;

  /**
   * Memory: that of the JVM, and what the page cache of Kafka lives on.
   *
   * @default - none
   */
  readonly memory?: Size;

  /**
   * Other resources by name, such as huge pages, as Kubernetes writes their amounts.
   *
   * @default - none
   */
  readonly others?: { [name: string]: string };
}

/**
 * A claim of the pod that the container of Kafka uses.
 */
export interface KafkaResourceClaim {
  /** The name of the claim. */
  readonly name: string;

  /**
   * Which of its requests. Strimzi 0.46 or newer.
   *
   * @default - all of them
   */
  readonly request?: string;
}

/**
 * What each node of a pool may use.
 */
export interface KafkaResources {
  /**
   * What the scheduler keeps free for the pod.
   *
   * @default - the limits; nothing where there are none
   */
  readonly requests?: KafkaResourceAmounts;

  /**
   * What the container may use at most: beyond its memory it is killed. At least the requests.
   *
   * @default - whatever the machine has
   */
  readonly limits?: KafkaResourceAmounts;

  /**
   * Claims of devices.
   *
   * @default - none
   */
  readonly claims?: KafkaResourceClaim[];
}

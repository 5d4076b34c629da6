import type { StrimziVersion } from '../strimzi/strimzi-version';

/**
 * A Kafka cluster that the Strimzi operator runs.
 */
export interface KafkaClusterProps {
  /**
   * The name of the Kafka resource. The names of pods, Secrets and Services begin with it: a cluster that is renamed is
   * another cluster, without data and with new balancers.
   */
  readonly name: string;

  /**
   * The namespace of the Kafka resource and of all that belongs to it.
   *
   * @default - the one of the chart
   */
  readonly namespace?: string;

  /**
   * The version of the operator that will read the manifests: it decides the API version, which fields exist, and whether
   * finalizers survive that it has not written itself.
   */
  readonly strimzi: StrimziVersion;

  /**
   * Listeners without load balancers of their own, in the fields of Strimzi:
   * `{ name: 'tls', port: 9093, type: 'internal', tls: true }`. `KafkaLoadBalancedListener` and `KafkaTlsRouteListener` add
   * the others.
   *
   * @default - none
   * @see https://strimzi.io/docs/operators/latest/configuring.html#type-GenericKafkaListener-reference
   */
  // biome-ignore lint/suspicious/noExplicitAny: the fields of Strimzi, of any version
  readonly listeners?: { [field: string]: any }[];

  /**
   * The rest of the `spec` of the Kafka resource, as Strimzi has it: `{ kafka: { version, config, authorization }, cruiseControl }`.
   * It is merged with what the other props decide, and must not contradict them. A pod template in it reaches all pools.
   * Without `authorization`, all clients that a listener lets in may do everything.
   *
   * @default - topics, offsets and transactions have as many replicas as there are brokers, three at most, and all but one of
   * them in sync; the entity operator serves topics and users; all else is the operator's default
   * @see https://strimzi.io/docs/operators/latest/configuring.html#type-KafkaSpec-reference
   */
  // biome-ignore lint/suspicious/noExplicitAny: what the operator takes, of any version
  readonly spec?: { [field: string]: any };

  /**
   * Labels of the Kafka resource. They flow to Services and pods: to change one is to roll all pods.
   *
   * @default - those of the chart
   */
  readonly labels?: { [key: string]: string };

  /**
   * Annotations of the Kafka resource.
   *
   * @default - none
   */
  readonly annotations?: { [key: string]: string };

  /**
   * Whether the operator leaves the cluster alone. Listeners that are added meanwhile get no balancers.
   *
   * @default false
   */
  readonly pauseReconciliation?: boolean;
}

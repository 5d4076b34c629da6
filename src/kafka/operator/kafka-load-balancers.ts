/**
 * The load balancers of one listener.
 */
export interface KafkaListenerLoadBalancers {
  /** The name of the listener. */
  readonly listener: string;

  /** Its type (`loadbalancer`, `tlsroute`, `nodeport`, …). */
  readonly type: string;

  /** How many load balancers it uses: one for each Service of type LoadBalancer, or the one of its Gateway. */
  readonly count: number;

  /**
   * The Gateways whose load balancer the listener shares with others, each as `namespace/name`.
   *
   * @default - the load balancers are the listener's own
   */
  readonly gateways?: string[];

  /**
   * The names that the operator gives to the Services of the listener: bootstrap first, then each broker by its id. An
   * internal listener has none of its own.
   */
  readonly serviceNames: string[];
}

/**
 * The load balancers of a Kafka cluster.
 */
export interface KafkaLoadBalancers {
  /** How many there are; a Gateway that several listeners share counts once. */
  readonly count: number;

  /** The load balancers of each listener, in the order of the Kafka resource. */
  readonly listeners: KafkaListenerLoadBalancers[];
}

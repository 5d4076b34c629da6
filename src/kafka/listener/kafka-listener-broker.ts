/**
 * What one broker says of a listener.
 */
export interface KafkaListenerBroker {
  /** The id of the node, which is not its place in the pool. */
  readonly brokerId: number;

  /**
   * The host under which the broker tells clients to reach it. It stands in the certificate of the broker, and goes before
   * `advertisedHostTemplate`.
   *
   * @default - as the template says, or the address that the type of the listener gives it
   */
  readonly advertisedHost?: string;

  /**
   * The port under which the broker tells clients to reach it. It does not change any Service.
   *
   * @default - as the template says, or the port that the type of the listener gives it
   */
  readonly advertisedPort?: number;
}

/**
 * What one broker says of a listener that makes a Service of its own for each broker.
 */
export interface KafkaServiceListenerBroker extends KafkaListenerBroker {
  /**
   * Annotations of the broker's own object: its Service, Route or Ingress. They replace what `perBrokerAnnotationsTemplate`
   * gives this broker, all of it.
   *
   * @default - those of the template
   */
  readonly annotations?: { [key: string]: string };

  /**
   * Labels of the broker's own object. They replace what `perBrokerLabelsTemplate` gives this broker, all of it.
   *
   * @default - those of the template
   */
  readonly labels?: { [key: string]: string };
}

/**
 * What one broker says of a listener of type `nodeport`.
 */
export interface KafkaNodePortListenerBroker extends KafkaServiceListenerBroker {
  /**
   * The port of all nodes that leads to this broker.
   *
   * @default - Kubernetes chooses one that is free
   */
  readonly nodePort?: number;

  /**
   * Addresses beside those of the nodes that lead to this broker.
   *
   * @default - none
   */
  readonly externalIPs?: string[];
}

/**
 * What one broker says of a listener that is told apart by host names.
 */
export interface KafkaHostListenerBroker extends KafkaServiceListenerBroker {
  /**
   * The host of the broker's Route or Ingress. It goes before `hostTemplate`.
   *
   * @default - as `hostTemplate` says
   */
  readonly host?: string;
}

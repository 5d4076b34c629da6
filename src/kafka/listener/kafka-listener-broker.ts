/**
 * What one broker says of a listener behind load balancers. Its annotations and labels are beside those of the plan.
 */
export interface KafkaLoadBalancedListenerBroker {
  /** The id of the node, which is not its place in the pool. */
  readonly brokerId: number;

  /**
   * The host that the broker advertises. It is in the certificate of the broker, and goes before
   * `advertisedHostTemplate`.
   *
   * @default - as the template says, or the address that the type of the listener gives it
   */
  readonly advertisedHost?: string;

  /**
   * The port that the broker advertises. It does not change any Service.
   *
   * @default - as the template says, or the port that the type of the listener gives it
   */
  readonly advertisedPort?: number;

  /**
   * Annotations of the broker's Service, such as fixed addresses of its balancer. They go before those of
   * `perBrokerAnnotationsTemplate`; where they contradict the plan, the synth fails.
   *
   * @default - those of the plan and of the template
   */
  readonly annotations?: { [key: string]: string };

  /**
   * Labels of the broker's Service. They go before those of `perBrokerLabelsTemplate`; where they contradict the plan, the
   * synth fails.
   *
   * @default - those of the plan and of the template
   */
  readonly labels?: { [key: string]: string };

  /**
   * The port of all nodes through which the balancer reaches this broker, where it goes through nodes.
   *
   * @default - Kubernetes chooses one that is free
   */
  readonly nodePort?: number;

  /**
   * The address of the broker's balancer, in a field that Kubernetes has deprecated: controllers that do not read it give the
   * balancer another address silently. Where the controller has an annotation for it, use that.
   *
   * @default - the controller chooses one
   */
  readonly loadBalancerIp?: string;
}

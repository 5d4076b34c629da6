import type { ApiObject } from 'cdk8s';
import type { KafkaLoadBalancers } from '../options';
import type { StrimziVersion } from '../strimzi/strimzi-version';

/**
 * A Kafka cluster that listeners can be added to.
 */
export interface IKafkaCluster {
  /** The name of the Kafka resource; names of pods and Services begin with it. */
  readonly clusterName: string;

  /** The namespace of the Kafka resource; unset where the manifest is applied without one. */
  readonly namespace?: string;

  /** The version of the operator that will read the manifests. */
  readonly strimzi: StrimziVersion;

  /** The ids of the nodes that have the role of a broker: each gets a Service for each listener with balancers. */
  readonly brokerIds: number[];

  /** The Kafka resource. */
  readonly kafka: ApiObject;

  /**
   * The name of the node pool that a broker belongs to, as it is in the names of its pod and Services.
   *
   * @param brokerId one of `brokerIds`
   * @throws when there is no such broker
   */
  nodePoolOf(brokerId: number): string;

  /** The load balancers that the listeners make as they are now, and the Services that the operator makes for them. */
  readonly loadBalancers: KafkaLoadBalancers;
}

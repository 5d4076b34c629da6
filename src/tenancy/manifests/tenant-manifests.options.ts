import type { SharedLoadBalancer } from '../shared/shared-load-balancer';
import type { TenantKafkaOptions } from './kafka.options';

/**
 * The manifests of a tenant, as they are in a file of its own.
 */
export interface TenantManifestsProps {
  /**
   * The path of the file, YAML or JSON, relative to the working directory. It is read, and never written. Addresses are
   * refused: a synth reads no network.
   */
  readonly url: string;

  /** The load balancer that the tenant shares; the tenant must have been added to it. */
  readonly shared: SharedLoadBalancer;

  /**
   * The tenant, which is a namespace. An object of the file that names another one fails the synth.
   *
   * @default - the namespace of the chart, or else the only one that the file names
   */
  readonly tenant?: string;

  /**
   * Keeps the Services of type LoadBalancer, with the class of the shared load balancer and without node ports: for
   * software that waits for the address in their status. Something must write that status: `SharedServicesAtRunTime`
   * does, and without it they wait for ever. They count in quotas of load balancers.
   *
   * @default false
   */
  readonly keepType?: boolean;

  /**
   * What the manifests do not hold of the Kafka clusters among them. A file with a Kafka whose listeners have load
   * balancers needs it.
   *
   * @default - the file holds no such Kafka
   */
  readonly kafka?: TenantKafkaOptions;
}

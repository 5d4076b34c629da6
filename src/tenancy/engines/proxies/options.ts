import type { Duration, Size } from 'cdk8s';
import type { NodePool } from '../../../contract/node-pool';
import type { PodSpread } from '../../../contract/pod-spread';

/**
 * Where the proxies of a shared load balancer run, and how they go. By default the loss of one node leaves proxies on others,
 * and a proxy that is to go serves until the balancer in front sends it nothing more.
 */
export interface SharedProxyOptions {
  /**
   * The nodes that the proxies run on. The balancer in front gets these alone as backends, unless `backendNodes` says otherwise
   * or its controller cannot choose nodes.
   *
   * @default - wherever there is room
   */
  readonly nodePool?: NodePool;

  /**
   * How the proxies are spread over nodes, and, where it is not `NONE`, as far as possible over zones. With `REQUIRED` a proxy
   * waits rather than share a node while another one has none.
   *
   * @default PodSpread.REQUIRED
   */
  readonly spread?: PodSpread;

  /**
   * Whether a PodDisruptionBudget lets drains of nodes take one proxy at a time.
   *
   * @default - with two replicas or more
   */
  readonly disruptionBudget?: boolean;

  /**
   * How long a proxy that is to go takes new connections at least, in whole seconds: the balancer in front must notice first.
   * Less than its health check needs is an error. A new proxy must have been ready for as long, up to 5 minutes, before an old one
   * goes.
   *
   * @default - Envoy Gateway: what the health check of the balancer needs and 10 seconds more, at least 30 seconds; 60 seconds
   * where that is not known. HAProxy and Network Load Balancers with pods as targets: 140 seconds. Never more than `drainTime`
   */
  readonly minDrainTime?: Duration;

  /**
   * How long connections may last once their proxy is to go, in whole seconds up to a day; it goes earlier when it has none left.
   * What lasts longer is cut. Node autoscalers may not wait as long: the cluster autoscaler waits for 10 minutes by default.
   *
   * @default Duration.minutes(5)
   */
  readonly drainTime?: Duration;

  /**
   * What each proxy may use.
   *
   * @default - requests of 250m of processors and 512Mi of memory, no limits
   */
  readonly resources?: SharedProxyResources;

  /**
   * The PriorityClass of the proxies. Without one, pods of a tenant with a priority may push them off their nodes.
   *
   * @default - none
   */
  readonly priorityClassName?: string;
}

/**
 * What each proxy of a shared load balancer may use.
 */
export interface SharedProxyResources {
  /**
   * The share of processors that the scheduler keeps free, as Kubernetes writes it.
   *
   * @default '250m'
   */
  readonly cpuRequest?: string;

  /**
   * The share of processors that it may use at most, no less than `cpuRequest`.
   *
   * @default - whatever the node has
   */
  readonly cpuLimit?: string;

  /**
   * The memory that the scheduler keeps free.
   *
   * @default Size.mebibytes(512)
   */
  readonly memoryRequest?: Size;

  /**
   * The memory beyond which it is killed, with the connections of all tenants.
   *
   * @default - whatever the node has
   */
  readonly memoryLimit?: Size;
}

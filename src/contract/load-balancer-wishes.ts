import type { ClientAddress } from './client-address';
import type { FinalizerPolicy } from './finalizer-policy';
import type { HealthCheck } from './health-check';
import type { IpFamily } from './ip-family';
import type { KubernetesVersion } from './kubernetes-version';
import type { LoadBalancerScheme } from './load-balancer-scheme';
import type { NodePool } from './node-pool';
import type { Rollout } from './rollout';
import type { SessionAffinity } from './session-affinity';
import type { TrafficPolicy } from './traffic-policy';

/**
 * What can be wished of a load balancer, in vendor-neutral terms. Leave out what does not matter: every wish that is set
 * must be answered by the controller, with its own means or with a problem.
 */
export interface LoadBalancerWishes {
  /**
   * Who can reach the balancer. Changing it later makes a new balancer with a new address on most clouds; the cloud
   * provider of AWS keeps the old scheme silently.
   *
   * @default LoadBalancerScheme.INTERNAL
   */
  readonly scheme?: LoadBalancerScheme;

  /**
   * Which endpoints a node forwards to. What users of `Local` mostly want is `clientAddress: PRESERVE`.
   *
   * @default - what the other wishes imply; else not written, which Kubernetes reads as Cluster
   */
  readonly trafficPolicy?: TrafficPolicy;

  /**
   * Whether the pod sees the address of the client.
   *
   * @default - as the controller does it by itself
   */
  readonly clientAddress?: ClientAddress;

  /**
   * Keeps the connections of one client on one pod.
   *
   * @default - no affinity
   */
  readonly sessionAffinity?: SessionAffinity;

  /**
   * Address families; two mean dual stack, the first is the primary one.
   *
   * @default - what the cluster defaults to
   */
  readonly ipFamilies?: IpFamily[];

  /**
   * The nodes that may be backends of the balancer. This wish alone does not pin the pods:
   * `NodepoolPinnedService` does both from one pool.
   *
   * @default - every node
   */
  readonly backendNodes?: NodePool;

  /**
   * The clients that may connect, as CIDRs.
   *
   * @default - all that can reach the balancer
   */
  readonly sourceRanges?: string[];

  /**
   * Fixed addresses of the balancer: IP addresses, or where the cloud demands it their names or allocation ids.
   *
   * @default - assigned by the cloud
   */
  readonly staticAddresses?: string[];

  /**
   * A DNS name for the balancer, kept by external-dns. Written in the annotation of its versions up to 0.21 and in the one from
   * 0.22 on, each of which ignores the other.
   *
   * @default - none
   */
  readonly dnsName?: string;

  /**
   * Whether the balancer sends the client's address by the PROXY protocol. The pods must understand it.
   *
   * @default - the controller's own, which is off unless it was installed otherwise
   */
  readonly proxyProtocol?: boolean;

  /**
   * How the balancer finds healthy targets.
   *
   * @default - the controller's own way, which fits the traffic policy
   */
  readonly healthCheck?: HealthCheck;

  /**
   * Has no connection refused while the pods are replaced or their node is drained. Changes the workload that is handed in. Where
   * nodes are the targets it brings traffic policy Local, unless another wish says otherwise.
   *
   * @default - pods go when they are told to, whether the balancer has noticed or not
   */
  readonly rollout?: Rollout;

  /**
   * Whether pods count as endpoints before they are ready. Wrong with traffic policy Local, where it defeats the
   * health check of the nodes.
   *
   * @default false
   */
  readonly publishNotReadyAddresses?: boolean;

  /**
   * Who writes the finalizer of the balancer's owner.
   *
   * @default FinalizerPolicy.DECLARE
   */
  readonly finalizerPolicy?: FinalizerPolicy;

  /**
   * The version of the API server that will read the manifest.
   *
   * @default KubernetesVersion.V1_34
   */
  readonly kubernetes?: KubernetesVersion;
}

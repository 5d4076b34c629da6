import type { IpFamily } from './ip-family';
import type { LoadBalancerFinding } from './load-balancer-finding';
import type { NodeRestriction } from './node-restriction';
import type { RolloutPlan } from './rollout-plan';
import type { SessionAffinity } from './session-affinity';
import type { TrafficPolicy } from './traffic-policy';

/**
 * What a controller answers to a request: plain data that a host renders into its manifest.
 */
export interface LoadBalancerPlan {
  /** The component that will own the balancer, by its upstream name (`aws-load-balancer-controller`). */
  readonly owner: string;

  /**
   * Finalizers to declare. Only such as the owner itself removes: any other blocks the deletion for ever.
   *
   * @default - none
   */
  readonly finalizers?: string[];

  /**
   * Annotations of the Service; all values are strings, as Kubernetes demands.
   *
   * @default - none
   */
  readonly annotations?: { [key: string]: string };

  /**
   * Labels of the Service; some controllers select by label.
   *
   * @default - none
   */
  readonly labels?: { [key: string]: string };

  /**
   * `spec.loadBalancerClass`. Cannot be changed or removed on a live Service.
   *
   * @default - no class: the controller serves Services without one
   */
  readonly loadBalancerClass?: string;

  /**
   * `spec.externalTrafficPolicy`.
   *
   * @default - not written, which Kubernetes reads as Cluster
   */
  readonly externalTrafficPolicy?: TrafficPolicy;

  /**
   * `spec.allocateLoadBalancerNodePorts`.
   *
   * @default - not written, which Kubernetes reads as true
   */
  readonly allocateLoadBalancerNodePorts?: boolean;

  /**
   * `spec.loadBalancerSourceRanges`, as CIDRs.
   *
   * @default - not written: all sources
   */
  readonly sourceRanges?: string[];

  /**
   * `spec.loadBalancerIP`, for the controllers that have no better place for a static address.
   *
   * @default - not written
   */
  readonly loadBalancerIp?: string;

  /**
   * `spec.sessionAffinity: ClientIP`, where the controller does not defeat it.
   *
   * @default - not written: none
   */
  readonly sessionAffinity?: SessionAffinity;

  /**
   * `spec.ipFamilies`; two make the Service `RequireDualStack`, one `SingleStack`.
   *
   * @default - not written: what the cluster defaults to
   */
  readonly ipFamilies?: IpFamily[];

  /**
   * How the backend is kept on the wished nodes.
   *
   * @default NodeRestriction.NONE
   */
  readonly nodeRestriction?: NodeRestriction;

  /**
   * How the balancer follows pods that come and go. Required where `answers` has `rollout`.
   *
   * @default - unknown
   */
  readonly rollout?: RolloutPlan;

  /**
   * How many load balancers this makes. 0 where a shared one exists already.
   *
   * @default 1
   */
  readonly loadBalancers?: number;

  /**
   * For each wish that is honoured by which means, in a few words. The key is the field of the request (`trafficPolicy`), or
   * the name of the member of `LoadBalancerWish` (`TRAFFIC_POLICY`). A wish that is
   * neither here nor in a problem or warning is reported as unanswered.
   *
   * @default - no wish was honoured
   */
  readonly answers?: { [wish: string]: string };

  /**
   * Wishes that cannot be honoured: an error at synth.
   *
   * @default - none
   */
  readonly problems?: LoadBalancerFinding[];

  /**
   * What is honoured only in part, or works and will surprise.
   *
   * @default - none
   */
  readonly warnings?: LoadBalancerFinding[];
}

import type { LoadBalancerOutcome } from './load-balancer-outcome';

/**
 * A loss that a team agreed on.
 */
export interface AcceptedLoadBalancerLoss {
  /** The Service that has the balancer, `namespace/name`; with a `*` at the end, all whose names begin like that. */
  readonly service: string;

  /** What may happen to it. An update that is refused is so in the cluster, too, whatever is accepted here. */
  readonly outcome: LoadBalancerOutcome;

  /** Why that is acceptable, for the next reader of this code. */
  readonly reason: string;
}

/**
 * What protected load balancers are compared with.
 */
export interface LoadBalancerProtectionProps {
  /**
   * The manifests as they are applied: a folder with everything below it, or one file; it counts from the working directory.
   * `cdk8s synth` empties its output folder before the app runs, so it must be another one. What `kubectl get -o yaml` reads from
   * the cluster will do; objects that another app protects do not belong there, since here they are gone.
   *
   * @default - the folder that the app is written to, as the last run left it
   */
  readonly previous?: string;

  /**
   * Losses that may happen, each with its reason. One that no longer happens is a warning.
   *
   * @default - none
   */
  readonly accept?: AcceptedLoadBalancerLoss[];

  /**
   * Whether objects that are not in the manifests any more are deleted from the cluster.
   *
   * @default true
   */
  readonly prune?: boolean;
}

import type { Duration } from 'cdk8s';
import type { IConstruct } from 'constructs';

/**
 * Who takes nodes out of the cluster, and whether the balancer knows before they are gone.
 */
export enum NodeRemoval {
  /** Nodes are drained and stay, or come back: upgrades in place, reboots. */
  NONE = 'none',

  /**
   * What removes a node first takes it out of the balancer and waits until that has no connections for it, by the label
   * `node.kubernetes.io/exclude-from-external-load-balancers` for instance.
   */
  WAITS_FOR_BALANCER = 'waits-for-balancer',

  /** Nodes are drained and removed, and the balancer finds out by itself: an autoscaler as it comes, spot instances. */
  DOES_NOT_WAIT = 'does-not-wait',
}

/**
 * That no connection is refused while the pods of a workload are replaced, or their node is drained.
 *
 * What that takes is written into the workload: a `preStop` hook that waits until the balancer sends no more, a grace period that is
 * long enough for it, an update that makes new pods before old ones go, and a PodDisruptionBudget. What the workload says itself is
 * kept where it is enough, and fails the synth where it is not. The default of Kubernetes (a grace period of 30 seconds, 25% of the
 * pods unavailable) counts as not said. Connections that are open are not moved: they end with their pod.
 */
export interface Rollout {
  /**
   * The workload whose pods are replaced: a Deployment, StatefulSet or DaemonSet.
   *
   * @default - the `workload` of the construct
   */
  readonly workload?: IConstruct;

  /**
   * The Namespace of the workload. Where pods are the targets, a label of it has them wait until the balancer has taken them in.
   *
   * @default - the label is not written, and a warning has the command that does it
   */
  readonly namespace?: IConstruct;

  /**
   * How long pods take to finish, once they are told to stop: after the balancer has stopped sending connections.
   *
   * @default Duration.seconds(30)
   */
  readonly drainTime?: Duration;

  /**
   * Who takes nodes out of the cluster. Matters where any node passes connections on, which is so with traffic policy Cluster.
   *
   * @default - unknown, which is refused where it matters
   */
  readonly nodeRemoval?: NodeRemoval;

  /**
   * For how long the balancer still sends connections to a pod that goes, where you measured it.
   *
   * @default - what is known of the controller: its health check, or the time in which it takes a target out
   */
  readonly balancerTime?: Duration;

  /**
   * The node port on which kube-proxy tells whether a node has a pod, for controllers that do not find it by themselves. It must be
   * free in the cluster, and needs traffic policy Local.
   *
   * @default - given out by the API server
   */
  readonly healthCheckNodePort?: number;

  /**
   * Whether a PodDisruptionBudget is made, by which drains take one pod at a time. Two budgets over one pod block all drains: leave
   * it out where the pods have one.
   *
   * @default true - for workloads whose pods are evicted; drains leave those of a DaemonSet alone
   */
  readonly disruptionBudget?: boolean;
}

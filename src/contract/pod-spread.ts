/**
 * How pinned pods are spread over the nodes of their pool. A balancer weighs nodes, not pods: with policy Local, three
 * pods on two nodes get 50, 25 and 25 per cent of the traffic.
 */
export enum PodSpread {
  /**
   * At most one pod of difference between any two nodes; a pod that would break this waits. Nodes that the pods cannot
   * use do not count.
   */
  REQUIRED = 'DoNotSchedule',

  /** The scheduler tries. */
  PREFERRED = 'ScheduleAnyway',

  /** No spread is written. */
  NONE = 'None',
}

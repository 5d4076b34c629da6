/**
 * How a controller keeps the balancer's backend on the wished nodes.
 */
export enum NodeRestriction {
  /** Not at all: every node that may carry a balancer is a backend. */
  NONE = 'none',

  /** By a field of the Service, such as an annotation with a node selector. */
  ON_SERVICE = 'on-service',

  /** By an object of its own beside the Service, such as an advertisement of MetalLB. */
  ON_SIDE_OBJECT = 'on-side-object',

  /**
   * By the pods alone: traffic goes only to nodes that run one (policy Local), so pinned pods pin the traffic.
   * Needs a host that pins the pods, such as `NodepoolPinnedService`.
   */
  BY_POD_PLACEMENT = 'by-pod-placement',
}

import type { NodePool } from '../../contract/node-pool';

/**
 * One of several Standard balancers of a cluster: a public one, and where a Service wants it an internal twin with
 * `-internal` behind its name.
 */
export interface AzureStandardLoadBalancer {
  /** Its name. One balancer of a cluster of AKS is called `kubernetes`. */
  readonly name: string;

  /**
   * The pool all of whose nodes are behind this balancer, and behind no other. It must not scale to nothing.
   */
  readonly primaryPool: NodePool;

  /**
   * Further pools whose nodes may be put behind this balancer. A node is behind one balancer only: of several that want it,
   * that with the fewest nodes gets it.
   *
   * @default - none
   */
  readonly nodePools?: NodePool[];

  /**
   * Labels of the Services that it takes. Where a balancer with labels takes a Service, those without are not asked.
   *
   * @default - all Services
   */
  readonly serviceLabels?: { [key: string]: string };

  /**
   * Labels of the namespaces whose Services it takes.
   *
   * @default - all namespaces
   */
  readonly namespaceLabels?: { [key: string]: string };

  /**
   * Whether Services are put on it that do not name it. Those that are there stay.
   *
   * @default true
   */
  readonly allowServicePlacement?: boolean;
}

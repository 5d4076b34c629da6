/**
 * Which endpoints a node forwards external traffic to (`spec.externalTrafficPolicy`).
 *
 * @see https://kubernetes.io/docs/reference/networking/virtual-ips/#external-traffic-policy
 */
export enum TrafficPolicy {
  /**
   * Any node forwards to any pod: traffic is spread evenly, at the price of a second hop and of the client's address,
   * which the node replaces by its own.
   */
  CLUSTER = 'Cluster',

  /**
   * A node forwards to its own pods only: no second hop, the client's address survives. Nodes without a pod fail the
   * health check of the balancer, as they should, and balancers weigh nodes, not pods: spread the pods evenly.
   */
  LOCAL = 'Local',
}

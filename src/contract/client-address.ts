/**
 * What the pod sees as the source of a connection.
 *
 * This is the wish behind most uses of `externalTrafficPolicy: Local`; say it, and the controller answers with its own
 * means (a target group attribute, the traffic policy, proxy protocol), or reports that it has none.
 */
export enum ClientAddress {
  /** The pod sees the address of the client. */
  PRESERVE = 'preserve',

  /**
   * The pod sees an address of the balancer or of a node. Lets a pod reach itself through its own balancer
   * (preserving the address breaks such a hairpin).
   */
  REPLACE = 'replace',
}

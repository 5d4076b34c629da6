/**
 * What the nodes of a pool do. A node may do both.
 */
export enum KafkaNodeRole {
  /** Holds partitions, and serves clients: only such nodes get Services and balancers. */
  BROKER = 'broker',

  /** Holds the metadata of the cluster and votes: an odd number of them, best three. */
  CONTROLLER = 'controller',
}

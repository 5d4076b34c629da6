/**
 * Ports of a balancer, from one to another; both belong to it.
 */
export interface PortRange {
  /** The lowest port, 1 to 65535. */
  readonly first: number;

  /** The highest port, not below the lowest. */
  readonly last: number;
}

/**
 * What becomes of two Services that want one port of a shared load balancer. Whatever it says, a port that stands in the
 * lock file is never moved.
 */
export enum PortConflictPolicy {
  /** An error that names both. Every endpoint has the port that its Service asks for, and there is one balancer. */
  FAIL = 'FAIL',

  /**
   * The second one goes to another balancer, which is paid for like the first. Every endpoint has the port that its Service
   * asks for, and all ports of a Service are at one balancer.
   */
  SHARD = 'SHARD',

  /**
   * The second one gets another port of the same balancer, which its clients must be told. There is one balancer.
   */
  REMAP = 'REMAP',
}

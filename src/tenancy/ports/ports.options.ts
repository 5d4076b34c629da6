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
 * What becomes of two Services that request one port of a shared load balancer. Under each policy, a port in the lock file is
 * never moved.
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
   * The second one gets another port of the same balancer, of which its clients must be informed. There is one balancer.
   */
  REMAP = 'REMAP',
}

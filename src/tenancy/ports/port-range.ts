/**
 * Ports of a balancer, from one to another; both belong to it.
 */
export interface PortRange {
  /** The lowest port, 1 to 65535. */
  readonly first: number;

  /** The highest port, not below the lowest. */
  readonly last: number;
}

import type { LoadBalancerOutcome } from './load-balancer-outcome';

/**
 * One thing that changes, and what it does to a load balancer.
 */
export interface LoadBalancerChangeCause {
  /** What it does to the balancer. */
  readonly outcome: LoadBalancerOutcome;

  /** The field of the Service, or of what makes it: `spec.ports[0].port`, the key of an annotation. */
  readonly field: string;

  /**
   * The value on the older side.
   *
   * @default - there is none
   */
  readonly before?: string;

  /**
   * The value on the newer side.
   *
   * @default - there is none
   */
  readonly after?: string;

  /** What happens: one clause. */
  readonly why: string;

  /**
   * Who notices it: `clients of port 443`.
   *
   * @default - every client
   */
  readonly whom?: string;

  /**
   * For how long: `up to 20 s`.
   *
   * @default - it is not known, or it does not end
   */
  readonly lasts?: string;

  /**
   * What to do so that it does not happen, or to do it without a loss.
   *
   * @default - nothing helps
   */
  readonly remedy?: string;

  /**
   * True if the edit has no effect on the live balancer.
   *
   * @default false
   */
  readonly notApplied?: boolean;

  /**
   * The name of the shortest trace that shows it, in the table of lifecycles.
   *
   * @default - it needs none, or there is none
   */
  readonly trace?: string;

  /**
   * Of UNKNOWN: what must be known.
   *
   * @default - nothing more
   */
  readonly needs?: string[];
}

/**
 * What becomes of one load balancer.
 */
export interface LoadBalancerChange {
  /** The worst that its causes do. */
  readonly outcome: LoadBalancerOutcome;

  /** `namespace/name` of its Service, or of the Gateway that it is made of without one, on the newer side that has it. */
  readonly service: string;

  /** The Service as people call it, with what makes it where that is another object. */
  readonly title: string;

  /**
   * The controller that owned it.
   *
   * @default - there was none, or it is not known
   */
  readonly ownerBefore?: string;

  /**
   * The controller that will own it.
   *
   * @default - there is none, or it is not known
   */
  readonly ownerAfter?: string;

  /**
   * The construct path of its object, or the file with the line; of the newer side that has it.
   *
   * @default - it is not known
   */
  readonly path?: string;

  /** Why, worst first; empty where nothing changes. */
  readonly causes: LoadBalancerChangeCause[];
}

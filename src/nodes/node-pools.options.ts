import type { NodeTaint } from '../contract/node-pool';

/**
 * Facts about a pool that is known by its name.
 */
export interface NamedNodePoolOptions {
  /**
   * The taints of the pool's nodes. Pods that are pinned to the pool tolerate exactly these.
   *
   * @default - none
   */
  readonly taints?: NodeTaint[];

  /**
   * The zones that the pool's nodes are in. With more than one, pinned pods are spread over them as well.
   *
   * @default - unknown
   */
  readonly zones?: string[];
}

/**
 * Facts about a pool that is known by an id.
 */
export interface IdentifiedNodePoolOptions extends NamedNodePoolOptions {
  /**
   * The name of the pool, for messages and for controllers that choose nodes by pool name.
   *
   * @default - the id
   */
  readonly name?: string;
}

/** What a node pool of AKS is for. */
export enum AksPoolMode {
  /** Holds the system pods; accepts no hard taint but `CriticalAddonsOnly=true:NoSchedule`. */
  SYSTEM = 'System',

  /** Holds applications. */
  USER = 'User',
}

/** Whether AKS may take the nodes of a pool away. */
export enum AksPoolPriority {
  /** They stay. */
  REGULAR = 'Regular',

  /** They may be evicted at any time; AKS taints them. */
  SPOT = 'Spot',
}

/** The operating system of a pool of AKS. */
export enum AksPoolOsType {
  /** Linux. */
  LINUX = 'Linux',

  /** Windows; the name of the pool has at most 6 characters. */
  WINDOWS = 'Windows',
}

/**
 * Facts about a pool of AKS.
 */
export interface AksNodePoolOptions extends NamedNodePoolOptions {
  /**
   * What the pool is for.
   *
   * @default AksPoolMode.USER
   */
  readonly mode?: AksPoolMode;

  /**
   * Whether the nodes are spot nodes; those carry the taint of `NodeTaints.aksSpot()`, which is added here.
   *
   * @default AksPoolPriority.REGULAR
   */
  readonly priority?: AksPoolPriority;

  /**
   * The operating system of the nodes.
   *
   * @default AksPoolOsType.LINUX
   */
  readonly osType?: AksPoolOsType;
}

/** A taint of a node. */
export interface TrafficTaint {
  readonly key: string;
  readonly value?: string;
  readonly effect: string;
}

/** A node, as far as packets depend on it. */
export interface TrafficNode {
  readonly name: string;
  /** Unset where the nodes of the cluster are in no zone. */
  readonly zone?: string;
  /** The name of its pool, where one is known. */
  readonly pool?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly TrafficTaint[];
  readonly ready: boolean;
  /** Whether its label keeps it out of balancers. */
  readonly excluded: boolean;
}

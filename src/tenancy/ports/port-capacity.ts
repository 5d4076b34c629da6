/** What a balancer is limited by. */
export interface PortLimits {
  /** Listeners of a balancer. */
  readonly listeners: number;
  /** Of these, the ones that no tenant gets. */
  readonly own?: number;
  /** Rules of the security group, where each port is opened by rules of its own. */
  readonly rules?: number;
  /** Rules that a port needs: one for each range of clients. */
  readonly rulesPerPort?: number;
}

/** How many ports of tenants one balancer carries: whichever limit is met first. */
export function portCapacity({ listeners, own = 0, rules, rulesPerPort = 1 }: PortLimits): number {
  const byRules = rules === undefined ? listeners : Math.floor(rules / rulesPerPort);
  return Math.max(0, Math.min(listeners, byRules) - own);
}

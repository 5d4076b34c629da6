/** What a balancer is limited by. */
export interface PortLimits {
  /** Listeners of a balancer. */
  readonly listeners: number;
  /** Rules of its security group, where each port is opened by rules of its own. */
  readonly rules?: number;
  /** Rules that a port needs: one for each range of clients. */
  readonly rulesPerPort?: number;
}

/** How many ports one balancer carries: whichever limit is met first. */
export function portCapacity({ listeners, rules, rulesPerPort = 1 }: PortLimits): number {
  return rules === undefined ? listeners : Math.min(listeners, Math.floor(rules / rulesPerPort));
}

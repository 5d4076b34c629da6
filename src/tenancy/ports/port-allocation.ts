import { hostsOf, type LockedPort, type PortRules } from './port-request';

/** The endpoint that has a port. */
export interface PortHolder {
  readonly key: string;
  /** The path of the construct that requested it; nothing where the endpoint is gone, and only the lock file has it. */
  readonly path?: string;
  readonly hosts?: readonly string[];
}

/** A port of one balancer: one endpoint has it as a whole, or several share it by name. */
interface AllocatedPort {
  whole?: PortHolder;
  readonly byHost: Map<string, PortHolder>;
}

/** Which endpoint has which port of which balancer. */
export class PortAllocation {
  private readonly balancers: Map<number, AllocatedPort>[] = [];
  private readonly reserved: ReadonlySet<number>;
  private readonly judged = new Map<number, { readonly why?: string }>();

  public constructor(private readonly rules: PortRules) {
    this.reserved = new Set(rules.reserved);
  }

  /** How many balancers there are so far. */
  public get size(): number {
    return this.balancers.length;
  }

  /** How many ports a balancer carries. */
  public count(balancer: number): number {
    return this.balancers[balancer]?.size ?? 0;
  }

  public hold({ balancer, port }: LockedPort, holder: PortHolder): void {
    const entry = this.at(balancer, port) ?? { byHost: new Map<string, PortHolder>() };
    const hosts = hostsOf(holder);
    for (const host of hosts) {
      entry.byHost.set(host, holder);
    }
    if (hosts.length === 0) {
      entry.whole = holder;
    }
    while (this.balancers.length <= balancer) {
      this.balancers.push(new Map());
    }
    this.balancers[balancer].set(port, entry);
  }

  /** The endpoint that conflicts with a place. */
  public rival({ balancer, port, hosts }: LockedPort): PortHolder | undefined {
    const entry = this.at(balancer, port);
    if (!entry || entry.whole) {
      return entry?.whole;
    }
    const wanted = hostsOf({ hosts });
    return wanted.length === 0
      ? entry.byHost.values().next().value
      : wanted.map((host) => entry.byHost.get(host)).find((holder) => holder !== undefined);
  }

  /** Whether one port more is one too many. */
  public isFull({ balancer, port }: LockedPort): boolean {
    return !this.has(balancer, port) && this.count(balancer) >= this.rules.maxPortsPerBalancer;
  }

  /** Why no endpoint gets a port, at any balancer; a clause that follows `which`. */
  public forbidden(port: number): string | undefined {
    const known = this.judged.get(port) ?? { why: this.whyForbidden(port) };
    this.judged.set(port, known);
    return known.why;
  }

  /** Whether a balancer has a port already. */
  public has(balancer: number, port: number): boolean {
    return this.at(balancer, port) !== undefined;
  }

  private at(balancer: number, port: number): AllocatedPort | undefined {
    return this.balancers[balancer]?.get(port);
  }

  private whyForbidden(port: number): string | undefined {
    if (this.reserved.has(port)) {
      return 'is reserved for the balancer itself';
    }
    const range = this.rules.runtimeRanges.find(({ first, last }) => port >= first && port <= last);
    return range && `is in the range ${range.first} to ${range.last} of Services that are created at run time`;
  }
}

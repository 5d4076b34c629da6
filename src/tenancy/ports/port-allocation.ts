import { hostsOf, type LockedPort, type PortRules } from './port-request';

/** Who has a port. */
export interface PortHolder {
  readonly key: string;
  /** The path of the construct that asked; nothing where the endpoint is gone, and only the lock file has it. */
  readonly path?: string;
  readonly hosts?: readonly string[];
}

/** A port of one balancer: one has it as a whole, or several share it by name. */
interface Booking {
  whole?: PortHolder;
  readonly byHost: Map<string, PortHolder>;
}

/** Who has which port of which balancer. */
export class PortBook {
  private readonly balancers: Map<number, Booking>[] = [];
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
    const booking = this.at(balancer, port) ?? { byHost: new Map<string, PortHolder>() };
    const hosts = hostsOf(holder);
    for (const host of hosts) {
      booking.byHost.set(host, holder);
    }
    if (hosts.length === 0) {
      booking.whole = holder;
    }
    while (this.balancers.length <= balancer) {
      this.balancers.push(new Map());
    }
    this.balancers[balancer].set(port, booking);
  }

  /** Who stands in the way of one who wants a port. */
  public rival({ balancer, port, hosts }: LockedPort): PortHolder | undefined {
    const booking = this.at(balancer, port);
    if (!booking || booking.whole) {
      return booking?.whole;
    }
    const wanted = hostsOf({ hosts });
    return wanted.length === 0
      ? booking.byHost.values().next().value
      : wanted.map((host) => booking.byHost.get(host)).find((holder) => holder !== undefined);
  }

  /** Whether one port more is one too many. */
  public isFull({ balancer, port }: LockedPort): boolean {
    return !this.has(balancer, port) && this.count(balancer) >= this.rules.maxPortsPerBalancer;
  }

  /** Why nobody gets a port, at whatever balancer. */
  public forbidden(port: number): string | undefined {
    const known = this.judged.get(port) ?? { why: this.whyForbidden(port) };
    this.judged.set(port, known);
    return known.why;
  }

  /** Whether a balancer has a port already. */
  public has(balancer: number, port: number): boolean {
    return this.at(balancer, port) !== undefined;
  }

  private at(balancer: number, port: number): Booking | undefined {
    return this.balancers[balancer]?.get(port);
  }

  private whyForbidden(port: number): string | undefined {
    if (this.reserved.has(port)) {
      return 'is kept for the balancer itself';
    }
    const range = this.rules.runtimeRanges.find(({ first, last }) => port >= first && port <= last);
    return range && `is in the range ${range.first} to ${range.last} of Services that are created at run time`;
  }
}

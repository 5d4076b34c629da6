import type { Reading, TrafficCounter } from '../../src/tenancy/engines/contract/publishing';

/** What a tenant has, over all proxies. */
export interface TenantSum {
  connections: number;
  bytesIn: number;
  bytesOut: number;
  limited: number;
  refused: number;
}

/** What was refused beyond a limit since the last round, and where. */
export interface Overflow {
  readonly tenant: string;
  readonly service?: string;
  readonly port?: number;
  readonly count: number;
}

/** What one round has found. */
export interface Round {
  readonly overflows: readonly Overflow[];
  /** By tenant, bytes since the last round. */
  readonly moved: ReadonlyMap<string, { readonly in: number; readonly out: number }>;
}

/**
 * Adds up what proxies say. Proxies come and go, and one that starts anew counts from nothing: so a sum grows by what each
 * series has grown, and never shrinks.
 */
export class Tally {
  public readonly tenants = new Map<string, TenantSum>();
  private last = new Map<string, number>();
  private rounds = 0;

  /**
   * One round.
   *
   * @param proxies what each proxy says, by its name; one that did not answer is left out and keeps what it had
   * @param silent the proxies that did not answer, and are there
   */
  public add(proxies: ReadonlyMap<string, readonly Reading[]>, silent: readonly string[] = []): Round {
    const seen = new Map<string, number>();
    for (const [key, value] of this.last) {
      if (silent.some((proxy) => key.startsWith(`${proxy} `))) seen.set(key, value);
    }
    for (const sum of this.tenants.values()) {
      sum.connections = 0;
    }
    const overflows = new Map<string, Overflow>();
    const moved = new Map<string, { in: number; out: number }>();
    for (const [proxy, readings] of proxies) {
      for (const reading of readings) {
        const grown = this.grown(`${proxy} ${reading.of}`, reading, seen);
        const { tenant, counted, service, port } = reading;
        this.sumOf(tenant)[counted] += grown;
        if (counted === 'limited' && grown > 0) {
          const key = `${tenant}/${service}:${port}`;
          overflows.set(key, { tenant, service, port, count: (overflows.get(key)?.count ?? 0) + grown });
        }
        const way = WAYS[counted];
        if (way) {
          const of = moved.get(tenant) ?? { in: 0, out: 0 };
          of[way] += grown;
          moved.set(tenant, of);
        }
      }
    }
    this.last = seen;
    // what the proxies counted before anything looked at them may be of yesterday
    const isFirst = this.rounds++ === 0;
    return isFirst ? { overflows: [], moved: new Map() } : { overflows: [...overflows.values()], moved };
  }

  private grown(key: string, { counted, value }: Reading, seen: Map<string, number>): number {
    if (counted === 'connections') {
      return value;
    }
    const before = this.last.get(key);
    seen.set(key, value);
    return before === undefined || value < before ? value : value - before;
  }

  private sumOf(tenant: string): TenantSum {
    const known = this.tenants.get(tenant);
    const sum = known ?? { connections: 0, bytesIn: 0, bytesOut: 0, limited: 0, refused: 0 };
    this.tenants.set(tenant, sum);
    return sum;
  }
}

const WAYS: { readonly [counted in TrafficCounter]?: 'in' | 'out' } = { bytesIn: 'in', bytesOut: 'out' };

import type { Body } from '../../cluster/harness/api';
import type { Container } from './container';
import { ADMIN_RELAY_PORT, type PodNetwork } from './network';

/** The ports of a proxy that Envoy Gateway gives it. */
const READINESS = { port: 19_003, path: '/ready' };

/** One proxy of a Gateway: the real Envoy. */
export class Envoy {
  public constructor(
    public readonly pod: Body,
    private readonly network: PodNetwork,
    private readonly containers: readonly Container[],
  ) {}

  public get name(): string {
    return this.pod.metadata.name;
  }

  public get address(): string {
    return this.network.address;
  }

  public get isRunning(): boolean {
    return this.proxy.isRunning;
  }

  public get log(): string {
    return this.proxy.log;
  }

  /** How long it ran on a processor, in ms. */
  public get processorTime(): number {
    return this.proxy.processorTime;
  }

  /** Whether it says that it is ready. */
  public async isReady(): Promise<boolean> {
    try {
      const { ok } = await this.fetch(READINESS.port, READINESS.path);
      return ok;
    } catch {
      return false;
    }
  }

  /** Values of its statistics whose names match. */
  public async statistics(filter: string): Promise<Record<string, number>> {
    const answer = await this.admin(`/stats?format=json&filter=${encodeURIComponent(filter)}`);
    const { stats } = JSON.parse(answer) as { stats: { name?: string; value?: number }[] };
    return Object.fromEntries(stats.flatMap(({ name, value }) => (name && value !== undefined ? [[name, value]] : [])));
  }

  /** What its administration answers. */
  public async admin(path: string): Promise<string> {
    return (await this.fetch(ADMIN_RELAY_PORT, path)).text();
  }

  /** The ports of its listeners. */
  public async ports(): Promise<number[]> {
    const { listener_statuses = [] } = JSON.parse(await this.admin('/listeners?format=json'));
    const ports: number[] = listener_statuses.map((each: Body) => each.local_address.socket_address.port_value);
    return [...new Set(ports)].sort((a, b) => a - b);
  }

  /** Ends it at once, as a crash does: the kernel closes its connections. It stays away until it is started again. */
  public async kill(): Promise<void> {
    await this.proxy.kill();
  }

  public async restart(): Promise<void> {
    await this.proxy.kill();
    await this.proxy.start();
  }

  /** Loses its node, or gets it back: packets get lost, and nobody is told. */
  public plug(isIn: boolean): void {
    this.network.plug(isIn);
  }

  private get proxy(): Container {
    return this.containers.find(({ name }) => name === 'envoy') ?? this.containers[0];
  }

  private fetch(port: number, path: string): Promise<Response> {
    return fetch(`http://${this.address}:${port}${path}`, {
      headers: { connection: 'close' },
      signal: AbortSignal.timeout(10_000),
    });
  }
}

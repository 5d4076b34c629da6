import { pause } from '../../cluster/harness/wait';
import { connectTo, type Target } from './client';

/** What became of one connection. */
export interface Attempt {
  /** When it began, in ms since the load began. */
  readonly at: number;
  /** What was said first; nothing where it was refused, or closed before that. */
  readonly said: string;
}

/** Clients that come all the time: each connects, waits for the first words, and goes. */
export class Load {
  public static start(target: Target, perSecond: number): Load {
    const load = new Load(target, 1000 / perSecond);
    load.loop = load.run();
    return load;
  }

  public readonly attempts: Attempt[] = [];
  private readonly began = performance.now();
  private readonly open = new Set<Promise<void>>();
  private loop?: Promise<void>;
  private isOver = false;

  private constructor(
    private readonly target: Target,
    private readonly gap: number,
  ) {}

  /** Milliseconds since it began. */
  public get now(): number {
    return performance.now() - this.began;
  }

  /** Those that were not served, of those that began after a moment. */
  public lostSince(moment = 0): readonly Attempt[] {
    return this.attempts.filter(({ at, said }) => at >= moment && !/:\d+$/.test(said));
  }

  /** Lets nobody come any more, and waits for those who did. */
  public async stop(): Promise<void> {
    this.isOver = true;
    await this.loop;
    await Promise.all(this.open);
  }

  private async run(): Promise<void> {
    while (!this.isOver) {
      const one = this.connect();
      this.open.add(one);
      void one.then(() => this.open.delete(one));
      await pause(this.gap);
    }
  }

  private async connect(): Promise<void> {
    const at = this.now;
    const { socket, said } = await connectTo(this.target);
    socket.destroy();
    this.attempts.push({ at, said });
  }
}

import { pause } from '../../cluster/harness/wait';
import { connectTo } from './client';

/** How many connect at a time, each from an address of its own: ports of an address that were used wait for a minute. */
const CLIENTS = 20;

/** Milliseconds between two connections of a client. */
const WAIT = 50;

/** Milliseconds after which a client gives up. */
const PATIENCE = 5000;

/** What became of connections. */
export interface Streamed {
  readonly tried: number;
  readonly refused: number;
}

/** Clients that connect again and again, each connection new, and wait for the first words. */
export class Stream {
  public tried = 0;
  public refused = 0;
  private isOver = false;
  private readonly clients: Promise<void>[];

  /** @param isServed whether the first words are those of a pod of the workload; all else counts as refused */
  public constructor(
    private readonly target: { readonly host: string; readonly port: number },
    private readonly isServed: (said: string) => boolean,
  ) {
    this.clients = Array.from({ length: CLIENTS }, (_, index) => this.run(`10.8.1.${1 + index}`));
  }

  /** Goes on until there were so many, and ends. */
  public async end(atLeast: number): Promise<Streamed> {
    while (this.tried < atLeast) {
      await pause(100);
    }
    this.isOver = true;
    await Promise.all(this.clients);
    return { tried: this.tried, refused: this.refused };
  }

  private async run(from: string): Promise<void> {
    while (!this.isOver) {
      const { socket, said } = await connectTo({ ...this.target, from, patience: PATIENCE });
      socket.destroy();
      this.tried++;
      if (!this.isServed(said)) {
        this.refused++;
      }
      await pause(WAIT);
    }
  }
}

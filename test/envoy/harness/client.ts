import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { pause } from '../../real/program';

export interface Target {
  readonly host: string;
  readonly port: number;
  /** The address of the client. @default - one that the kernel chooses */
  readonly from?: string;
  /** What is sent before anything else. */
  readonly first?: Buffer;
  /** The name that the client wants, in TLS. @default - no TLS */
  readonly serverName?: string;
  /** How long the client waits for the first words, in ms. */
  readonly patience?: number;
}

/** A connection, and what was said first: nothing where it was closed before that. */
export interface Connection {
  readonly socket: Socket;
  readonly said: string;
  /** How long it took until that was known, in ms. */
  readonly milliseconds: number;
}

/** More than anything takes on a machine that is busy. */
const PATIENCE = 10_000;

/** What a client says of a connection on which nothing came at all, and which was not closed either. */
export const SILENCE = '(silence)';

/** Connects, and waits for the first words, the end, or the end of its patience. */
export function connectTo(target: Target): Promise<Connection> {
  const { host, port, from, first, serverName, patience = PATIENCE } = target;
  const begin = performance.now();
  return new Promise((resolve) => {
    const raw = connect({ host, port, localAddress: from });
    let socket: Socket = raw;
    const timer = setTimeout(() => end(SILENCE), patience);
    const end = (said: string) => {
      clearTimeout(timer);
      resolve({ socket, said, milliseconds: performance.now() - begin });
    };
    const listen = () => {
      socket.once('data', (data) => end(data.toString().split('\n')[0]));
      socket
        .on('error', () => end(''))
        .once('end', () => end(''))
        .once('close', () => end(''));
    };
    const startTls = () => {
      const checkServerIdentity = () => undefined;
      socket = connectTls({ socket: raw, servername: serverName, rejectUnauthorized: false, checkServerIdentity });
      listen();
    };
    raw.on('error', () => end(''));
    if (serverName === undefined) {
      listen();
    }
    raw.once('connect', () => {
      const next = () => (serverName === undefined ? undefined : startTls());
      first === undefined || first.length === 0 ? next() : raw.write(first, next);
    });
  });
}

/** Whether somebody listens there. */
export function accepts(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    const end = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', () => end(true)).once('error', () => end(false));
  });
}

/** What one connection was told; it is closed at once. */
export async function answerOf(target: Target): Promise<string> {
  const { socket, said } = await connectTo(target);
  socket.destroy();
  return said;
}

/** Connections that are held open, and counted. */
export class Held {
  /** Opens connections, so many at once. */
  public static async open(count: number, target: Target | ((index: number) => Target), atOnce = 50): Promise<Held> {
    const connections: Connection[] = [];
    let next = 0;
    const one = async () => {
      while (next < count) {
        const index = next++;
        connections.push(await connectTo(typeof target === 'function' ? target(index) : target));
      }
    };
    await Promise.all(Array.from({ length: Math.min(atOnce, count) }, one));
    return new Held(connections);
  }

  private readonly open = new Set<Connection>();
  private readonly all: readonly Connection[];

  private constructor(all: readonly Connection[]) {
    this.all = all;
    for (const each of all.filter(({ said }) => said !== '' && said !== SILENCE)) {
      if (!each.socket.destroyed && !each.socket.readableEnded) {
        this.open.add(each);
        each.socket.on('error', () => undefined).resume();
        for (const event of ['end', 'close'] as const) {
          each.socket.once(event, () => this.open.delete(each));
        }
      }
    }
  }

  /** How many were served when they were opened. */
  public get served(): number {
    return this.all.filter(({ said }) => said !== '' && said !== SILENCE).length;
  }

  /** How many were closed before a word was said. */
  public get refused(): number {
    return this.all.filter(({ said }) => said === '').length;
  }

  /** How often each answer was given. */
  public get answers(): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const { said } of this.all) {
      counts[said] = (counts[said] ?? 0) + 1;
    }
    return counts;
  }

  /** How many are open now. */
  public get count(): number {
    return this.open.size;
  }

  /** How many still bring back what they are told. */
  public async alive(patience = PATIENCE): Promise<number> {
    const echoes = [...this.open].map(
      ({ socket }) =>
        new Promise<boolean>((resolve) => {
          const timer = setTimeout(() => resolve(false), patience);
          const end = (isAlive: boolean) => {
            clearTimeout(timer);
            socket.off('data', echo).off('close', close);
            resolve(isAlive);
          };
          const echo = () => end(true);
          const close = () => end(false);
          socket.once('data', echo).once('close', close);
          socket.write('still there?\n');
        }),
    );
    return (await Promise.all(echoes)).filter((each) => each).length;
  }

  /** Closes some, or all. */
  public close(count = this.open.size): void {
    for (const each of [...this.open].slice(0, count)) {
      this.open.delete(each);
      each.socket.destroy();
    }
    if (this.open.size === 0) {
      for (const { socket } of this.all) {
        socket.destroy();
      }
    }
  }
}

const SIGNATURE = Buffer.from([0x0d, 0x0a, 0x0d, 0x0a, 0x00, 0x0d, 0x0a, 0x51, 0x55, 0x49, 0x54, 0x0a]);

/**
 * The header of version 2 of the PROXY protocol, for a client with an IPv4 address.
 *
 * @see https://www.haproxy.org/download/3.2/doc/proxy-protocol.txt
 */
export function proxyHeader(
  client: string,
  server = '10.62.0.1',
  ports: readonly [number, number] = [40_000, 5432],
): Buffer {
  const addresses = [client, server].flatMap((address) => address.split('.').map(Number));
  const numbers = ports.flatMap((port) => [port >> 8, port & 255]);
  return Buffer.concat([
    SIGNATURE,
    Buffer.from([0x21, 0x11, 0, addresses.length + numbers.length, ...addresses, ...numbers]),
  ]);
}

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

/** How many connect at a time, each from an address of its own: ports of an address that were used wait for a minute. */
const CLIENTS = 20;

/** Milliseconds between two connections of a client. */
const WAIT = 50;

/** Milliseconds after which a client gives up. */
const CONNECT_PATIENCE = 5000;

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
      const { socket, said } = await connectTo({ ...this.target, from, patience: CONNECT_PATIENCE });
      socket.destroy();
      this.tried++;
      if (!this.isServed(said)) {
        this.refused++;
      }
      await pause(WAIT);
    }
  }
}

import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';

/** What a model of a workload's program does. */
export interface AppBehaviour {
  readonly ports: readonly number[];
  /** It says nothing before its client has, as servers of PostgreSQL, AMQP and HTTP do, and those of MySQL and SMTP do not. */
  readonly isSilent?: boolean;
  /** It speaks TLS, with this certificate. */
  readonly tls?: { readonly key: string; readonly cert: string };
}

/** A connection to a workload that is open. */
export interface Served {
  readonly pod: string;
  readonly port: number;
  /** The other side, as the workload sees it. */
  readonly from: string;
  readonly socket: Socket;
}

/**
 * Plays the program of a workload, at the address of its pod: says its namespace, its name and its port to whoever connects, and
 * repeats what it is told.
 */
export class AppPod {
  public static async start(name: string, address: string, behaviour: AppBehaviour): Promise<AppPod> {
    const pod = new AppPod(name, address);
    await Promise.all(behaviour.ports.map((port) => pod.listen(port, behaviour)));
    return pod;
  }

  /** Connections that are open. */
  public readonly served = new Set<Served>();
  /** How many there were. */
  public total = 0;
  private readonly servers: Server[] = [];

  private constructor(
    public readonly name: string,
    public readonly address: string,
  ) {}

  /** Ends it; connections that are open are cut. */
  public async stop(): Promise<void> {
    for (const { socket } of this.served) {
      socket.destroy();
    }
    await Promise.all(this.servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
  }

  private listen(port: number, { tls, isSilent }: AppBehaviour): Promise<void> {
    const serve = (socket: Socket) => {
      const served: Served = { pod: this.name, port, from: socket.remoteAddress ?? '', socket };
      this.served.add(served);
      this.total++;
      socket.on('error', () => undefined).once('close', () => this.served.delete(served));
      const speak = () => {
        socket.write(`${this.name}:${port}\n`);
        socket.pipe(socket);
      };
      isSilent ? socket.once('readable', speak) : speak();
    };
    const server = tls ? createTlsServer(tls, serve) : createServer(serve);
    server.on('tlsClientError', () => undefined);
    this.servers.push(server);
    return new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen({ port, host: this.address, backlog: 4096 }, resolve);
    });
  }
}

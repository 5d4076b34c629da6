import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Chart, type Size, Testing } from 'cdk8s';
import { ClientAddress } from '../../../src/contract';
import { AwsLoadBalancerController } from '../../../src/controllers';
import {
  HaproxyIngress,
  PortConflictPolicy,
  SharedLoadBalancer,
  SharedLoadBalancerEngine,
  TenancyIdentity,
} from '../../../src/tenancy';
import type { Document } from '../../../src/tenancy/engines/contract/publishing';
import { Program, pause, until } from '../../real/program';
import { lockFile } from '../../tenancy/shared/locked';

/** Starts HAProxy with a configuration, and waits until it listens. */
export async function startHaproxy(haproxy: string, folder: string, configuration: string, ports: readonly number[]) {
  const file = join(folder, 'haproxy.cfg');
  const { isValid, said } = checked(haproxy, file, configuration);
  if (!isValid) {
    throw new Error(`HAProxy refuses the configuration:\n${said}\n${configuration}`);
  }
  return Program.start({
    name: 'haproxy',
    command: haproxy,
    // with a master, which reloads it where the controller would
    args: ['-W', '-db', '-C', folder, '-f', file],
    folder,
    isReady: async () => (await Promise.all(ports.map(accepts))).every((each) => each),
  });
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const end = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
  });
}

/** What the controller makes of objects. */
export interface Rendered {
  readonly configuration: string;
  /** What it would leave out. */
  readonly leftOut: readonly string[];
}

/** Where Services are, by `namespace/name:port`; those that are named without a port exist and lead nowhere. */
export type Services = Readonly<Record<string, string>>;

/** Objects of kind TCP, the oldest first, as lines of configuration. */
export function rendered(objects: readonly Document[], services: Services): Rendered {
  return JSON.parse(ask(objects, services));
}

/** Why the objects cannot be rendered. */
export function refusal(objects: readonly Document[]): string {
  const { status, stderr } = spawnSync(renderer(), { input: question(objects, {}), encoding: 'utf8' });
  return status === 0 ? '' : stderr;
}

/** What HAProxy says when it reads a configuration, and whether it takes it. */
export function checked(haproxy: string, file: string, configuration: string): { isValid: boolean; said: string } {
  writeFileSync(file, configuration);
  const folder = dirname(file);
  suspend(folder, []);
  const { status, stdout, stderr } = spawnSync(haproxy, ['-C', folder, '-c', '-f', file], { encoding: 'utf8' });
  return { isValid: status === 0, said: stdout + stderr };
}

/** The tenants that are suspended, as the controller writes them; HAProxy before 3.0 takes the prefix for a part of the name. */
export function suspend(folder: string, tenants: readonly string[]): void {
  for (const place of ['patterns', 'opt@patterns']) {
    mkdirSync(join(folder, place), { recursive: true });
    writeFileSync(join(folder, place, 'suspended'), tenants.map((tenant) => `${tenant}\n`).join(''));
  }
}

function ask(objects: readonly Document[], services: Services): string {
  return execFileSync(renderer(), { input: question(objects, services), encoding: 'utf8' });
}

function question(objects: readonly Document[], services: Services): string {
  return JSON.stringify({
    class: 'shared-haproxy',
    head: HEAD,
    objects: objects.filter(({ kind }) => kind === 'TCP').map(({ spec, ...rest }) => ({ ...rest, spec })),
    services,
  });
}

function renderer(): string {
  const file = process.env.HAPROXY_RENDERER;
  if (!file) {
    throw new Error('there is no renderer: run `npm run test:haproxy`, which builds it');
  }
  return file;
}

/** As much as the controller's own defaults have of it. */
const HEAD = `# _version=1
global
  noreuseport
  stats timeout 1m

defaults haproxytech
  timeout connect 5s
  timeout client 50s
  timeout queue 5s
  timeout server 50s
  timeout tunnel 1h
`;

/** A HAProxy, the servers behind it and the connections to it, of one test at a time. */
export class Scene {
  public readonly folder = mkdtempSync(join(tmpdir(), 'haproxy-'));
  /** The connections of this test. */
  public readonly answers: Answer[] = [];
  private readonly servers: Server[] = [];
  private running: Program | undefined;

  /** Starts a server that says its name, and tells its address. */
  public named(name: string): Promise<string> {
    return this.behind(named(name));
  }

  /** Starts a server that sends as much as it can, and tells its address. */
  public flooding(): Promise<string> {
    return this.behind(flooding());
  }

  /** Starts HAProxy, in place of the one that runs. */
  public async start(haproxy: string, configuration: string, ports: readonly number[]): Promise<void> {
    await this.running?.kill();
    this.running = await startHaproxy(haproxy, this.folder, configuration, ports);
  }

  /** Has HAProxy read its configuration and its files anew; a master that has just begun may not hear it, and is asked again. */
  public async reload(): Promise<void> {
    const running = this.running as Program;
    const loaded = () => running.log.split('Loading success').length;
    const before = loaded();
    let asked = 0;
    await until('HAProxy to be loaded anew', () => {
      if (Date.now() - asked > 5000) {
        asked = Date.now();
        process.kill(running.pid, 'SIGUSR2');
      }
      return loaded() > before;
    });
  }

  /** Connects, and keeps the connection. */
  public async ask(port: number, from?: string, first?: string): Promise<Answer> {
    const one = await answer(port, from, first);
    this.answers.push(one);
    return one;
  }

  /** Ends the connections from one on. */
  public hangUp(from = 0): void {
    for (const { socket } of this.answers.splice(from)) {
      socket.destroy();
    }
  }

  public async end(): Promise<void> {
    this.hangUp();
    await this.running?.kill();
    this.running = undefined;
    for (const server of this.servers.splice(0)) {
      server.close();
    }
  }

  private async behind(listening: Promise<{ server: Server; port: number }>): Promise<string> {
    const { server, port } = await listening;
    this.servers.push(server);
    return `127.0.0.1:${port}`;
  }
}

/** A scene that is cleared after each test of a file. */
export function newScene(): Scene {
  const scene = new Scene();
  afterEach(() => scene.end());
  afterAll(() => rmSync(scene.folder, { recursive: true }));
  return scene;
}

/** A tenant with a Service `db`. */
export interface Tenant {
  readonly name: string;
  readonly port: number;
  readonly more?: number;
  readonly sourceRanges?: string[];
  readonly maxConnections?: number;
  readonly bandwidth?: Size;
}

/** What the library writes for some tenants, each with a Service `db` on one port or two. */
export function objects(tenants: readonly Tenant[], proxyProtocol = true): Document[] {
  const app = Testing.app();
  const platform = [TenancyIdentity.user('delivery')];
  const entries = tenants.flatMap(({ name, port, more }) => [
    [`${name}/db:5432`, { balancer: 0, port }] as const,
    ...(more === undefined ? [] : [[`${name}/db:5433`, { balancer: 0, port: more }] as const]),
  ]);
  const shared = new SharedLoadBalancer(new Chart(app, 'platform', { namespace: 'infra' }), 'Shared', {
    engine: SharedLoadBalancerEngine.haproxy({
      controller: AwsLoadBalancerController.nlb(),
      installation: new HaproxyIngress({ replicas: 1 }),
      ...(proxyProtocol ? { proxyProtocol } : { clientAddress: ClientAddress.PRESERVE }),
    }),
    platform,
    portConflict: PortConflictPolicy.REMAP,
    remapPorts: { first: 15_000, last: 65_000 },
    portLock: lockFile(Object.fromEntries(entries)),
  });
  for (const { name, more, sourceRanges, maxConnections, bandwidth } of tenants) {
    shared.addTenant(name, { maxConnections, bandwidth });
    const ports = [{ port: 5432 }, ...(more === undefined ? [] : [{ port: 5433 }])];
    shared.attach(new Chart(app, name, { namespace: name }), { tenant: name, service: 'db', ports, sourceRanges });
  }
  return app.charts.flatMap((chart) => chart.toJson());
}

/** A server that says its name to whoever connects, and what it reads back. */
export function named(name: string): Promise<{ server: Server; port: number }> {
  return listening((socket) => {
    socket.write(`${name}\n`);
    socket.pipe(socket);
  });
}

/** A server that sends as much as it can until the other side has enough, and reads whatever comes. */
export function flooding(): Promise<{ server: Server; port: number }> {
  const chunk = Buffer.alloc(64 * 1024);
  return listening((socket) => {
    socket.resume();
    const fill = () => {
      while (!socket.destroyed && socket.write(chunk)) {
        // until the other side is slower
      }
    };
    socket.on('drain', fill);
    fill();
  });
}

function listening(serve: (socket: Socket) => void): Promise<{ server: Server; port: number }> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    serve(socket);
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve({ server, port: (server.address() as { port: number }).port }));
  });
}

/** A connection, and whether it was served: those that are refused are closed before anything is said. */
export interface Answer {
  readonly socket: Socket;
  readonly said: string;
}

/** Connects, and waits for the first words or the end. */
export function answer(port: number, from = '127.0.0.1', first?: string): Promise<Answer> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress: from });
    socket.setTimeout(3000);
    const end = (said: string) => resolve({ socket, said });
    socket.once('data', (data) => end(data.toString().trim()));
    for (const event of ['end', 'close', 'error', 'timeout'] as const) {
      socket.once(event, () => end(event === 'timeout' ? '(nothing)' : ''));
    }
    if (first !== undefined) {
      socket.write(first);
    }
  });
}

/** What comes back of a word, over a connection that is held. */
export function echoed({ socket }: Answer, word: string): Promise<string> {
  return new Promise((resolve) => {
    if (socket.destroyed) {
      resolve('');
      return;
    }
    socket.once('data', (data) => resolve(data.toString()));
    socket.once('close', () => resolve(''));
    socket.write(word);
  });
}

/** Bytes a second that some connections get, together, over some seconds. */
export async function received(ports: readonly number[], seconds: number): Promise<number> {
  let bytes = 0;
  const sockets = ports.map((port) => connect(port, '127.0.0.1'));
  for (const socket of sockets) {
    socket.on('error', () => undefined).on('data', (data) => (bytes += data.length));
  }
  // what fits into buffers comes at once, and says nothing of the rate
  await pause(1500);
  const before = bytes;
  await pause(seconds * 1000);
  const rate = (bytes - before) / seconds;
  for (const socket of sockets) {
    socket.destroy();
  }
  return rate;
}

/** Bytes a second that some connections get rid of, together, over some seconds. */
export async function sent(ports: readonly number[], seconds: number): Promise<number> {
  const chunk = Buffer.alloc(64 * 1024);
  const sockets = ports.map((port) => connect(port, '127.0.0.1'));
  for (const socket of sockets) {
    const fill = () => {
      while (!socket.destroyed && socket.write(chunk)) {
        // until the other side is slower
      }
    };
    socket
      .on('error', () => undefined)
      .on('connect', fill)
      .on('drain', fill)
      .resume();
  }
  const total = () => sockets.reduce((sum, socket) => sum + socket.bytesWritten - socket.writableLength, 0);
  await pause(1500);
  const before = total();
  await pause(seconds * 1000);
  const rate = (total() - before) / seconds;
  for (const socket of sockets) {
    socket.destroy();
  }
  return rate;
}

import { mkdtempSync, rmSync } from 'node:fs';
import type { Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Program } from '../../cluster/harness/program';
import { until } from '../../cluster/harness/wait';
import { startHaproxy } from './proxy';
import { type Answer, answer, flooding, named } from './tcp';

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

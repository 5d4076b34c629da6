import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';

/** What the browser answers, or reports by itself. */
interface Message {
  readonly id?: number;
  readonly sessionId?: string;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly message: string };
}

/** An event of a tab, by its name in the DevTools protocol. */
export type Listener = (method: string, params: Record<string, unknown>) => void;

const ARGS = [
  ...['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--hide-scrollbars'],
  ...['--no-first-run', '--disable-extensions', '--disable-background-networking', '--force-color-profile=srgb'],
  '--remote-debugging-pipe',
];

/** Chromium without a window, over the pipe of its DevTools protocol: messages end with a zero byte. */
export class Chromium {
  private readonly waiting = new Map<
    number,
    { readonly done: (result: Record<string, unknown>) => void; readonly failed: (error: Error) => void }
  >();
  private readonly listeners = new Map<string, Listener>();
  private readonly ended: Promise<void>;
  private end: Error | undefined;
  private last = 0;
  private rest = Buffer.alloc(0);

  /** Its sockets are in the folder for temporary files, whose name must be short: a socket has at most 107 characters. */
  public static start(program: string, profile: string, temporary: string): Chromium {
    const args = [...ARGS, `--user-data-dir=${profile}`, 'about:blank'];
    const env = { ...process.env, TMPDIR: temporary };
    return new Chromium(spawn(program, args, { env, stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] }));
  }

  private constructor(private readonly child: ChildProcess) {
    this.ended = new Promise((resolve) => child.once('close', () => resolve()));
    const stop = () => this.failAll(new Error('the browser ended'));
    child.once('error', (error) => this.failAll(error));
    child.once('exit', stop);
    (child.stdio[3] as Writable).on('error', stop);
    (child.stdio[4] as Readable).on('data', (chunk: Buffer) => this.read(chunk));
  }

  public listen(session: string, listener: Listener): void {
    this.listeners.set(session, listener);
  }

  /** Asks, and waits for the answer. */
  public send<T>(method: string, params: Record<string, unknown> = {}, sessionId?: string): Promise<T> {
    if (this.end) {
      return Promise.reject(this.end);
    }
    this.last += 1;
    const id = this.last;
    return new Promise<T>((done, failed) => {
      this.waiting.set(id, { done: (result) => done(result as T), failed });
      (this.child.stdio[3] as Writable).write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    });
  }

  public async close(): Promise<void> {
    await this.send('Browser.close').catch(() => this.child.kill());
    await this.ended;
  }

  private failAll(error: Error): void {
    this.end ??= error;
    for (const { failed } of this.waiting.values()) {
      failed(error);
    }
    this.waiting.clear();
  }

  private read(chunk: Buffer): void {
    this.rest = Buffer.concat([this.rest, chunk]);
    for (let end = this.rest.indexOf(0); end >= 0; end = this.rest.indexOf(0)) {
      this.take(JSON.parse(this.rest.subarray(0, end).toString('utf8')) as Message);
      this.rest = this.rest.subarray(end + 1);
    }
  }

  private take({ id, sessionId, method, params = {}, result = {}, error }: Message): void {
    const waiting = id === undefined ? undefined : this.waiting.get(id);
    if (id !== undefined && waiting) {
      this.waiting.delete(id);
      if (error) {
        waiting.failed(new Error(error.message));
      } else {
        waiting.done(result);
      }
    } else if (method !== undefined && sessionId !== undefined) {
      this.listeners.get(sessionId)?.(method, params);
    }
  }
}

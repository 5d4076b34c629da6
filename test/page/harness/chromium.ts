import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';

/** How a page is looked at. */
export interface View {
  readonly scheme: 'light' | 'dark';
  readonly width: number;
  readonly height?: number;
  readonly scale?: number;
  readonly media?: 'screen' | 'print';
}

/** A node of the accessibility tree, as far as it matters here. */
export interface Accessible {
  readonly role: string;
  readonly name: string;
}

interface AxNode {
  readonly ignored: boolean;
  readonly role?: { readonly value: string };
  readonly name?: { readonly value: string };
}

/** One page in the browser, with all that it complains about. */
export class Tab {
  /** Errors of the console, of the page and of its security policy, and every request beside the page itself. */
  public readonly complaints: string[] = [];
  private loaded: () => void = () => undefined;

  public static async open(browser: Chromium): Promise<Tab> {
    const { targetId } = await browser.send<{ targetId: string }>('Target.createTarget', { url: 'about:blank' });
    const { sessionId } = await browser.send<{ sessionId: string }>('Target.attachToTarget', {
      targetId,
      flatten: true,
    });
    const tab = new Tab(browser, targetId, sessionId);
    for (const domain of ['Page', 'Runtime', 'Log', 'Network', 'Accessibility']) {
      await tab.send(`${domain}.enable`);
    }
    return tab;
  }

  private constructor(
    private readonly browser: Chromium,
    private readonly target: string,
    private readonly session: string,
  ) {
    browser.listen(session, (method, params) => this.hear(method, params));
  }

  public async show(file: string, view: View): Promise<void> {
    await this.look(view);
    await this.loading(() => this.send('Page.navigate', { url: pathToFileURL(file).href }));
  }

  /** Does what leads to another page, and waits until that is there. */
  public async loading(leads: () => Promise<unknown>): Promise<void> {
    const loaded = new Promise<void>((resolve) => {
      this.loaded = resolve;
    });
    await leads();
    await loaded;
  }

  public async look({ scheme, width, height = 900, scale = 1, media = 'screen' }: View): Promise<void> {
    await this.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: scale, mobile: false });
    const features = [{ name: 'prefers-color-scheme', value: scheme }];
    await this.send('Emulation.setEmulatedMedia', { media, features });
  }

  /** The value of an expression in the page. */
  public async evaluate<T>(expression: string): Promise<T> {
    const { result, exceptionDetails } = await this.send<{
      result: { value: T };
      exceptionDetails?: { text: string; exception?: { description?: string } };
    }>('Runtime.evaluate', { expression, returnByValue: true });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  public async accessible(): Promise<Accessible[]> {
    const { nodes } = await this.send<{ nodes: AxNode[] }>('Accessibility.getFullAXTree');
    return nodes
      .filter(({ ignored }) => !ignored)
      .map(({ role, name }) => ({ role: role?.value ?? '', name: name?.value ?? '' }));
  }

  public async press(key: string): Promise<void> {
    const code = { Tab: 9, Enter: 13 }[key];
    const event = { key, code: key, windowsVirtualKeyCode: code, ...(key === 'Enter' ? { text: '\r' } : {}) };
    await this.send('Input.dispatchKeyEvent', { type: 'keyDown', ...event });
    await this.send('Input.dispatchKeyEvent', { type: 'keyUp', ...event });
  }

  public async picture(clip?: { x: number; y: number; width: number; height: number; scale: number }): Promise<Buffer> {
    const { data } = await this.send<{ data: string }>('Page.captureScreenshot', {
      format: 'png',
      ...(clip ? { clip, captureBeyondViewport: true } : {}),
    });
    return Buffer.from(data, 'base64');
  }

  public async close(): Promise<void> {
    await this.browser.send('Target.closeTarget', { targetId: this.target });
  }

  private send<T>(method: string, params?: Record<string, unknown>): Promise<T> {
    return this.browser.send<T>(method, params, this.session);
  }

  private hear(method: string, params: Record<string, unknown>): void {
    if (method === 'Page.loadEventFired') this.loaded();
    if (['Runtime.consoleAPICalled', 'Runtime.exceptionThrown', 'Log.entryAdded'].includes(method)) {
      this.complaints.push(JSON.stringify(params));
    }
    const { request } = params as { request?: { url: string } };
    if (method === 'Network.requestWillBeSent' && request && !/^(file|data):/.test(request.url)) {
      this.complaints.push(`asks for ${request.url}`);
    }
  }
}

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
    if (this.end) return Promise.reject(this.end);
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

import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';

export type Call = readonly [program: string, args: readonly string[]];

/** What a program printed. */
export interface Output {
  readonly program: string;
  readonly text: string;
  readonly stderr: string;
  /** Why there is no text; its code is the exit code, or a name such as `ENOENT`. */
  readonly error?: { readonly code?: number | string; readonly killed?: boolean; readonly message: string };
}

/** How long a program may run. */
export const SECONDS = 60;

/** The most that a program may print. */
const MOST_BYTES = 1 << 28;

/** Variables that are passed on to programs: secrets are not among them. */
const PASSED_ON = ['PATH', 'Path', 'PATHEXT', 'SystemRoot', 'TMPDIR', 'TEMP', 'TMP'];

/** No proxy listens there: what asks for the network fails at once. */
const NO_NETWORK = 'http://127.0.0.1:9';

/** Each of two lanes runs the next program when its last one has ended; of alternatives, the first one that is there runs. */
const THREAD = `
const { execFile } = require('node:child_process');
const { rmSync } = require('node:fs');
const { workerData: { runs, options, home, port, ended } } = require('node:worker_threads');
const run = ([[program, args], ...others], env) =>
  new Promise((resolve) => {
    const child = execFile(program, args, { ...options, env }, (error, text, stderr) => {
      const { code, killed, message } = error ?? {};
      const isNext = code === 'ENOENT' && others.length > 0;
      resolve(isNext ? run(others, env) : { program, text, stderr, ...(error && { error: { code, killed, message } }) });
    });
    child.stdin.end();
  }).catch(({ message }) => ({ program, text: '', stderr: '', error: { message } }));
let next = 0;
let left = runs.length;
const lane = async () => {
  while (next < runs.length) {
    const index = next++;
    const output = await run(runs[index].calls, runs[index].env);
    if (--left === 0) rmSync(home, { recursive: true, force: true });
    port.postMessage({ index, output });
    Atomics.add(ended, 0, 1);
    Atomics.notify(ended, 0);
  }
};
lane();
lane();
`;

/**
 * Programs that run in a thread, at most two at once, while their first outputs are read here. No shell runs them, and each has a home
 * of its own that holds no settings, plugins or credentials.
 */
export class Programs {
  private readonly runs: (readonly Call[])[] = [];
  private readonly outputs: Output[] = [];
  private readonly ended = new Int32Array(new SharedArrayBuffer(4));
  private port?: MessagePort;

  /** True if they run, so that none can be added. */
  public get haveBegun(): boolean {
    return this.port !== undefined;
  }

  /**
   * Adds a run, which begins with all others when the first output is asked for.
   *
   * @param calls a program, and those that take its place if it is not there
   * @returns waits for the output
   */
  public run(...calls: readonly Call[]): () => Output {
    const index = this.runs.push(calls) - 1;
    return () => this.output(index);
  }

  private output(index: number): Output {
    this.port ??= this.start();
    while (this.outputs[index] === undefined) {
      const before = Atomics.load(this.ended, 0);
      for (let one = receiveMessageOnPort(this.port); one; one = receiveMessageOnPort(this.port)) {
        this.outputs[one.message.index] = one.message.output;
      }
      const isKnown = this.outputs[index] !== undefined;
      if (!isKnown && Atomics.wait(this.ended, 0, before, 2 * SECONDS * 1000) === 'timed-out') {
        throw new Error('the thread that runs programs has ended');
      }
    }
    return this.outputs[index];
  }

  private start(): MessagePort {
    const { port1, port2 } = new MessageChannel();
    const home = mkdtempSync(join(tmpdir(), 'load-balancers-'));
    const runs = this.runs.map((calls, i) => ({ calls, env: environment(join(home, `${i}`)) }));
    const options = { timeout: SECONDS * 1000, killSignal: 'SIGKILL', maxBuffer: MOST_BYTES, windowsHide: true };
    const workerData = { runs, options, home, port: port2, ended: this.ended };
    new Worker(THREAD, { eval: true, workerData, transferList: [port2] }).unref();
    return port1;
  }
}

function environment(home: string): NodeJS.ProcessEnv {
  mkdirSync(home);
  const passed = PASSED_ON.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]));
  return {
    ...Object.fromEntries(passed),
    HOME: home,
    USERPROFILE: home,
    XDG_CONFIG_HOME: home,
    XDG_CACHE_HOME: home,
    XDG_DATA_HOME: home,
    HELM_PLUGINS: join(home, 'plugins'),
    KUSTOMIZE_PLUGIN_HOME: join(home, 'plugins'),
    HTTP_PROXY: NO_NETWORK,
    HTTPS_PROXY: NO_NETWORK,
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_TERMINAL_PROMPT: '0',
    LC_ALL: 'C',
  };
}

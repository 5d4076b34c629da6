import { type ChildProcess, execFile, spawn } from 'node:child_process';
import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { constants, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { ControlPlane } from './control-plane';

/** Lines of a log that an error shows. */
const LINES_SHOWN = 12;

/** How long a program may take to end by itself, in ms. */
const END_PATIENCE = 3000;

export interface ProgramProps {
  readonly name: string;
  readonly command: string;
  readonly args: string[];
  /** Where its log goes. */
  readonly folder: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Whether it does its work. */
  readonly isReady: (program: Program) => Promise<boolean> | boolean;
  readonly seconds?: number;
}

/**
 * A program that runs beside the tests, with its output in a log. Its standard input is a pipe of ours: programs that watch
 * it end when this process is no more, however it ended.
 */
export class Program {
  /** Starts it, and waits until it is ready. */
  public static async start(props: ProgramProps): Promise<Program> {
    const program = new Program(props);
    try {
      await until(
        `${props.name} to be ready`,
        async () => {
          program.mustRun();
          return props.isReady(program);
        },
        { seconds: props.seconds },
      );
    } catch (error) {
      const { message } = error as Error;
      await program.kill();
      throw new Error(`${message}\n${program.lastLines()}`.trimEnd());
    }
    return program;
  }

  public readonly name: string;
  public readonly logFile: string;
  private readonly child: ChildProcess;
  private readonly ended: Promise<void>;
  private failure?: Error;

  private constructor(props: ProgramProps) {
    this.name = props.name;
    this.logFile = join(props.folder, `${props.name}.log`);
    const log = openSync(this.logFile, 'a');
    this.child = spawn(props.command, props.args, { stdio: ['pipe', log, log], env: { ...process.env, ...props.env } });
    closeSync(log);
    this.child.stdin?.on('error', () => undefined);
    // before the folder goes, and for programs that do not watch their standard input
    const end = () => void this.child.kill('SIGKILL');
    process.prependOnceListener('exit', end);
    this.ended = new Promise((resolve) => {
      this.child.once('exit', () => {
        process.off('exit', end);
        resolve();
      });
      this.child.once('error', (error) => {
        this.failure = error;
        process.off('exit', end);
        resolve();
      });
    });
  }

  public get pid(): number {
    return this.child.pid ?? 0;
  }

  public get isRunning(): boolean {
    return !this.failure && this.child.exitCode === null && this.child.signalCode === null;
  }

  public get log(): string {
    return readFileSync(this.logFile, 'utf8');
  }

  /** @throws when it has ended. */
  public mustRun(): void {
    if (!this.isRunning) {
      throw new Error(this.failure ? this.whyNotStarted(this.failure) : `${this.name} has ended ${this.how}`);
    }
  }

  public lastLines(): string {
    return this.log.trimEnd().split('\n').slice(-LINES_SHOWN).join('\n');
  }

  /** Asks it to end, and sees to it that it does after some milliseconds. */
  public async stop(patience = END_PATIENCE): Promise<void> {
    this.child.kill('SIGTERM');
    const hurry = setTimeout(() => this.child.kill('SIGKILL'), patience);
    await this.ended;
    clearTimeout(hurry);
  }

  /** Ends it without a chance to say goodbye. */
  public async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended;
  }

  private get how(): string {
    return this.child.signalCode ? `by ${this.child.signalCode}` : `with exit code ${this.child.exitCode}`;
  }

  private whyNotStarted({ code, message }: NodeJS.ErrnoException): string {
    const reasons: Record<string, string> = { ENOENT: 'there is no such file', EACCES: 'it is not executable' };
    return `${this.name} cannot be started from ${this.child.spawnfile}: ${reasons[code ?? ''] ?? message}`;
  }
}

/** Waits a while. */
export const pause = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

/** Far more than anything takes on a quiet machine: only what never comes is waited for to the end. */
const PATIENCE = 120;

/**
 * Asks until there is an answer other than undefined or false, and returns it.
 *
 * @throws with what was waited for, and what was seen last, when the time is over.
 */
export async function until<T>(
  what: string,
  ask: () => Promise<T | undefined | false> | T | undefined | false,
  options: { seconds?: number; seen?: () => unknown } = {},
): Promise<T> {
  const { seconds = PATIENCE, seen } = options;
  const end = Date.now() + seconds * 1000;
  for (let wait = 5; ; wait = Math.min(wait * 1.5, 100)) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) {
      return answer;
    }
    if (Date.now() > end) {
      const last = seen ? `; seen last: ${JSON.stringify(await seen())}` : '';
      throw new Error(`waited ${seconds} s in vain for ${what}${last}`);
    }
    await pause(wait);
  }
}

/** The blocks of a page that are meant to be typed, by the number of the step that they stand under. */
export function shellBlocks(markdown: string): Map<number, string[]> {
  const steps = new Map<number, string[]>();
  for (const [, , number, body] of markdown.matchAll(/^(##+) (\d+)\. .*\n([\s\S]*?)(?=^\1 |^## |(?![\s\S]))/gm)) {
    steps.set(
      Number(number),
      [...body.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, commands]) => commands),
    );
  }
  return steps;
}

export interface ShellAnswer {
  readonly output: string;
  readonly status: number;
}

/** Runs commands in a shell whose kubectl is the real one and speaks to this control plane. */
export function runShell(plane: ControlPlane, commands: string): Promise<ShellAnswer> {
  const kubectl = 'kubectl() { "$CONTROL_PLANE" kubectl --kubeconfig "$KUBECONFIG" "$@"; }\n';
  return new Promise((resolve) => {
    execFile(
      'bash',
      ['-c', kubectl + commands],
      { cwd: plane.folder, env: { ...process.env, KUBECONFIG: plane.kubeconfig }, timeout: 90_000 },
      (error, stdout, stderr) => resolve({ output: stdout + stderr, status: error ? Number(error.code ?? 1) : 0 }),
    );
  });
}

/** Adds to the figures that are printed at the end of the run. */
export function count(label: string, number = 1): void {
  append('FIGURES', { label, count: number });
}

/** One line of JSON into the file that an environment variable names, where there is one. */
export function append(variable: 'FIGURES' | 'STORIES', line: unknown): void {
  const file = process.env[variable];
  if (file) {
    appendFileSync(file, `${JSON.stringify(line)}\n`);
  }
}

function listen(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      server.close(() =>
        typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no port')),
      );
    });
  });
}

/** Below the ports that the kernel gives to connections of other programs, which could take one before it is listened on. */
const LOWEST = 11_000;
const HIGHEST = 29_000;

/** Processes begin at different places, and none gives a port twice before it has given all. */
let last = LOWEST + ((process.pid * 97) % (HIGHEST - LOWEST));

/** Ports of the loopback interface on which nobody listens. */
export async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  for (let tried = 0; ports.length < count; tried++) {
    if (tried > HIGHEST - LOWEST) {
      throw new Error(`there are no ${count} free ports from ${LOWEST} to ${HIGHEST}`);
    }
    last = last < HIGHEST ? last + 1 : LOWEST;
    const port = await listen(last).catch(() => undefined);
    if (port !== undefined) {
      ports.push(port);
    }
  }
  return ports;
}

/** @throws when nobody can listen on a port of the loopback interface. */
export async function mustBeFree(port: number): Promise<void> {
  await listen(port).catch(({ code, message }: NodeJS.ErrnoException) => {
    const reasons: Record<string, string> = {
      EADDRINUSE: 'is in use by another program',
      EACCES: 'is not for this user to open',
      ERR_SOCKET_BAD_PORT: 'does not exist',
    };
    const reason = reasons[code ?? ''] ?? `cannot be opened (${message})`;
    throw new Error(`port ${port} on 127.0.0.1 ${reason}: choose another, or none to get a free one`);
  });
}

const PREFIX = 'cdk8s-load-balancers-cluster-';
const NAME = new RegExp(`^${PREFIX}(\\d+)-\\w{6}$`);

/** What the data of one control plane needs at most, in MiB. */
const NEEDED_MIB = 512;

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The folders of this process. */
const folders = new Set<string>();
let isWatching = false;

/** Whether there is a process of this number. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function existing(folder: string): string {
  return existsSync(folder) ? folder : existing(dirname(resolve(folder)));
}

/** @throws when the disk of a folder, which need not exist yet, has less room than needed. */
export function mustHaveRoom(
  folder: string,
  mebibytes: number,
  whatFor: string,
  remedy = 'set TMPDIR to a folder on another disk',
): void {
  const { bavail, bsize } = statfsSync(existing(folder));
  const room = Math.floor((bavail * bsize) / 2 ** 20);
  if (room < mebibytes) {
    throw new Error(
      `no room on the disk of ${folder}: ${whatFor} needs ${mebibytes} MiB and there are ${room}; make room, or ${remedy}`,
    );
  }
}

/** Removes the folder of a run. */
export function removeRunFolder(folder: string): void {
  folders.delete(folder);
  // again where a program that is about to end wrote another file meanwhile
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
}

/** Removes what runs left behind whose process is no more; returns how many there were. */
export function sweep(base = tmpdir()): number {
  const left = readdirSync(base).filter((name) => {
    const pid = NAME.exec(name)?.[1];
    return pid !== undefined && !isAlive(Number(pid));
  });
  return left.filter((name) => {
    try {
      removeRunFolder(join(base, name));
      return true;
    } catch {
      return false; // another user's
    }
  }).length;
}

/** Sees to it, once, that the folders go when this process goes, unless it is killed. */
function watchTheEnd(): void {
  process.once('exit', () => [...folders].forEach(removeRunFolder));
  for (const signal of SIGNALS) {
    process.once(signal, () => {
      if (process.listenerCount(signal) === 0) {
        process.exit(128 + constants.signals[signal]);
      }
    });
  }
}

function newFolder(base: string): string {
  if (!isWatching) {
    isWatching = true;
    watchTheEnd();
  }
  const folder = mkdtempSync(join(base, `${PREFIX}${process.pid}-`));
  folders.add(folder);
  return folder;
}

/** A folder for the data, certificates and logs of one run, which goes when this process goes. */
export function newRunFolder(base = tmpdir()): string {
  sweep(base);
  mustHaveRoom(base, NEEDED_MIB, 'a control plane');
  return newFolder(base);
}

/** A folder for what tests leave in the one for temporary files, which goes when this process goes. */
export function newScratchFolder(base = tmpdir()): string {
  sweep(base);
  return newFolder(base);
}

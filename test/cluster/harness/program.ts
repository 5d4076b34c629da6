import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from './wait';

/** Lines of a log that an error shows. */
const LINES_SHOWN = 12;

/** How long a program may take to end by itself, in ms. */
const PATIENCE = 3000;

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
  public async stop(patience = PATIENCE): Promise<void> {
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

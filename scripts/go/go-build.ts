import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { BuildProgress } from './build-progress';
import { goEnvironment, goFailure } from './go-command';

/** How long go may take to end when it is asked to, in ms. */
const PATIENCE = 5000;

/** Lines kept for an error. */
const LINES_KEPT = 40;

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The same program from the same sources, wherever they lie, without tables of debuggers. */
const BUILD_FLAGS = ['-mod=readonly', '-trimpath', '-buildvcs=false', '-ldflags', '-s -w'];

/** A build was cut off by a signal to this process. */
export class BuildInterrupted extends Error {
  public constructor(public readonly signal: NodeJS.Signals) {
    super(`the build was ended by ${signal}`);
  }
}

export interface GoBuild {
  readonly name: string;
  readonly folder: string;
  readonly packagePath: string;
  readonly unoptimised?: string;
  readonly output: string;
  readonly progress: BuildProgress;
}

/** Ends go with its compilers, which are in a process group of their own for that. */
function endGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) {
    return;
  }
  try {
    process.kill(-child.pid, signal);
  } catch {
    child.kill(signal);
  }
}

export function goBuild({ name, folder, packagePath, unoptimised, output, progress }: GoBuild): Promise<void> {
  const asItIs = unoptimised === undefined ? [] : [`-gcflags=${unoptimised}=-N -l`];
  const args = ['build', '-v', ...BUILD_FLAGS, ...asItIs, '-o', output, packagePath];
  let interruption: BuildInterrupted | undefined;
  let hurry: NodeJS.Timeout | undefined;
  const interrupt = (signal: NodeJS.Signals) => {
    interruption ??= new BuildInterrupted(signal);
    endGroup(child, 'SIGINT'); // of the signals that end go, the one after which it clears its work folder
    hurry ??= setTimeout(() => endGroup(child, 'SIGKILL'), PATIENCE);
  };
  const forget = () => {
    clearTimeout(hurry);
    for (const signal of SIGNALS) process.off(signal, interrupt);
  };
  for (const signal of SIGNALS) process.on(signal, interrupt); // before go runs: a signal in between would leave it behind
  const child = spawn('go', args, {
    cwd: folder,
    detached: true,
    env: goEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    createInterface(stream).on('line', (line) => {
      if (!progress.hear(line)) {
        lines.push(line);
        lines.splice(0, lines.length - LINES_KEPT);
      }
    });
  }
  return new Promise((resolve, reject) => {
    child.once('error', (error) => {
      forget();
      reject(goFailure(`the build of ${name}`, error.message));
    });
    child.once('close', (code, signal) => {
      forget();
      if (interruption) {
        reject(interruption);
      } else if (code === 0) {
        resolve();
      } else {
        reject(goFailure(`the build of ${name} in ${folder}`, lines.join('\n') || `go ended with ${code ?? signal}`));
      }
    });
  });
}

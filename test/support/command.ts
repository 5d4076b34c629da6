import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { main } from '../../src/cli/main';

export interface Outcome {
  readonly out: string;
  readonly error: string;
  readonly code: number;
}

class Exit extends Error {}

export function run(...args: string[]): Outcome {
  const said = { out: '', error: '', code: 0 };
  const { stdout, stderr, exit } = process;
  const writes = [stdout.write, stderr.write];
  const hear = (stream: 'out' | 'error') => (text: string | Uint8Array) => {
    said[stream] += String(text);
    return true;
  };
  stdout.write = hear('out');
  stderr.write = hear('error');
  process.exit = (code) => {
    said.code = Number(code);
    throw new Exit();
  };
  try {
    main(['node', 'cdk8s-load-balancers', ...args]);
    said.code = Number(process.exitCode ?? 0);
  } catch (error) {
    if (!(error instanceof Exit)) throw error;
  } finally {
    process.exitCode = undefined;
    [stdout.write, stderr.write] = writes;
    process.exit = exit;
  }
  return said;
}

/** Runs something with these shell scripts, and what they need of the system, alone in PATH. */
export function withPrograms<T>(scripts: Readonly<Record<string, string>>, run: () => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'programs-'));
  const { PATH } = process.env;
  try {
    for (const [name, script] of Object.entries({ cat: 'exec /bin/cat "$@"', git: gitOf(PATH), ...scripts })) {
      const file = join(folder, name);
      writeFileSync(file, `#!/bin/sh\n${script}\n`);
      chmodSync(file, 0o755);
    }
    process.env.PATH = folder;
    return run();
  } finally {
    process.env.PATH = PATH;
    rmSync(folder, { recursive: true });
  }
}

function gitOf(path = ''): string {
  return `PATH="${path}" exec git "$@"`;
}

/** A renderer that prints the file `rendered.yaml` of what it is asked for. */
export const RENDERERS = {
  kustomize: 'cat "$3/rendered.yaml"',
  helm: 'shift $(($# - 1)); cat "$1/rendered.yaml"',
};

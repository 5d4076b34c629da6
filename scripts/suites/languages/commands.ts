import { spawnSync } from 'node:child_process';

/** How a program ended, and what it printed. */
export interface Ended {
  readonly status: number | null;
  readonly output: string;
}

/** Where a program runs. */
export interface Where {
  readonly cwd: string;
  readonly env?: NodeJS.ProcessEnv;
  /** After so many milliseconds it is ended. */
  readonly timeout?: number;
}

/** What the runner of this file sets for itself. */
const OWN = Object.keys(process.env).filter((name) => name.startsWith('TSX_'));

/** Without what the runner of this file and the shell of its user set for other apps. */
export const ENVIRONMENT: NodeJS.ProcessEnv = {
  ...process.env,
  ...Object.fromEntries(OWN.map((name) => [name, undefined])),
  NODE_OPTIONS: '',
  NODE_PATH: '',
  CDK8S_OUTDIR: 'dist',
  JSII_SILENCE_WARNING_END_OF_LIFE_NODE_VERSION: String(process.versions.node.split('.')[0]),
  PIP_DISABLE_PIP_VERSION_CHECK: '1',
  PIP_NO_INPUT: '1',
  npm_config_audit: 'false',
  npm_config_fund: 'false',
  npm_config_update_notifier: 'false',
};

/** Runs a program to its end. */
export function run(where: Where, command: string, ...args: string[]): Ended {
  const { cwd, env = {}, timeout } = where;
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    env: { ...ENVIRONMENT, ...env },
    timeout,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return { status, output: `${stdout ?? ''}${stderr ?? ''}${error === undefined ? '' : `${error.message}\n`}` };
}

/**
 * Runs a program that must succeed.
 *
 * @returns what it printed
 * @throws with what it printed
 */
export function must(where: Where, command: string, ...args: string[]): string {
  const { status, output } = run(where, command, ...args);
  if (status !== 0) {
    throw new Error(`${[command, ...args].join(' ')} ended with ${status}\n${output}`);
  }
  return output;
}

/**
 * Runs a program that must fail.
 *
 * @returns what it printed
 */
export function mustFail(where: Where, command: string, ...args: string[]): string {
  const { status, output } = run(where, command, ...args);
  if (status === 0 || status === null) {
    throw new Error(`${[command, ...args].join(' ')} ended with ${status}\n${output}`);
  }
  return output;
}

/** @throws where a text lacks a part */
export function mustContain(text: string, part: string): void {
  if (!text.includes(part)) {
    throw new Error(`there is no\n${part}\nin\n${text}`);
  }
}

/** @throws where nothing in a text is of a form */
export function mustMatch(text: string, form: RegExp): void {
  if (!form.test(text)) {
    throw new Error(`nothing is of the form ${form} in\n${text}`);
  }
}

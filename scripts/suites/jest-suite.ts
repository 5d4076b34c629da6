import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';

export const ROOT = join(__dirname, '..', '..');

export const JEST = require.resolve('jest/bin/jest');

export const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The configuration of jest for every suite with real programs, whose name is the variable SUITE. */
export const CONFIG = 'test/real/jest.config.js';

/** True if arguments of the script choose among the tests. */
export const asksForSome = () => process.argv.length > 2;

/** Passed and failed tests; to skip a test is to fail it, unless only some were asked for. */
export interface Tally {
  readonly passed: number;
  readonly failed: number;
}

/** What jest writes of a run. */
interface JestResult {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly numRuntimeErrorTestSuites: number;
  readonly testResults: readonly { readonly assertionResults: readonly JestTest[] }[];
}

interface JestTest {
  readonly fullName: string;
  readonly status: string;
  /** How often it was tried. */
  readonly invocations?: number;
}

function ended(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(code ?? 128 + constants.signals[signal ?? 'SIGKILL']));
  });
}

/** Hands a process the signals that this one gets, and waits for its end. */
export async function interruptible(child: ChildProcess): Promise<number> {
  const pass = (signal: NodeJS.Signals) => child.kill(signal);
  for (const signal of SIGNALS) process.on(signal, pass);
  try {
    return await ended(child);
  } finally {
    for (const signal of SIGNALS) process.off(signal, pass);
  }
}

/** The tests that passed only when they were tried again. */
function triedAgain({ testResults }: Pick<JestResult, 'testResults'>): string[] {
  return testResults
    .flatMap((file) => file.assertionResults)
    .filter((test) => test.status === 'passed' && (test.invocations ?? 1) > 1)
    .map((test) => test.fullName);
}

/** What jest counted, which wrote it and ended with a status; says which tests had to be tried again. */
export function tallyOf(outputFile: string, status: number): Tally {
  if (!existsSync(outputFile)) {
    return { passed: 0, failed: 1 };
  }
  const result = JSON.parse(readFileSync(outputFile, 'utf8')) as JestResult;
  const { numPassedTests: passed, numFailedTests, numPendingTests, numTodoTests, numRuntimeErrorTestSuites } = result;
  for (const name of triedAgain(result)) {
    process.stdout.write(`tried again: ${name}\n`);
  }
  const skipped = asksForSome() ? 0 : numPendingTests + numTodoTests;
  const failed = numFailedTests + numRuntimeErrorTestSuites + skipped;
  return { passed, failed: status === 0 && passed > 0 ? failed : Math.max(failed, 1) };
}

/**
 * Runs a suite that has a jest configuration of its own.
 *
 * @param config the configuration, from the root of the project
 * @param folder where jest, its workers and the tests leave whatever they leave: the caller removes it
 * @param env what the tests must know
 * @param within a command that runs another one, whose arguments follow
 */
export async function runJestSuite(
  config: string,
  folder: string,
  env: NodeJS.ProcessEnv,
  within: readonly string[] = [],
): Promise<Tally> {
  const outputFile = join(folder, 'result.json');
  const args = ['--config', config, '--json', '--outputFile', outputFile, ...process.argv.slice(2)];
  const [first, ...rest] = [...within, process.execPath, JEST, ...args];
  const child = spawn(first, rest, {
    cwd: ROOT,
    env: { ...process.env, ...env, TMPDIR: folder },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return tallyOf(outputFile, await interruptible(child));
}

/** Something that the user must install or mend, in one sentence. */
export class Lack extends Error {}

/** Exit code where a toolchain is missing. */
const MISSING = 3;

/** Runs a suite as a program: its last line has the totals, unless something is missing. */
export async function suiteAsProgram(run: () => Promise<Tally>): Promise<void> {
  let tally: Tally = { passed: 0, failed: 1 };
  try {
    tally = await run();
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    if (error instanceof Lack) {
      process.exitCode = MISSING;
      return;
    }
  }
  process.stdout.write(`${tally.passed} passed, ${tally.failed} failed\n`);
  process.exitCode = tally.failed === 0 ? 0 : 1;
}

// What a real Kubernetes control plane makes of the manifests of this library: builds one from Go modules, and runs
// test/cluster with jest. Go is all that it needs beside Node.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { newRunFolder, removeRunFolder } from '../test/cluster/harness/run-folder';
import type { StoryRecord } from '../test/cluster/harness/story';
import { checkPage } from './cluster/what-happens';
import { builtBinary, type GoModule } from './go/binary';
import { lackOfGo, wantedGo } from './go/find-go';
import { downloadedModules } from './go/go-modules';

const root = join(__dirname, '..');
const suite = join(root, 'test', 'cluster');

const CONTROL_PLANE: GoModule = {
  name: 'control-plane',
  folder: join(suite, 'control-plane'),
  packagePath: '.',
  minutes: 13,
};

/** Where the modules are pinned that hold custom resource definitions. */
const CRDS = join(suite, 'crds');
const CRD_MODULES = ['github.com/envoyproxy/gateway', 'go.universe.tf/metallb', 'sigs.k8s.io/gateway-api'];

/** Exit code where there is no Go to build with. */
const NO_GO = 3;

/** Arguments choose among the tests. */
const ONLY_SOME = process.argv.length > 2;

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** What jest writes of a run. */
interface JestResult {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly numRuntimeErrorTestSuites: number;
}

function ended(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(code ?? 128 + constants.signals[signal ?? 'SIGKILL']));
  });
}

/** Runs jest, hands it the signals that this process gets, and waits for its end. */
async function runJest(env: NodeJS.ProcessEnv, outputFile: string): Promise<number> {
  const jest = [
    require.resolve('jest/bin/jest'),
    '--config',
    join('test', 'cluster', 'jest.config.js'),
    '--maxWorkers',
    '2',
  ];
  const args = [...jest, '--json', '--outputFile', outputFile, ...process.argv.slice(2)];
  const child = spawn(process.execPath, args, { cwd: root, env: { ...process.env, ...env }, stdio: 'inherit' });
  const pass = (signal: NodeJS.Signals) => child.kill(signal);
  for (const signal of SIGNALS) process.on(signal, pass);
  try {
    return await ended(child);
  } finally {
    for (const signal of SIGNALS) process.off(signal, pass);
  }
}

/** What the tests left line by line; a line without its end was cut off. */
function linesOf<T>(file: string): T[] {
  const lines = (existsSync(file) ? readFileSync(file, 'utf8') : '').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as T);
}

/** The figures that the tests left, summed by label. */
function figuresIn(file: string): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { label, count } of linesOf<{ label: string; count: number }>(file)) {
    sums.set(label, (sums.get(label) ?? 0) + count);
  }
  return sums;
}

/** Passed and failed; to skip a test is to fail it, unless the arguments asked for some of them only. */
function tally(status: number, outputFile: string): { passed: number; failed: number } {
  if (!existsSync(outputFile)) {
    return { passed: 0, failed: 1 };
  }
  const result = JSON.parse(readFileSync(outputFile, 'utf8')) as JestResult;
  const { numPassedTests: passed, numFailedTests, numPendingTests, numTodoTests, numRuntimeErrorTestSuites } = result;
  const skipped = ONLY_SOME ? 0 : numPendingTests + numTodoTests;
  const failed = numFailedTests + numRuntimeErrorTestSuites + skipped;
  return { passed, failed: status === 0 && passed > 0 ? failed : Math.max(failed, 1) };
}

/** Whether docs/what-happens.md says what was seen; a run of some of the tests says nothing about it. */
function pageIsRight(storiesFile: string): boolean {
  if (ONLY_SOME) {
    return true;
  }
  const problem = checkPage(linesOf<StoryRecord>(storiesFile), process.env.UPDATE_DOCS === '1');
  if (problem) {
    process.stdout.write(`${problem}\n`);
  }
  return problem === undefined;
}

async function check(): Promise<{ passed: number; failed: number }> {
  const binary = await builtBinary(CONTROL_PLANE);
  const modules = downloadedModules(CRDS, CRD_MODULES);
  // whatever jest and its workers leave behind lies in here
  const work = newRunFolder();
  const outputFile = join(work, 'result.json');
  const figures = join(work, 'figures.jsonl');
  const storiesFile = join(work, 'stories.jsonl');
  const begin = Date.now();
  try {
    const env = {
      CONTROL_PLANE: binary,
      CRD_MODULES: JSON.stringify(modules),
      FIGURES: figures,
      STORIES: storiesFile,
      TMPDIR: work,
    };
    const status = await runJest(env, outputFile);
    const sums = [...figuresIn(figures)].map(([label, count]) => `  ${count} ${label}\n`);
    process.stdout.write(`${sums.join('')}  ${Math.round((Date.now() - begin) / 1000)} seconds\n`);
    const result = tally(status, outputFile);
    return result.failed === 0 && !pageIsRight(storiesFile) ? { ...result, failed: 1 } : result;
  } finally {
    removeRunFolder(work);
  }
}

async function main(): Promise<number> {
  const needing = [CONTROL_PLANE.folder, CRDS].find((folder) => lackOfGo(folder) !== undefined);
  if (needing) {
    const version = `${wantedGo(needing) ?? ''} or newer`.trim();
    process.stderr.write(`test:cluster needs Go ${version}: ${lackOfGo(needing)}; install it from https://go.dev/dl\n`);
    return NO_GO;
  }
  let result = { passed: 0, failed: 1 };
  try {
    result = await check();
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
  }
  process.stdout.write(`${result.passed} passed, ${result.failed} failed\n`);
  return result.failed === 0 ? 0 : 1;
}

void main().then((code) => {
  process.exitCode = code;
});

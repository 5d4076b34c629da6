// What the real AWS cloud controller manager makes of the manifests of this library: builds it and a control plane, makes a
// Python with a fake AWS, and runs test/aws with jest.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findPython, pythonWithFakeAws } from '../test/aws/harness/python-with-fake-aws';
import { newRunFolder, removeRunFolder } from '../test/cluster/harness/run-folder';
import { builtBinary, type GoModule } from './go/binary';
import { lackOfGo, wantedGo } from './go/find-go';

const root = join(__dirname, '..');

const CONTROLLER: GoModule = {
  name: 'aws-cloud-controller-manager',
  folder: join(root, 'test', 'aws', 'cloud-controller-manager'),
  packagePath: 'k8s.io/cloud-provider-aws/cmd/aws-cloud-controller-manager',
  minutes: 8,
};

const CONTROL_PLANE: GoModule = {
  name: 'control-plane',
  folder: join(root, 'test', 'cluster', 'control-plane'),
  packagePath: '.',
  minutes: 13,
};

/** Exit code where there is no Go or no Python to run on. */
const MISSING = 3;

/** Something that the user must mend, in one sentence. */
class Lack extends Error {}

function say(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}

function ended(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

/** Runs jest, and hands it the signals that this process gets. */
async function runJest(env: NodeJS.ProcessEnv, outputFile: string): Promise<number> {
  const args = [require.resolve('jest/bin/jest'), '--config', 'test/aws/jest.config.js', '--json', '--outputFile'];
  const child = spawn(process.execPath, [...args, outputFile, ...process.argv.slice(2)], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const pass = (signal: NodeJS.Signals) => child.kill(signal);
  process.on('SIGINT', pass).on('SIGTERM', pass).on('SIGHUP', pass);
  try {
    return await ended(child);
  } finally {
    process.off('SIGINT', pass).off('SIGTERM', pass).off('SIGHUP', pass);
  }
}

interface JestResult {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly numRuntimeErrorTestSuites: number;
}

/** Passed and failed; to skip a test is to fail it, unless the arguments asked for some of them only. */
async function check(env: NodeJS.ProcessEnv): Promise<{ passed: number; failed: number }> {
  // whatever jest leaves behind lies in here
  const folder = newRunFolder();
  const outputFile = join(folder, 'result.json');
  try {
    const status = await runJest({ ...env, TMPDIR: folder }, outputFile);
    if (!existsSync(outputFile)) {
      return { passed: 0, failed: 1 };
    }
    const result = JSON.parse(readFileSync(outputFile, 'utf8')) as JestResult;
    const { numPassedTests: passed, numFailedTests, numPendingTests, numTodoTests, numRuntimeErrorTestSuites } = result;
    const skipped = process.argv.length > 2 ? 0 : numPendingTests + numTodoTests;
    const failed = numFailedTests + numRuntimeErrorTestSuites + skipped;
    return { passed, failed: status === 0 && passed > 0 ? failed : Math.max(failed, 1) };
  } finally {
    removeRunFolder(folder);
  }
}

async function prepared(): Promise<NodeJS.ProcessEnv> {
  const lack = lackOfGo(CONTROLLER.folder) ?? lackOfGo(CONTROL_PLANE.folder);
  if (lack) {
    throw new Lack(
      `test:aws needs Go ${wantedGo(CONTROLLER.folder) ?? ''} or newer: ${lack}; install it from https://go.dev/dl`,
    );
  }
  const found = findPython();
  if ('lack' in found) {
    throw new Lack(`test:aws needs ${found.lack}; install python3 and python3-venv`);
  }
  return {
    AWS_ACCOUNT_PYTHON: pythonWithFakeAws(found.python),
    CONTROL_PLANE: await builtBinary(CONTROL_PLANE),
    AWS_CLOUD_CONTROLLER_MANAGER: await builtBinary(CONTROLLER),
  };
}

async function main(): Promise<number> {
  let result = { passed: 0, failed: 1 };
  try {
    result = await check(await prepared());
  } catch (error) {
    say((error as Error).message);
    if (error instanceof Lack) {
      return MISSING;
    }
  }
  process.stdout.write(`${result.passed} passed, ${result.failed} failed\n`);
  return result.failed === 0 ? 0 : 1;
}

void main().then((code) => {
  process.exitCode = code;
});

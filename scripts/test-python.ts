// A controller written in Python binds a Service: compiles the library, makes its wheel as it is published, and runs test/python
// with pytest, mypy and pyright in a virtual environment of its own, then pyright over the snippets of the docs. Python and pip are all
// that it needs beside Node.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pythonOfSnippets } from './docs/python-snippets';
import { findPython } from './suites/find-python';
import { packagedWheel } from './suites/packaged-wheel';

const root = join(__dirname, '..');
const venv = join(root, 'node_modules', '.cache', 'test-python');
const tests = join('test', 'python');

/** The same versions in Python as in Node. */
const LIBRARIES = ['cdk8s', 'cdk8s-plus-27', 'constructs'].map(
  (name) => `${name}==${require(`${name}/package.json`).version}`,
);
// syrupy takes the snapshots of the docs
const TOOLS = ['mypy>=1.11', 'pytest>=8', 'syrupy>=4'];

/** Optional for users; its releases do not reach every registry at the same time. */
const AWS_CDK = 'aws-cdk-lib>=2.250,<3';

/** Exit code where there is no Python to run on. */
const NO_PYTHON = 3;

const environment = {
  ...process.env,
  JSII_SILENCE_WARNING_END_OF_LIFE_NODE_VERSION: String(process.versions.node.split('.')[0]),
  PIP_DISABLE_PIP_VERSION_CHECK: '1',
  PIP_NO_INPUT: '1',
  PYTHONDONTWRITEBYTECODE: '1',
};

function run(command: string, ...args: string[]) {
  return spawnSync(command, args, {
    cwd: root,
    encoding: 'utf8',
    env: environment,
    maxBuffer: 2 ** 26,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** A step that must succeed; its output is of interest only when it does not. */
function must(command: string, ...args: string[]): void {
  const { status, stdout, stderr, error } = run(command, ...args);
  if (status !== 0) {
    throw new Error(`${[command, ...args].join(' ')} failed\n${error?.message ?? ''}${stdout ?? ''}${stderr ?? ''}`);
  }
}

function makeEnvironment(python: string): void {
  if (run(join(venv, 'bin', 'python'), '-m', 'pip', '--version').status !== 0) {
    must(python, '-m', 'venv', '--clear', venv);
  }
  must(join(venv, 'bin', 'pip'), 'install', '--quiet', ...LIBRARIES, ...TOOLS, AWS_CDK);
}

function installWheel(): void {
  must(join(venv, 'bin', 'pip'), 'install', '--quiet', '--force-reinstall', '--no-deps', packagedWheel());
  must(join(venv, 'bin', 'pip'), 'check');
}

/** How often a word of pytest's summary counts. */
function count(output: string, word: RegExp): number {
  return [...output.matchAll(word)].reduce((sum, [, number]) => sum + Number(number), 0);
}

function check(): { passed: number; failed: number } {
  const pytest = run(join(venv, 'bin', 'pytest'), '-q', '-p', 'no:cacheprovider', tests);
  const mypy = run(join(venv, 'bin', 'mypy'), '--strict', '--cache-dir', join(venv, 'mypy'), tests);
  // what editors show: it holds names of parameters against those of interfaces, which mypy does not
  const pyright = run(process.execPath, require.resolve('pyright'), '--pythonpath', join(venv, 'bin', 'python'), tests);
  process.stdout.write(`${pytest.stdout}${pytest.stderr}mypy: ${mypy.stdout}${mypy.stderr}`);
  process.stdout.write(`pyright: ${pyright.stdout}${pyright.stderr}`);
  const snippets = pythonOfSnippets(join(venv, 'bin', 'python'));
  process.stdout.write(
    `snippets of the docs: ${snippets.count}\n${snippets.faults.map((line) => `${line}\n`).join('')}`,
  );
  const checkers = [mypy.status === 0, pyright.status === 0, snippets.count > 0 && snippets.faults.length === 0];
  const summary = pytest.stdout.trimEnd().split('\n').pop() ?? '';
  const failed = count(summary, /(\d+) (?:failed|errors?|skipped)/g);
  return {
    passed: count(summary, /(\d+) passed/g) + checkers.filter((passed) => passed).length,
    failed: (pytest.status === 0 ? failed : Math.max(failed, 1)) + checkers.filter((passed) => !passed).length,
  };
}

function main(): number {
  const found = findPython();
  if ('lack' in found) {
    process.stderr.write(`test:python needs ${found.lack}; install python3 and python3-venv\n`);
    return NO_PYTHON;
  }
  let result = { passed: 0, failed: 1 };
  try {
    makeEnvironment(found.python);
    installWheel();
    result = check();
  } catch (error) {
    process.stdout.write(`${(error as Error).message}\n`);
  }
  process.stdout.write(`${result.passed} passed, ${result.failed} failed\n`);
  return result.failed === 0 ? 0 : 1;
}

process.exitCode = main();

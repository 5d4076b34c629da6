// A controller written in Python binds a Service: compiles the library, makes its wheel, and runs test/python with pytest
// and mypy in a virtual environment of its own. Python and pip are all that it needs beside Node.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(__dirname, '..');
const venv = join(root, 'node_modules', '.cache', 'test-python');
const tests = join('test', 'python');

/** The same versions in Python as in Node. */
const LIBRARIES = ['cdk8s', 'cdk8s-plus-27', 'constructs'].map(
  (name) => `${name}==${require(`${name}/package.json`).version}`,
);
const TOOLS = ['mypy>=1.11', 'pytest>=8'];

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

/** What is missing in an interpreter; nothing where it will do. */
function lackOf(python: string): string | undefined {
  const version = run(
    python,
    '-c',
    'import sys; print("%d.%d" % sys.version_info[:2]); sys.exit(sys.version_info < (3, 9))',
  );
  if (version.status !== 0) {
    return version.stdout?.trim() ? `${python} is ${version.stdout.trim()}` : `there is no ${python}`;
  }
  return run(python, '-c', 'import ensurepip, venv').status === 0 ? undefined : `${python} has no venv or no pip`;
}

function newest(folder: string): number {
  return Math.max(
    ...readdirSync(folder, { recursive: true }).map((file) => statSync(join(folder, String(file))).mtimeMs),
  );
}

function compileWhereOutdated(): void {
  const assembly = statSync(join(root, '.jsii'), { throwIfNoEntry: false });
  const compiled = statSync(join(root, 'lib', 'index.js'), { throwIfNoEntry: false });
  if (!compiled || !assembly || assembly.mtimeMs < newest(join(root, 'src'))) {
    must('npx', 'projen', 'compile');
  }
}

function makeEnvironment(python: string): void {
  if (run(join(venv, 'bin', 'python'), '-m', 'pip', '--version').status !== 0) {
    must(python, '-m', 'venv', '--clear', venv);
  }
  must(join(venv, 'bin', 'pip'), 'install', '--quiet', ...LIBRARIES, ...TOOLS, AWS_CDK);
}

function installWheel(): void {
  const work = mkdtempSync(join(tmpdir(), 'cdk8s-load-balancers-wheel-'));
  try {
    must('npx', 'jsii-pacmak', '--target', 'python', '--no-npmignore', '--outdir', work);
    const folder = join(work, 'python');
    const wheels = readdirSync(folder).filter((file) => file.endsWith('.whl'));
    must(join(venv, 'bin', 'pip'), 'install', '--quiet', '--force-reinstall', '--no-deps', join(folder, wheels[0]));
    must(join(venv, 'bin', 'pip'), 'check');
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** How often a word of pytest's summary counts. */
function count(output: string, word: RegExp): number {
  return [...output.matchAll(word)].reduce((sum, [, number]) => sum + Number(number), 0);
}

function check(): { passed: number; failed: number } {
  const pytest = run(join(venv, 'bin', 'pytest'), '-q', '-p', 'no:cacheprovider', tests);
  const mypy = run(join(venv, 'bin', 'mypy'), '--strict', '--cache-dir', join(venv, 'mypy'), tests);
  process.stdout.write(`${pytest.stdout}${pytest.stderr}mypy: ${mypy.stdout}${mypy.stderr}`);
  const summary = pytest.stdout.trimEnd().split('\n').pop() ?? '';
  const failed = count(summary, /(\d+) (?:failed|errors?|skipped)/g);
  return {
    passed: count(summary, /(\d+) passed/g) + (mypy.status === 0 ? 1 : 0),
    failed: (pytest.status === 0 ? failed : Math.max(failed, 1)) + (mypy.status === 0 ? 0 : 1),
  };
}

function main(): number {
  const lacks = ['python3', 'python'].map((python) => ({ python, lack: lackOf(python) }));
  const usable = lacks.find(({ lack }) => lack === undefined);
  if (!usable) {
    const found = lacks.map(({ lack }) => lack).join(', ');
    process.stderr.write(
      `test:python needs Python 3.9 or newer with venv and pip: ${found}; install python3 and python3-venv\n`,
    );
    return NO_PYTHON;
  }
  let result = { passed: 0, failed: 1 };
  try {
    compileWhereOutdated();
    makeEnvironment(usable.python);
    installWheel();
    result = check();
  } catch (error) {
    process.stdout.write(`${(error as Error).message}\n`);
  }
  process.stdout.write(`${result.passed} passed, ${result.failed} failed\n`);
  return result.failed === 0 ? 0 : 1;
}

process.exitCode = main();

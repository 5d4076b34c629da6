// What is published, as its users have it: packs the library, puts it beside cdk8s, its command line and constructs into a folder of its own, and
// runs test/package with jest there. Needs no network.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compileWhereOutdated } from './suites/compiled';
import { runJestSuite, suiteAsProgram, type Tally } from './suites/jest-suite';

const ROOT = join(__dirname, '..');

/** What a user installs beside the library. */
const BESIDE = ['cdk8s', 'cdk8s-cli', 'constructs'];

function must(command: string, ...args: string[]): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd: ROOT, encoding: 'utf8' });
  if (status !== 0) {
    throw new Error(`${[command, ...args].join(' ')} failed\n${error?.message ?? ''}${stdout}${stderr}`);
  }
  return stdout;
}

/** The project of a user of what is packed. */
function makeConsumer(folder: string): string {
  const consumer = join(folder, 'consumer');
  const installed = join(consumer, 'node_modules', 'cdk8s-load-balancers');
  mkdirSync(installed, { recursive: true });
  const [{ filename }] = JSON.parse(must('npm', 'pack', '--json', '--ignore-scripts', '--pack-destination', folder));
  must(
    'tar',
    '--extract',
    '--gzip',
    '--strip-components=1',
    `--file=${join(folder, filename)}`,
    `--directory=${installed}`,
  );
  for (const name of BESIDE) {
    symlinkSync(join(ROOT, 'node_modules', name), join(consumer, 'node_modules', name));
  }
  return consumer;
}

async function run(): Promise<Tally> {
  compileWhereOutdated();
  const folder = mkdtempSync(join(tmpdir(), 'cdk8s-load-balancers-package-'));
  try {
    return await runJestSuite('test/package/jest.config.js', folder, { CONSUMER: makeConsumer(folder) });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

void suiteAsProgram(run);

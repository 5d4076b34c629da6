// Runs a suite of tests with real programs by its name: builds or finds the programs, and runs its tests with jest. What is missing is
// reported in one sentence.
import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { inOwnNetwork } from '../test/envoy/harness/network';
import { newRunFolder, removeRunFolder } from '../test/real/program';
import { builtBinary, type GoModule } from './go/binary';
import { findHaproxy, newerHaproxy } from './haproxy/find-haproxy';
import { findChromium } from './page/find-chromium';
import { makeSite } from './site/make-site';
import { compileWhereOutdated } from './suites/compiled';
import { envoyEnvironment } from './suites/envoy-environment';
import { findPython } from './suites/find-python';
import { runJestLanes } from './suites/jest-lanes';
import { asksForSome, CONFIG, Lack, ROOT, runJestSuite, suiteAsProgram, type Tally } from './suites/jest-suite';
import { kafkaTests } from './suites/kafka-tests';
import {
  ACTIONLINT,
  AWS_CLOUD_CONTROLLER_MANAGER,
  CONTROL_PLANE,
  HAPROXY_RENDERER,
  HELM,
  KUBECONFORM,
  KUSTOMIZE,
  KYVERNO,
  mustHaveGo,
} from './suites/programs';
import { pythonWithFakeAws, pythonWithPreCommit } from './suites/python-programs';

interface Suite {
  /** Programs of Go modules, by the variable that has their file. */
  readonly programs?: Readonly<Record<string, GoModule>>;
  /**
   * Other variables for the tests.
   *
   * @throws Lack if a program is missing
   */
  readonly env?: (name: string, folder: string) => NodeJS.ProcessEnv | Promise<NodeJS.ProcessEnv>;
  /** Files of tests whose waits overlap, in a network of their own; what takes longest begins first. */
  readonly lanes?: readonly string[];
}

const leftOut = (sentence: string) => process.stdout.write(`${sentence}\n`);

function chromium(suite: string, folder: string): NodeJS.ProcessEnv {
  const file = findChromium();
  if (file === undefined) {
    throw new Lack(`${suite} needs chromium; install it, on Debian with apt-get install chromium`);
  }
  return { CHROMIUM: file, CHROMIUM_TMPDIR: folder };
}

function pythonFor(suite: string): string {
  const found = findPython();
  if ('lack' in found) {
    throw new Lack(`${suite} needs ${found.lack}; install python3 and python3-venv`);
  }
  return found.python;
}

function fakeAws(suite: string): NodeJS.ProcessEnv {
  return { AWS_ACCOUNT_PYTHON: pythonWithFakeAws(pythonFor(suite)) };
}

/** Bandwidth is limited from HAProxy 2.7 on: where an older one is installed, a newer one is built from Debian's sources. */
function haproxy(suite: string): NodeJS.ProcessEnv {
  const file = findHaproxy();
  if (!file) {
    throw new Lack(`${suite} needs haproxy 2.6 or newer; install it, on Debian with apt-get install haproxy`);
  }
  const newer = newerHaproxy(file);
  if ('lack' in newer) {
    leftOut(`${suite} left out the measurement of bandwidth: ${newer.lack}`);
  }
  return { HAPROXY: file, HAPROXY_WITH_BANDWIDTH: 'file' in newer ? newer.file : undefined };
}

/** HAProxy plays the balancer of a cloud in front of the proxies; with a JDK and Maven, brokers of Kafka are behind them. */
async function envoy(suite: string, folder: string): Promise<NodeJS.ProcessEnv> {
  const env = await envoyEnvironment(suite);
  if (!env.HAPROXY) {
    leftOut(`${suite} left out the tests behind a balancer, which need haproxy 2.6 or newer`);
  }
  const kafka = kafkaTests(suite, folder);
  if (kafka.leftOut) {
    leftOut(kafka.leftOut);
  }
  return { ...env, ...kafka.env };
}

function promtool(suite: string): NodeJS.ProcessEnv {
  const { PROMTOOL = 'promtool' } = process.env;
  if (spawnSync(PROMTOOL, ['--version']).status !== 0) {
    throw new Lack(`${suite} needs promtool; install it, on Debian with apt-get install prometheus`);
  }
  return { PROMTOOL };
}

function site(suite: string, folder: string): NodeJS.ProcessEnv {
  const env = chromium(suite, folder);
  const SITE_FOLDER = join(folder, 'site');
  makeSite(suite, SITE_FOLDER);
  return { ...env, SITE_FOLDER };
}

function must(command: string, ...args: string[]): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd: ROOT, encoding: 'utf8' });
  if (status !== 0) {
    throw new Error(`${[command, ...args].join(' ')} failed\n${error?.message ?? ''}${stdout}${stderr}`);
  }
  return stdout;
}

/** The project of a user: the packed library, beside what a user installs; and pre-commit. */
function consumer(suite: string, folder: string): NodeJS.ProcessEnv {
  const PRE_COMMIT_PYTHON = pythonWithPreCommit(pythonFor(suite));
  compileWhereOutdated();
  const modules = join(folder, 'consumer', 'node_modules');
  const installed = join(modules, 'cdk8s-load-balancers');
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
  for (const name of ['cdk8s', 'cdk8s-cli', 'constructs']) {
    symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
  }
  return { CONSUMER: join(folder, 'consumer'), TARBALL: join(folder, filename), PRE_COMMIT_PYTHON };
}

const SUITES: Readonly<Record<string, Suite>> = {
  aws: { programs: { CONTROL_PLANE, AWS_CLOUD_CONTROLLER_MANAGER }, env: fakeAws },
  envoy: { env: envoy, lanes: ['tenants', 'loss-of-a-node', 'behind-a-balancer.rollout'] },
  haproxy: { programs: { HAPROXY_RENDERER }, env: haproxy },
  kyverno: { programs: { CONTROL_PLANE, KYVERNO } },
  package: { env: consumer },
  page: { env: chromium },
  prometheus: { env: promtool },
  renderers: { programs: { KUSTOMIZE, HELM, KUBECONFORM } },
  site: { env: site },
  workflows: { programs: { ACTIONLINT } },
};

async function run(name: string): Promise<Tally> {
  const { programs = {}, env, lanes } = SUITES[name];
  const suite = `test:${name}`;
  mustHaveGo(
    suite,
    Object.values(programs).map(({ folder }) => folder),
  );
  const folder = newRunFolder();
  try {
    const all: NodeJS.ProcessEnv = { SUITE: name, ...(await env?.(suite, folder)) };
    for (const [variable, program] of Object.entries(programs)) {
      all[variable] = await builtBinary(program);
    }
    const within = lanes ? inOwnNetwork() : [];
    return lanes && !asksForSome()
      ? await runJestLanes({ config: CONFIG, folder, env: all, within, count: 2, first: lanes })
      : await runJestSuite(CONFIG, folder, all, within);
  } finally {
    removeRunFolder(folder);
  }
}

const [name] = process.argv.splice(2, 1);
if (name in SUITES) {
  void suiteAsProgram(() => run(name));
} else {
  process.stderr.write(`there is no suite ${name}; there are ${Object.keys(SUITES).join(', ')}\n`);
  process.exitCode = 1;
}

// What is compared with what, and how much slower this library may be.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { PackedPackage } from './packed-package';

const root = join(__dirname, '..');

/** What contestants read and write. */
export const WORK = join(__dirname, '.work');

/** Without what the runner of the benchmark gives its own process. */
const env = { ...process.env, NODE_OPTIONS: '' };

/** What is measured: gives a number to compare. */
export type Contestant = () => number;

/** The ratio of this library to another contestant, and the most that it may be. */
export interface Contest {
  readonly title: string;
  readonly against: Contestant;
  readonly limit: number;
  /** What the project wants, if that is less than the limit. */
  readonly goal?: number;
  /** What the rest of the time is spent on, of a ratio over 1. */
  readonly because?: string;
}

/** Contests that share the samples of this library. */
export interface Match {
  /** Writes what the contestants read. */
  readonly prepare?: () => void;
  readonly ours: Contestant;
  readonly contests: readonly Contest[];
  /** The folder of manifests that other tools read as well: that is printed beside, and has no limit. */
  readonly manifests?: string;
  /** Whether one round takes minutes and says enough; not for a quick run. */
  readonly isLong?: boolean;
  /** How the cost grows, where another match has the cost itself: not for a quick run. */
  readonly isGrowth?: boolean;
}

/** What a script prints in a process of its own. */
export function printed(script: string, ...args: string[]): string {
  const all = [join(__dirname, script), ...args, WORK];
  return execFileSync(process.execPath, all, { cwd: root, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

function run(script: string, ...args: string[]): Contestant {
  return () => Number(printed(script, ...args));
}

function load(code: string): Contestant {
  return () => {
    const start = process.hrtime.bigint();
    execFileSync(process.execPath, ['-e', code], { cwd: root, env });
    return Number(process.hrtime.bigint() - start);
  };
}

/** How much more one costs among many than among few. */
function growth(many: Contestant, few: Contestant): Contestant {
  return () => many() / few();
}

const services = (name: string, count: string) => run('contestant.js', name, count);
const installing = (installation: string, name: string) => run('installation-contestant.js', installation, name, '100');
const kafka = (name: string) => run('kafka-contestant.js', name, '1000');
const tenants = (name: string, count: string) => run('tenants-contestant.js', name, count);
const checking = (name: string, services: string, files: string) => run('check-contestant.js', name, services, files);
const charts = (name: string) => run('charts-contestant.js', name, '400');

const packed = new PackedPackage();

export const MATCHES: readonly Match[] = [
  {
    ours: services('ours', '10000'),
    contests: [
      {
        title: 'synth of 10,000 Services, against raw ApiObjects of the same content',
        against: services('raw', '10000'),
        limit: 1.55,
        goal: 1.08,
        because:
          'Each Service is decided from props, and read by the 44 rules that may find something in it, before it is written. Raw objects are written as they are; two thirds of their time is YAML, which is the same for both. The rules take a quarter of the synth, so the goal would leave most of them out.',
      },
      {
        title: 'synth of 10,000 Services, against cdk8s-plus-27',
        against: services('plus-27', '10000'),
        limit: 1.15,
        goal: 0.8,
        because:
          'cdk8s-plus renders an object once for each chart and decides nothing; the rules take what a plainer rendering saves.',
      },
      {
        title: 'synth of 10,000 Services, against cdk8s-plus-34',
        against: services('plus-34', '10000'),
        limit: 1.15,
        goal: 0.8,
        because: 'The same as with cdk8s-plus-27.',
      },
    ],
  },
  {
    ours: growth(services('ours', '10000-each'), services('ours', '100-each')),
    contests: [
      {
        title: 'growth of the time of one Service from 100 to 10,000 Services, against raw ApiObjects',
        against: growth(services('raw', '10000-each'), services('raw', '100-each')),
        limit: 1.1,
      },
    ],
    isGrowth: true,
  },
  {
    prepare: () => charts('prepare')(),
    ours: charts('ours'),
    contests: [
      {
        title:
          'one of every construct in each of 400 charts, against the same tree of raw ApiObjects, in as many classes',
        against: charts('raw'),
        limit: 1.35,
        goal: 1.2,
        because:
          'The tree of raw objects is planted with what the constructs decided: it does not read props, merge listeners of Kafka, or check rules. cdk8s validates the whole app before each chart, and an app with this library does so once.',
      },
    ],
  },
  {
    prepare: () => charts('prepare')(),
    ours: charts('again'),
    contests: [
      {
        title:
          'the same charts once more, compared with what was written by a LoadBalancerProtection, against the first time',
        against: charts('ours'),
        limit: 2,
      },
    ],
  },
  {
    ours: kafka('adopted'),
    contests: [
      {
        title: 'adopting 1,000 Kafka resources of one file, against reading and writing them with cdk8s alone',
        against: kafka('alone'),
        limit: 2,
        goal: 1.25,
        because:
          'Each Kafka is found in the file, its node pools and listeners are read, its Services are predicted, and all of them are checked; cdk8s alone copies the file.',
      },
    ],
  },
  ...[
    { installation: 'aws-load-balancer-controller', called: 'the AWS Load Balancer Controller', limit: 1.2 },
    { installation: 'strimzi', called: 'the Strimzi operator', limit: 1.35, goal: 1.15 },
  ].map(({ installation, called, ...limits }) => ({
    ours: installing(installation, 'ours'),
    contests: [
      {
        title: `an installation of ${called}, against raw ApiObjects of the same content`,
        against: installing(installation, 'raw'),
        ...limits,
        because: 'Flags, permissions and webhooks are computed from props and compared with each other.',
      },
    ],
  })),
  {
    prepare: () => tenants('prepare', '200')(),
    ours: tenants('ours', '200'),
    contests: [
      {
        title: '200 tenants with ten ports each at a shared load balancer, against raw ApiObjects of the same content',
        against: tenants('raw', '200'),
        limit: 1.2,
        because: 'All 2,000 ports are compared with the lock of ports, and the limits of each tenant are added up.',
      },
    ],
  },
  {
    prepare: () => [tenants('prepare', '20')(), tenants('prepare', '200')()],
    ours: growth(tenants('ours', '200'), tenants('ours', '20')),
    contests: [
      {
        title: 'growth of the time of one tenant from 20 to 200 tenants, against raw ApiObjects',
        against: growth(tenants('raw', '200'), tenants('raw', '20')),
        limit: 1.1,
      },
    ],
    isGrowth: true,
  },
  ...['1', '1000'].map((files) => ({
    prepare: () => checking('prepare', '10000', files)(),
    ours: checking('ours', '10000', files),
    contests: [
      {
        title: `a check of 10,000 Services in ${files === '1' ? 'one file' : '1,000 files'}, against a process that parses them`,
        against: checking('parser', '10000', files),
        limit: files === '1' ? 1.3 : 1.65,
        ...(files !== '1' && { goal: 1.3 }),
        because:
          files === '1'
            ? 'The parser has no rules: 44 of them read each Service.'
            : 'Each file is looked for below the folders, read and placed in a cluster by itself.',
      },
    ],
    manifests: join(WORK, `check-10000-${files}`),
  })),
  {
    prepare: () => checking('prepare', '10000', '1')(),
    ours: checking('report', '10000', '1'),
    contests: [
      {
        title: 'a report on the path, the cost and the quotas of 10,000 Services, against a process that parses them',
        against: checking('parser', '10000', '1'),
        limit: 1.6,
        because:
          'The path, the shares of nodes and pods, the price and the quotas of each Service are computed and printed.',
      },
    ],
  },
  {
    prepare: () => [checking('prepare', '10000', '1')(), checking('prepareOther', '10000', '1')()],
    ours: checking('diff', '10000', '1'),
    contests: [
      {
        title: 'a diff of 10,000 Services against 10,000, against a process that parses both',
        against: checking('parserOfBoth', '10000', '1'),
        limit: 2,
        because: 'Both sides are checked and billed, and the model is asked what becomes of each balancer.',
      },
    ],
  },
  {
    prepare: () => [checking('prepare', '10000', '1')(), checking('prepare', '1000', '1')()],
    ours: checking('ours', '10000', '1'),
    contests: [
      {
        title: 'growth of a check from 1,000 to 10,000 Services, of which each may cost a twentieth more',
        against: () => 10 * checking('ours', '1000', '1')(),
        limit: 1.05,
      },
    ],
    isGrowth: true,
  },
  {
    prepare: () => checking('prepareWrong', 'wrong', '1')(),
    ours: checking('memory', 'wrong', '1'),
    contests: [
      {
        title: 'the memory of a check of 50 MB in one file, with a finding at each Service, against 2 GiB',
        against: () => 2048,
        limit: 1,
      },
    ],
    isLong: true,
  },
  {
    prepare: () => checking('prepare', '1', '1')(),
    ours: load(
      'process.argv[1] = "check"; require("./lib/cli/main").main(["node", "c", "check", "bench/.work/check-1-1"])',
    ),
    contests: [
      {
        title: 'a check of one Service, against a process that loads cdk8s',
        against: load('require("cdk8s")'),
        limit: 2.7,
        goal: 1.5,
        because:
          'The command is one file of 2.7 MB, compressed to 0.6 MB, which Node.js reads and compiles at each start; from Node.js 22 on it keeps what it compiled.',
      },
    ],
  },
  ...[
    ['a process that loads the packed package', 'require("cdk8s-load-balancers")', 'require("cdk8s")'],
    [
      'a process that loads cdk8s and the packed package',
      'require("cdk8s"); require("cdk8s-load-balancers")',
      'require("cdk8s")',
    ],
    [
      'an ES module that imports cdk8s and the packed package',
      'import "cdk8s"; import "cdk8s-load-balancers"',
      'import "cdk8s"',
    ],
  ].map(([title, both, alone]) => ({
    prepare: packed.prepare,
    ours: packed.run(both, env),
    contests: [
      {
        title: `${title}, in a folder with cdk8s and constructs alone, against cdk8s`,
        against: packed.run(alone, env),
        limit: title.startsWith('an ES module') ? 1.2 : 1.1,
        ...(title.startsWith('an ES module') && {
          because:
            'Node.js reads each export of a CommonJS module that an ES module imports, so all classes are loaded.',
        }),
      },
    ],
  })),
];

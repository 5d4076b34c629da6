// Speed as ratios within one run: never as absolute times, which say more of the machine than of the code.
// Each sample is a process of its own; the contestants take turns, so that a slow minute of the machine hits all alike.
//
// A match ends when its ratios no longer move. `--quick` takes three rounds of each match, or as many as half a minute has, and
// leaves out those of growth and of memory; `--only TEXT` takes the matches whose titles have a text; both print, and write no result.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { builtTool, OTHER_TOOLS, timeOf } from './other-tools';

const root = join(__dirname, '..');
const work = join(__dirname, '.work');
const { quick, only, rounds } = parseArgs({
  options: { quick: { type: 'boolean' }, only: { type: 'string' }, rounds: { type: 'string' } },
}).values;

/** Rounds of a match: so many at least, and at most. */
const LEAST = Number(rounds ?? 3);
const MOST = Number(rounds ?? (quick ? 3 : 9));

/** After so many milliseconds a quick run begins no other round of a match. */
const PATIENCE = quick ? 30_000 : Number.POSITIVE_INFINITY;

/** Ratios of which the middle half lies so near to their median move no longer. */
const STILL = 0.015;

/** Without what the runner of this file gives its own process. */
const env = { ...process.env, NODE_OPTIONS: '' };

/** What is measured: gives a number to compare. */
type Contestant = () => number;

/** The ratio of this library to another contestant, and the most that it may be. */
interface Contest {
  readonly title: string;
  readonly against: Contestant;
  readonly limit: number;
}

/** Contests that share the samples of this library. */
interface Match {
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

function run(script: string, ...args: string[]): Contestant {
  const all = [join(__dirname, script), ...args, work];
  return () => Number(execFileSync(process.execPath, all, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] }));
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

const MATCHES: readonly Match[] = [
  {
    ours: services('ours', '10000'),
    contests: [
      {
        title: 'synth of 10,000 Services, against raw ApiObjects of the same content',
        against: services('raw', '10000'),
        limit: 1.05,
      },
      {
        title: 'synth of 10,000 Services, against cdk8s-plus-27',
        against: services('plus', '10000'),
        limit: 0.82,
      },
    ],
  },
  {
    ours: growth(services('ours', '10000-each'), services('ours', '100-each')),
    contests: [
      {
        title: 'growth of the cost of one Service from 100 to 10,000 of them, against that of raw ApiObjects',
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
        limit: 1.15,
      },
    ],
  },
  {
    ours: kafka('adopted'),
    contests: [
      {
        title: 'adopting 1,000 Kafka resources of one file, against reading and writing them with cdk8s alone',
        against: kafka('alone'),
        limit: 1.2,
      },
    ],
  },
  ...[
    ['aws-load-balancer-controller', 'the AWS Load Balancer Controller'],
    ['strimzi', 'the Strimzi operator'],
  ].map(([installation, called]) => ({
    ours: installing(installation, 'ours'),
    contests: [
      {
        title: `an installation of ${called}, against raw ApiObjects of the same content`,
        against: installing(installation, 'raw'),
        limit: 1.15,
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
        limit: 1.25,
      },
    ],
  },
  {
    prepare: () => [tenants('prepare', '20')(), tenants('prepare', '200')()],
    ours: growth(tenants('ours', '200'), tenants('ours', '20')),
    contests: [
      {
        title: 'growth of the cost of one tenant from 20 to 200 of them, against that of raw ApiObjects',
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
        limit: 1.5,
      },
    ],
    manifests: join(work, `check-10000-${files}`),
  })),
  {
    prepare: () => checking('prepare', '10000', '1')(),
    ours: checking('report', '10000', '1'),
    contests: [
      {
        title: 'a report on the path, the cost and the quotas of 10,000 Services, against a process that parses them',
        against: checking('parser', '10000', '1'),
        limit: 2,
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
      'process.argv[1] = "check"; require("./lib/checks/main").main(["node", "c", "check", "bench/.work/check-1-1"])',
    ),
    contests: [
      {
        title: 'a check of one Service, against a process that loads cdk8s',
        against: load('require("cdk8s")'),
        limit: 1.7,
      },
    ],
  },
  {
    ours: load('require("./lib")'),
    contests: [
      {
        title: 'a process that loads the package, against one that loads cdk8s',
        against: load('require("cdk8s")'),
        limit: 1.1,
      },
    ],
  },
];

/** The value below which some part of them lies. */
function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) * part)];
}

const isStill = (ratios: readonly number[]) =>
  quantile(ratios, 0.75) - quantile(ratios, 0.25) <= STILL * quantile(ratios, 0.5);

/** The medians of the ratios, round by round, the order changing from round to round. */
function ratiosOf({ prepare, ours, contests, isLong }: Match): number[] {
  prepare?.();
  const [least, most] = isLong ? [1, 1] : [LEAST, MOST];
  const contestants = [ours, ...contests.map(({ against }) => against)];
  const ratios = contests.map((): number[] => []);
  const begin = Date.now();
  const isOver = (round: number) => round > 0 && Date.now() - begin > PATIENCE;
  for (let round = 0; round < most && (round < least || !ratios.every(isStill)) && !isOver(round); round++) {
    const samples = new Map<Contestant, number>();
    for (const contestant of round % 2 === 0 ? contestants : [...contestants].reverse()) {
      samples.set(contestant, contestant());
    }
    contests.forEach(({ against }, i) => {
      ratios[i].push((samples.get(ours) as number) / (samples.get(against) as number));
    });
  }
  return ratios.map((all) => Math.round(quantile(all, 0.5) * 1000) / 1000);
}

/** Prints how a check compares with other tools for the same files. */
function printBeside(ours: Contestant, manifests: string): void {
  for (const tool of OTHER_TOOLS) {
    const { name, version, says } = tool;
    const built = builtTool(tool);
    if ('lack' in built) {
      process.stdout.write(`     ${name} ${version} is not beside it: ${built.lack}\n`);
      continue;
    }
    const ratios = Array.from({ length: LEAST }, () => ours() / timeOf(built.program, tool, manifests));
    process.stdout.write(`beside ${quantile(ratios, 0.5).toFixed(3)}  against ${name} ${version} (${says})\n`);
  }
}

interface Result {
  readonly title: string;
  readonly ratio: number;
  readonly limit: number;
}

function resultsOf(match: Match): Result[] {
  const ratios = ratiosOf(match);
  const results = match.contests.map(({ title, limit }, i) => {
    const ratio = ratios[i];
    process.stdout.write(`${ratio <= limit ? 'ok  ' : 'OVER'} ${ratio.toFixed(3)} (at most ${limit})  ${title}\n`);
    return { title, ratio, limit };
  });
  if (match.manifests) {
    printBeside(match.ours, match.manifests);
  }
  return results;
}

function main(): void {
  if (!existsSync(join(root, 'lib', 'index.js'))) {
    throw new Error('the library is not compiled: run `npm run compile` first');
  }
  mkdirSync(work, { recursive: true });
  const isChosen = ({ contests, isGrowth, isLong }: Match) =>
    !(quick && (isGrowth || isLong)) && contests.some(({ title }) => title.includes(only ?? ''));
  const results = MATCHES.filter(isChosen).flatMap(resultsOf);
  rmSync(work, { recursive: true, force: true });
  if (!quick && only === undefined && rounds === undefined) {
    writeFileSync(join(__dirname, 'result.json'), `${JSON.stringify({ results }, undefined, 2)}\n`);
  }
  process.exitCode = results.length > 0 && results.every(({ ratio, limit }) => ratio <= limit) ? 0 : 1;
}

main();

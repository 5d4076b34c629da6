// Speed as ratios within one run: never as absolute times, which say more of the machine than of the code.
// Each sample is a process of its own; the contestants take turns, so that a slow minute of the machine hits all alike.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '..');
const work = join(__dirname, '.work');
const ROUNDS = Math.max(7, Number(process.env.BENCH_ROUNDS ?? 9));

/** Without what the runner of this file gives its own process. */
const env = { ...process.env, NODE_OPTIONS: '' };

/** Something that is measured: gives a number to compare. */
interface Contestant {
  readonly name: string;
  readonly sample: () => number;
}

/** A contest: the ratio of the first to the second, and the most that it may be. */
interface Contest {
  readonly title: string;
  readonly contestants: [Contestant, Contestant];
  readonly limit: number;
}

function run(name: string, script: string, ...args: string[]): Contestant {
  const all = [join(__dirname, script), ...args, work];
  return { name, sample: () => Number(execFileSync(process.execPath, all, { cwd: root, env })) };
}

function synth(name: string, services: string): Contestant {
  return run(`${name} ${services}`, 'contestant.js', name, services);
}

/** How much more one Service costs among 10,000 than among 100; cdk8s alone is not quite linear. */
function growth(name: string): Contestant {
  const [many, few] = [synth(name, '10000-each'), synth(name, '100-each')];
  return { name: `growth of ${name}`, sample: () => many.sample() / few.sample() };
}

/** Kafka clusters of manifests that get a listener each, and the manifests as they are. */
function adopting(clusters: string): [Contestant, Contestant] {
  const by = (name: string) => run(`kafka ${name} ${clusters}`, 'kafka-contestant.js', name, clusters);
  return [by('adopted'), by('alone')];
}

/** 100 installations of one kind, by this library and by hand. */
function installing(installation: string): [Contestant, Contestant] {
  const by = (name: string) => run(`${installation} ${name}`, 'installation-contestant.js', installation, name, '100');
  return [by('ours'), by('raw')];
}

/** A shared load balancer with so many tenants of ten ports, each in a chart of its own, by this library and by hand. */
function sharing(tenants: string): [Contestant, Contestant] {
  run('', 'tenants-contestant.js', 'prepare', tenants).sample();
  const by = (name: string) => run(`tenants ${name} ${tenants}`, 'tenants-contestant.js', name, tenants);
  return [by('ours'), by('raw')];
}

/** How much more a tenant costs among 200 than among 20. */
function growthOfSharing(place: 0 | 1): Contestant {
  const [many, few] = [sharing('200')[place], sharing('20')[place]];
  return { name: `growth of ${many.name}`, sample: () => many.sample() / few.sample() };
}

/** How much more a chart with one of every construct costs among 400 than among 50; validation in cdk8s is quadratic itself. */
function growthOfCharts(contestant: string): Contestant {
  const [many, few] = ['400', '50'].map((charts) => {
    if (contestant === 'raw') {
      run('', 'charts-contestant.js', 'prepare', charts).sample();
    }
    return run(`charts ${contestant} ${charts}`, 'charts-contestant.js', contestant, charts);
  });
  return { name: `growth of charts ${contestant}`, sample: () => many.sample() / few.sample() };
}

function load(name: string, code: string): Contestant {
  return {
    name,
    sample() {
      const start = process.hrtime.bigint();
      execFileSync(process.execPath, ['-e', code], { cwd: root, env });
      return Number(process.hrtime.bigint() - start);
    },
  };
}

if (!existsSync(join(root, 'lib', 'index.js'))) {
  throw new Error('the library is not compiled: run `npm run compile` first');
}
mkdirSync(work, { recursive: true });
const ours = synth('ours', '10000');
const contests: Contest[] = [
  {
    title: 'synth of 10,000 Services, against raw ApiObjects of the same content',
    contestants: [ours, synth('raw', '10000')],
    limit: 1.1,
  },
  {
    title: 'synth of 10,000 Services, against cdk8s-plus-27',
    contestants: [ours, synth('plus', '10000')],
    limit: 1,
  },
  {
    title: 'growth of the cost of one Service from 100 to 10,000 of them, against that of raw ApiObjects',
    contestants: [growth('ours'), growth('raw')],
    limit: 1.1,
  },
  {
    title: 'adopting the Kafka clusters of 100 files, against reading and writing them with cdk8s alone',
    contestants: adopting('100-each'),
    limit: 1.2,
  },
  {
    title: 'adopting 1,000 Kafka clusters that stand in one file, against the same',
    contestants: adopting('1000'),
    limit: 1.6,
  },
  {
    title: 'an installation of the AWS Load Balancer Controller, against raw ApiObjects of the same content',
    contestants: installing('aws-load-balancer-controller'),
    limit: 1.2,
  },
  {
    title: 'an installation of the Strimzi operator, against raw ApiObjects of the same content',
    contestants: installing('strimzi'),
    limit: 1.2,
  },
  {
    title: '200 tenants with ten ports each at a shared load balancer, against raw ApiObjects of the same content',
    contestants: sharing('200'),
    limit: 1.3,
  },
  {
    title: 'growth of the cost of one tenant from 20 to 200 of them, against that of raw ApiObjects',
    contestants: [growthOfSharing(0), growthOfSharing(1)],
    limit: 1.1,
  },
  {
    title:
      'growth of the cost of a chart with one of every construct from 50 to 400 of them, against that of raw ApiObjects',
    contestants: [growthOfCharts('ours'), growthOfCharts('raw')],
    limit: 1.1,
  },
  {
    title: 'a process that loads the package, against one that loads cdk8s',
    contestants: [load('load ours', 'require("./lib")'), load('load cdk8s', 'require("cdk8s")')],
    limit: 1.2,
  },
];

function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

/** The median of the ratios, pair by pair, the order changing from pair to pair. */
function ratioOf([first, second]: [Contestant, Contestant]): number {
  const ratios: number[] = [];
  first.sample();
  second.sample();
  for (let round = 0; round < ROUNDS; round++) {
    const samples = new Map<Contestant, number>();
    for (const contestant of round % 2 === 0 ? [first, second] : [second, first]) {
      samples.set(contestant, contestant.sample());
    }
    ratios.push((samples.get(first) as number) / (samples.get(second) as number));
  }
  return Math.round(median(ratios) * 1000) / 1000;
}

function main(): void {
  const results = contests.map(({ title, contestants, limit }) => {
    const ratio = ratioOf(contestants);
    process.stdout.write(`${ratio <= limit ? 'ok  ' : 'OVER'} ${ratio.toFixed(3)} (at most ${limit})  ${title}\n`);
    return { title, ratio, limit };
  });
  rmSync(work, { recursive: true, force: true });
  writeFileSync(join(__dirname, 'result.json'), `${JSON.stringify({ rounds: ROUNDS, results }, undefined, 2)}\n`);
  process.exitCode = results.every(({ ratio, limit }) => ratio <= limit) ? 0 : 1;
}

main();

// Speed as ratios within one run: never as absolute times, which say more of the machine than of the code.
// Each sample is a process of its own; the contestants take turns, so that a slow minute of the machine hits all alike.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '..');
const work = join(__dirname, '.work');
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 9);

interface Limit {
  readonly name: string;
  readonly of: string;
  readonly to: string;
  readonly max: number;
}

/** What a sample costs: milliseconds of processor time, which a busy neighbour disturbs less than the clock. */
function sample(contestant: string, services: number): number {
  const output = execFileSync(
    process.execPath,
    [join(__dirname, 'contestant.js'), contestant, String(services), work],
    {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  return Number(output.trim());
}

function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

/** Takes turns, then compares pair by pair: the median of the ratios of a round. */
function ratios(contestants: [string, number][], baseline: number): Record<string, number>[] {
  const rounds: Record<string, number>[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const order = round % 2 === 0 ? contestants : [...contestants].reverse();
    const times = new Map(order.map(([name, services]) => [`${name}@${services}`, sample(name, services)]));
    const [name, services] = contestants[baseline];
    const base = times.get(`${name}@${services}`) as number;
    rounds.push(Object.fromEntries([...times].map(([key, time]) => [key, time / base])));
    process.stderr.write('.');
  }
  process.stderr.write('\n');
  return rounds;
}

function medians(rounds: Record<string, number>[]): Record<string, number> {
  return Object.fromEntries(Object.keys(rounds[0]).map((key) => [key, median(rounds.map((round) => round[key]))]));
}

function main(): void {
  if (!existsSync(join(root, 'lib', 'index.js'))) {
    throw new Error('the library is not compiled: run `npx projen compile` first');
  }
  mkdirSync(work, { recursive: true });
  const synth = medians(
    ratios(
      [
        ['raw', 10_000],
        ['ours', 10_000],
        ['plus', 10_000],
      ],
      0,
    ),
  );
  const growth = medians(
    ratios(
      [
        ['ours-minus-start', 1_000],
        ['ours-minus-start', 10_000],
      ],
      0,
    ),
  );
  const load = medians(
    ratios(
      [
        ['load-cdk8s', 0],
        ['load-ours', 0],
      ],
      0,
    ),
  );
  const result = {
    rounds: ROUNDS,
    'synth of 10,000 Services, against raw ApiObjects of the same content': round(synth['ours@10000']),
    'synth of 10,000 Services, against cdk8s-plus-27': round(synth['ours@10000'] / synth['plus@10000']),
    'cost of a Service among 10,000, against one among 1,000': round(growth['ours-minus-start@10000'] / 10),
    'loading the package, against loading cdk8s': round(load['load-ours@0']),
  };
  const limits: Limit[] = [
    { name: 'synth of 10,000 Services, against raw ApiObjects of the same content', of: '', to: '', max: 1.1 },
    { name: 'synth of 10,000 Services, against cdk8s-plus-27', of: '', to: '', max: 1 },
    { name: 'loading the package, against loading cdk8s', of: '', to: '', max: 1.2 },
  ];
  writeFileSync(join(__dirname, 'result.json'), `${JSON.stringify(result, undefined, 2)}\n`);
  rmSync(work, { recursive: true, force: true });
  process.stdout.write(`${JSON.stringify(result, undefined, 2)}\n`);
  for (const { name, max } of limits) {
    const value = result[name as keyof typeof result];
    if (value > max) {
      process.stdout.write(`over the limit of ${max}: ${name}: ${value}\n`);
      process.exitCode = 1;
    }
  }
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}

main();

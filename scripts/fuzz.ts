// Runs every command on seeded mutants of the manifests of this repository, 20,000 unless told, or of those of the folders that
// follow. Fails where a command throws, says words of JavaScript, takes longer than two seconds, or exits otherwise than documented.
// `-- 1 --seed 17` runs mutant 17 again, --keep leaves its files, and `--only ports,policies` runs these commands alone.
import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import '../src';
import { MutantFiles, type MutantOutcome } from '../test/support/fuzz/mutant-files';
import { seeds } from '../test/support/fuzz/seeds';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    jobs: { type: 'string', default: '2' },
    keep: { type: 'boolean' },
    only: { type: 'string' },
  },
});
const [number = '20000', ...folders] = positionals;

/** Time after which a mutant that gives no answer is given up, in milliseconds. */
const PATIENCE = 60_000;

if (process.send) {
  const files = new MutantFiles(
    seeds(folders.length > 0 ? folders.map((one) => resolve(one)) : undefined),
    values.only?.split(','),
  );
  process.on('message', (seed: number) => process.send?.(files.run(seed)));
} else {
  const scratch = mkdtempSync(join(tmpdir(), 'fuzz-'));
  const first = Number(values.seed);
  const jobs = Math.min(Number(values.jobs), Number(number));
  runAll(first, first + Number(number), jobs, scratch).then((outcomes) => {
    report(outcomes);
    if (values.keep) {
      console.log(scratch);
    } else {
      rmSync(scratch, { recursive: true });
    }
  });
}

/** Runs mutants in processes of their own, which end where one hangs or takes all memory. */
function runAll(first: number, end: number, jobs: number, scratch: string): Promise<MutantOutcome[]> {
  const outcomes: MutantOutcome[] = [];
  let next = first;
  const work = (done: () => void) => {
    if (next >= end) {
      done();
      return;
    }
    const child: ChildProcess = fork(__filename, process.argv.slice(2), {
      execArgv: [...process.execArgv, '--max-old-space-size=1024'],
      env: { ...process.env, TMPDIR: scratch },
    });
    let seed: number | undefined;
    let timer: NodeJS.Timeout | undefined;
    const give = () => {
      clearTimeout(timer);
      if (next >= end) {
        seed = undefined;
        child.kill();
        return;
      }
      seed = next++;
      timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE);
      child.send(seed);
    };
    child.on('message', (outcome: MutantOutcome) => {
      outcomes.push(outcome);
      tell(outcome);
      give();
    });
    child.on('exit', (code, signal) => {
      clearTimeout(timer);
      if (seed !== undefined) {
        const what = `it ended by ${signal ?? code}`;
        const lost = { seed, change: '', misdeeds: [{ args: [], kind: 'hang' as const, what }], slowest: PATIENCE };
        outcomes.push(lost);
        tell(lost);
      }
      work(done);
    });
    give();
  };
  return new Promise((resolved) => {
    let left = jobs;
    for (let i = 0; i < jobs; i++) {
      work(() => --left === 0 && resolved(outcomes));
    }
  });
}

function tell({ seed, change, misdeeds }: MutantOutcome): void {
  for (const { args, kind, what } of misdeeds) {
    console.log(
      `${seed} ${kind} (${change}): ${args.slice(0, 4).join(' ')}\n  ${what.split('\n').slice(0, 6).join('\n  ')}`,
    );
  }
}

function report(outcomes: readonly MutantOutcome[]): void {
  const misdeeds = outcomes.flatMap((one) => one.misdeeds);
  const kinds = ['crash', 'hang', 'exit code', 'words'].map(
    (kind) => `${misdeeds.filter((one) => one.kind === kind).length} of kind ${kind}`,
  );
  const slowest = Math.round(Math.max(...outcomes.map((one) => one.slowest)));
  console.log(
    `${outcomes.length} mutants from seed ${values.seed}: ${kinds.join(', ')}; the slowest command takes ${slowest} ms`,
  );
  process.exitCode = misdeeds.length > 0 ? 1 : 0;
}

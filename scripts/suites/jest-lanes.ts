import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { interruptible, JEST, ROOT, SIGNALS, type Tally, tallyOf } from './jest-suite';

/** Files of tests that wait more than they work, some of them at once, each in a process that has all that is its own. */
export interface Lanes {
  readonly config: string;
  /** Where jest and the tests leave whatever they leave: the caller removes it. */
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  /** A command that runs another one, whose arguments follow. */
  readonly within: readonly string[];
  /** How many files at once. */
  readonly count: number;
  /** What the names of the files begin with that begin first, since they take longest. */
  readonly first: readonly string[];
}

function filesOf({ config, env }: Lanes): string[] {
  const args = [JEST, '--config', config, '--listTests', '--json'];
  const { stdout } = spawnSync(process.execPath, args, {
    cwd: ROOT,
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });
  return JSON.parse(stdout);
}

function inOrder(files: readonly string[], first: readonly string[]): string[] {
  const place = (file: string) => {
    const found = first.findIndex((name) => basename(file).startsWith(name));
    return found < 0 ? first.length : found;
  };
  return [...files].sort((a, b) => place(a) - place(b) || a.localeCompare(b));
}

/** Runs one file; what it prints is shown at its end, so that files do not speak at once. */
async function runFile(lanes: Lanes, file: string): Promise<Tally> {
  const folder = join(lanes.folder, basename(file));
  mkdirSync(folder);
  const outputFile = join(folder, 'result.json');
  const args = ['--config', lanes.config, '--json', '--outputFile', outputFile, '--runTestsByPath', file];
  const [first, ...rest] = [...lanes.within, process.execPath, JEST, ...args];
  const env = { ...process.env, ...lanes.env, TMPDIR: folder };
  const child = spawn(first, rest, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const said: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => said.push(data));
  const status = await interruptible(child);
  process.stdout.write(Buffer.concat(said));
  return tallyOf(outputFile, status);
}

/** Runs all files of a suite, some at once. */
export async function runJestLanes(lanes: Lanes): Promise<Tally> {
  const left = inOrder(filesOf(lanes), lanes.first);
  const tallies: Tally[] = [];
  for (const signal of SIGNALS) process.once(signal, () => left.splice(0));
  const lane = async () => {
    for (let file = left.shift(); file; file = left.shift()) {
      tallies.push(await runFile(lanes, file));
    }
  };
  await Promise.all(Array.from({ length: lanes.count }, lane));
  const sum = (part: keyof Tally) => tallies.reduce((all, tally) => all + tally[part], 0);
  return { passed: sum('passed'), failed: Math.max(sum('failed'), tallies.length === 0 ? 1 : 0) };
}

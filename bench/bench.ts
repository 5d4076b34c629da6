// Speed as ratios within one run: never as absolute times, which say more of the machine than of the code.
// Each sample is a process of its own; the contestants take turns, so that a slow minute of the machine hits all alike.
//
// The whole run measures curves of time and memory against size, too, and writes bench/result.json, of which the docs are made.
//
// A match ends when its ratios no longer move. `--quick` takes three rounds of each match, or as many as half a minute has, and
// leaves out those of growth and of memory, and writes no result. `--only TEXT` takes the matches whose titles have a text, and
// writes their ratios beside those of the others, which stay. `--rounds N` takes so many rounds of each match; of a whole run the
// result says so.
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { measuredCurves } from './curves';
import { type Contestant, MATCHES, type Match, printed, WORK } from './matches';
import { builtTool, OTHER_TOOLS, timeOf } from './other-tools';
import { type MatchResult, readResult, withResults, writeResult } from './result';

const root = join(__dirname, '..');
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

function resultsOf(match: Match): MatchResult[] {
  const ratios = ratiosOf(match);
  const results = match.contests.map(({ title, limit, goal, because }, i) => {
    const ratio = ratios[i];
    process.stdout.write(`${ratio <= limit ? 'ok  ' : 'OVER'} ${ratio.toFixed(3)} (at most ${limit})  ${title}\n`);
    return { title, ratio, limit, ...(goal && { goal }), ...(because && { because }) };
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
  mkdirSync(WORK, { recursive: true });
  const isChosen = ({ contests, isGrowth, isLong }: Match) =>
    !(quick && (isGrowth || isLong)) && contests.some(({ title }) => title.includes(only ?? ''));
  const results = MATCHES.filter(isChosen).flatMap(resultsOf);
  if (only !== undefined && !quick) {
    writeResult(
      withResults(
        readResult(),
        results,
        MATCHES.flatMap(({ contests }) => contests),
      ),
    );
  }
  if (!quick && only === undefined) {
    const curves = measuredCurves((name, size) => {
      const [time, memory] = printed('contestant.js', name, `${size}-curve`).split(' ').map(Number);
      return { time, memory };
    });
    writeResult({ rounds: { least: LEAST, most: MOST }, results, ...curves });
  }
  rmSync(WORK, { recursive: true, force: true });
  process.exitCode = results.length > 0 && results.every(({ ratio = 0, limit }) => ratio <= limit) ? 0 : 1;
}

main();

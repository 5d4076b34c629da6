// Searches every order of the model of src/lifecycle, for every life and every change. Writes the small table that rules read, or
// compares it with --check.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { changeCasesOf } from '../src/lifecycle/change-cases';
import { ChangeSearch } from '../src/lifecycle/changes';
import { MOST_STATES, type Outcome } from '../src/lifecycle/checker';
import { OWNERS } from '../src/lifecycle/owners';
import { casesOf, verdictOf } from '../src/lifecycle/verdict';
import { ROOT } from './docs/files';
import { FINALIZER_VERDICTS_FILE, finalizerVerdictsFile } from './lifecycle/finalizer-verdicts-file';

const MEGABYTE = 1024 * 1024;

class Tally {
  private readonly begun = Date.now();
  private explorations = 0;
  private states = 0;
  private edges = 0;
  private largest = 0;
  private incomplete = 0;

  public readonly count = ({ states, edges, isComplete }: Outcome): void => {
    this.explorations++;
    this.states += states;
    this.edges += edges;
    this.largest = Math.max(this.largest, states);
    this.incomplete += isComplete ? 0 : 1;
  };

  public print(what: string): void {
    const seconds = (Date.now() - this.begun) / 1000;
    process.stdout.write(
      `${what}: ${this.explorations} explorations, ${this.states} distinct states and ${this.edges} steps, ` +
        `the largest ${this.largest} of at most ${MOST_STATES}, ${this.incomplete} cut short, ` +
        `${seconds.toFixed(1)} s, ${Math.round((this.states / seconds) * 60)} states a minute, ` +
        `${Math.round(process.memoryUsage().rss / MEGABYTE)} MB\n`,
    );
    if (this.incomplete > 0) {
      process.exitCode = 1;
    }
  }
}

function hold(file: string, text: string): void {
  const path = join(ROOT, file);
  if (!process.argv.includes('--check')) {
    writeFileSync(path, text);
  } else if (readFileSync(path, 'utf8') !== text) {
    process.stderr.write(`${file} is not what the checker finds: run npm run lifecycle\n`);
    process.exitCode = 1;
  }
}

const lives = new Tally();
for (const one of casesOf(OWNERS)) {
  verdictOf(one, lives.count);
}
lives.print('lives');

const changes = new Tally();
const search = new ChangeSearch(changes.count);
for (const one of changeCasesOf(OWNERS)) {
  search.resultOf(one);
}
changes.print('changes');

hold(
  FINALIZER_VERDICTS_FILE,
  finalizerVerdictsFile(OWNERS, () => undefined),
);

// Searches every order of the model of src/lifecycle, for every life and every change. Writes the small table that rules read, or
// compares it with --check.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { changeCasesOf } from '../src/lifecycle/change-cases';
import { changeAnswer } from '../src/lifecycle/changes';
import { OWNERS } from '../src/lifecycle/owners';
import { casesOf, safetyOf } from '../src/lifecycle/safety';
import { ROOT } from './docs/files';
import { FINALIZER_VERDICTS_FILE, finalizerVerdictsFile } from './lifecycle/finalizer-verdicts-file';

function searchAll<T>(what: string, cases: readonly T[], search: (one: T) => unknown): void {
  const begun = Date.now();
  for (const one of cases) {
    search(one);
  }
  process.stdout.write(`${what}: ${cases.length} cases, ${((Date.now() - begun) / 1000).toFixed(1)} s\n`);
}

searchAll('lives', casesOf(OWNERS), safetyOf);
searchAll('changes', changeCasesOf(OWNERS), changeAnswer);

const text = finalizerVerdictsFile(OWNERS);
const path = join(ROOT, FINALIZER_VERDICTS_FILE);
if (!process.argv.includes('--check')) {
  writeFileSync(path, text);
} else if (readFileSync(path, 'utf8') !== text) {
  process.stderr.write(`${FINALIZER_VERDICTS_FILE} is not what the checker finds: run npm run lifecycle\n`);
  process.exitCode = 1;
}

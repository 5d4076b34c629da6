// Compares the API of the compiled library with that of the last release: every break needs a reason.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compiled, readBaseline } from './api/baseline';
import { ALLOWED_BREAKS, allowedBreaksOf, breaksBetween, problemsOf } from './api/breaks';
import { ROOT } from './docs/files';

const breaks = breaksBetween(readBaseline(), compiled());
const problems = problemsOf(breaks, allowedBreaksOf(readFileSync(join(ROOT, ALLOWED_BREAKS), 'utf8')));
for (const problem of problems) {
  console.error(problem);
}
console.log(`${breaks.length} breaks of the API since the last release, ${problems.length} problems`);
process.exitCode = problems.length > 0 ? 1 : 0;

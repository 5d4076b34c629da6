// What this repository comes to: lines, files, public types, rules, folders that import each other, and the titles of laws,
// stories and mutations. --save FILE keeps it, --against FILE sets it beside what was kept, with all that is gone and new, and
// --root DIR measures another work tree. --budget compares the figures with measure.budget.json and fails above it; --budget --lower
// writes what is lower into that file.
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { budgetFigures, lowered, overBudget } from './measure/budget';
import { type Measured, measured } from './measure/measured';
import { detailsOf, differences, figuresTable } from './measure/report';

const option = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;
const { save, against, root, budget, lower } = parseArgs({
  options: { save: option, against: option, root: option, budget: flag, lower: flag },
}).values;

const here = resolve(root ?? join(__dirname, '..'));
const now = measured(here);
if (budget) {
  const path = join(here, 'measure.budget.json');
  const figures = budgetFigures(here, now.publicTypes.length);
  const kept = JSON.parse(readFileSync(path, 'utf8'));
  const limits = lower ? lowered(kept, figures) : kept;
  if (lower) {
    writeFileSync(path, `${JSON.stringify(limits, undefined, 2)}\n`);
  }
  const over = overBudget(limits, figures);
  console.log([...over, `${over.length} of ${Object.keys(figures).length} figures over the budget`].join('\n'));
  process.exit(over.length > 0 ? 1 : 0);
}
if (save) {
  writeFileSync(save, `${JSON.stringify(now, undefined, 1)}\n`);
}
if (against) {
  const before = JSON.parse(readFileSync(against, 'utf8')) as Measured;
  console.log(`${figuresTable({ before, after: now })}\n${differences(before, now)}`);
} else {
  console.log(`${figuresTable({ now })}\n${detailsOf(now)}`);
}

import { allRows, mutationsOfEffects, scenarios, unnoticedIn } from './mutants';

// Each effect of each row of the model is left out, and is another: a verdict or an experiment shows it. A command, and not among
// the tests: see scripts/pairs.ts.

test('an effect of a row that is wrong is noticed', () => {
  const all = scenarios();
  const unnoticed = unnoticedIn(all, mutationsOfEffects);
  let count = 0;
  const left = allRows(all).flatMap((row) => {
    count += Object.keys(mutationsOfEffects(row)).length;
    return unnoticed(row).map((name) => `${row.id}: ${name}`);
  });
  process.stdout.write(`effects of rows: ${count} mutants, ${left.length} not noticed\n${left.join('\n')}\n`);
  expect(count).toBeGreaterThan(0);
});

import { OWNERS } from '../../src/lifecycle/owners';
import { allRows, scenarios, unnoticedIn } from './mutants';

// A row that is removed, or whose first condition is turned round, is seen in a verdict or in what was seen on real programs.

const all = scenarios();
const unnoticed = unnoticedIn(all);
const rows = allRows(all);
const argued = rows.filter((row) => row.unnoticed !== undefined);

test.each(rows.filter((row) => !argued.includes(row)).map((row) => [row.id, row] as const))('%s is noticed', (_, row) =>
  expect(unnoticed(row)).toEqual([]),
);

test('the rows that nothing depends on are few, and say why', () => {
  expect(argued.map(({ id }) => id).sort()).toEqual(
    [
      'put-class-null.writes',
      'user.deletes-the-parent-alone',
      ...OWNERS.flatMap(({ table }) => table.map(({ id }) => id)).filter((id) => id.endsWith('.publishes-too-late')),
      ...OWNERS.filter(({ table }) => !table.some(({ id }) => id.endsWith('.releases')))
        .flatMap(({ table }) => table.map(({ id }) => id))
        .filter((id) => id.endsWith('.unmarks-no-namesake')),
    ]
      .filter((id, index, all) => all.indexOf(id) === index)
      .sort(),
  );
});

import { REPLAYED } from '../../scripts/lifecycle/replayed.facts';
import { OWNERS } from '../../src/lifecycle/owners';
import { ENDINGS, FAULTS, rowsOf } from '../../src/lifecycle/scenario';
import { casesOf } from '../../src/lifecycle/verdict';
import { whyNot } from '../cluster/replay/parts';

const FAULTS_BUT_REFUSALS = FAULTS.filter((fault) => fault !== 'status refused');
const steps = new Set(
  casesOf(OWNERS).flatMap((one) =>
    ENDINGS.flatMap((ending) => rowsOf({ ...one, ending, edited: true, faults: FAULTS_BUT_REFUSALS }))
      .filter(({ kind }) => kind === 'must' || kind === 'may')
      .map(({ id }) => id),
  ),
);

test.each(REPLAYED.rows)('%s is a step of the model that can be replayed', (id) => {
  expect(steps).toContain(id);
  expect(whyNot(id)).toBeUndefined();
});

test('what was seen contradicts nearly every row that is made wrong', () => {
  expect(REPLAYED.rows.length).toBeGreaterThan(steps.size / 3);
  expect(REPLAYED.unseen).toBeLessThan(REPLAYED.mutants / 4);
  expect(REPLAYED.rows.filter((id) => REPLAYED.unnoticed.includes(id))).toEqual([]);
});

import { RUN_BY_HAND } from '../../scripts/lifecycle/run-by-hand';
import { Confidence } from '../../src/contract/kubernetes.facts';
import { besideTable, OWNERS } from '../../src/lifecycle/owners';
import { BESIDES } from '../../src/lifecycle/owners.facts';

const rows = new Map(
  [...OWNERS.flatMap(({ table }) => table), ...BESIDES.flatMap((beside) => besideTable(beside, true))].map((row) => [
    row.id,
    row,
  ]),
);

test.each(RUN_BY_HAND.rows)('%s is a row that is known as seen, of the version that was run', (id) => {
  expect(rows.get(id)).toMatchObject({
    confidence: Confidence.SEEN,
    source: { repository: RUN_BY_HAND.program.repository, version: RUN_BY_HAND.program.version },
  });
});

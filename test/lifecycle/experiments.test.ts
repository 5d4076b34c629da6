import { REPLAYED } from '../../scripts/lifecycle/replayed.facts';
import { RUN_BY_HAND } from '../../scripts/lifecycle/run-by-hand';
import { Confidence } from '../../src/contract/kubernetes.facts';
import { OWNERS, secondControllerTable } from '../../src/lifecycle/owners';
import { BESIDES } from '../../src/lifecycle/owners.facts';
import { ENDINGS, FAULTS, type Policy, rowsOf, type Scenario, type Writer } from '../../src/lifecycle/scenario';
import { casesOf } from '../../src/lifecycle/verdict';
import { whyNot } from '../cluster/replay/parts';
import { AWS_BY_ANNOTATION, AWS_BY_CLASS, EXPERIMENTS } from './experiments';
import { live } from './life';

// What was seen when the real programs ran, asked of the model: finalizers and balancers at each point of rest, or all that
// can go wrong.

describe.each(Object.entries(EXPERIMENTS))('%s', (_, experiments) => {
  test.each(experiments.map((experiment) => [experiment.title, experiment] as const))('%s', (_title, experiment) => {
    expect(experiment.run()).toBe(experiment.expected);
  });
});

// The rows of the first story, which was seen with the real programs: Strimzi 0.49.1 and 1.2.0, the AWS Load Balancer
// Controller 3.5.0 and the service controller on one API server. F is the finalizer of the AWS controller, K of the other.

const aws = (by: 'class' | 'annotation', policy: Policy, writer: Writer): Scenario => ({
  owner: by === 'class' ? AWS_BY_CLASS : AWS_BY_ANNOTATION,
  beside: 'service controller',
  policy,
  writer,
});

describe('Strimzi 0.49.1, which writes whole objects', () => {
  test.each<[string, 'class' | 'annotation', Policy, string, string, number]>([
    ["class, K declared: the story's mistake leaves the balancer", 'class', 'wrong', '[K,F]', '[K]', 1],
    ['class, nothing declared: stripped, then gone without Terminating', 'class', 'left', '[F]', '[]', 1],
    ["class, F declared: the story's fix leaves nothing", 'class', 'declared', '[F]', '[F]', 0],
    ['type external, nothing declared: both stripped', 'annotation', 'left', '[K,F]', '[]', 1],
    ['type external, F declared: K alone is stripped', 'annotation', 'declared', '[K,F]', '[F]', 0],
    ['type external, K declared: F is stripped', 'annotation', 'wrong', '[K,F]', '[K]', 1],
  ])('%s', (_, by, policy, created, reconciled, left) => {
    expect(live(aws(by, policy, 'put'))).toEqual({
      created: [`${created}, 1`],
      reconciled: [`${reconciled}, 1`],
      deleted: [`gone, ${left}`],
    });
  });
});

describe('Strimzi 1.2.0, which applies on the server', () => {
  test.each<['class' | 'annotation', Policy, string]>([
    ['class', 'wrong', '[K,F]'],
    ['class', 'left', '[F]'],
    ['class', 'declared', '[F]'],
    ['annotation', 'left', '[K,F]'],
    ['annotation', 'declared', '[K,F]'],
    ['annotation', 'wrong', '[K,F]'],
  ])('by %s, finalizer %s: nothing is stripped and nothing left', (by, policy, finalizers) => {
    expect(live(aws(by, policy, 'server-apply'))).toEqual({
      created: [`${finalizers}, 1`],
      reconciled: [`${finalizers}, 1`],
      deleted: ['gone, 0'],
    });
  });
});

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

const rows = new Map(
  [...OWNERS.flatMap(({ table }) => table), ...BESIDES.flatMap((beside) => secondControllerTable(beside, true))].map(
    (row) => [row.id, row],
  ),
);

test.each(RUN_BY_HAND.rows)('%s is a row that is known as seen, of the version that was run', (id) => {
  expect(rows.get(id)).toMatchObject({
    confidence: Confidence.SEEN,
    source: { repository: RUN_BY_HAND.program.repository, version: RUN_BY_HAND.program.version },
  });
});

import { OWNERS } from '../../src/lifecycle/owners.facts';
import { type Case, casesOf, verdictOf } from '../../src/lifecycle/verdict';
import {
  type KnownVerdict,
  scenarioOf as knownScenario,
  knownVerdicts,
  linesOf,
  traceOf,
  verdictsFor,
} from '../../src/lifecycle/verdicts';
import { TRACES, VERDICTS } from '../../src/lifecycle/verdicts.facts';

// The generated table against the checker: of lives without a change every line that needs no fault to go wrong, and one in
// twelve of the others.
// `npm run lifecycle -- --check` asks for all.

const cases = casesOf(OWNERS);
const of = ({ owner, beside, turn, policy, writer }: Case): KnownVerdict => {
  const [found, ...more] = verdictsFor({ owner: owner.name, versions: owner.versions, beside, turn, policy, writer });
  expect(more).toEqual([]);
  return found;
};

const ONE_IN = 12;

const asked = cases.filter(
  (one, index) => (one.turn === 'nothing' && of(one).outcome === 'unsafe') || index % ONE_IN === 0,
);

test('every case has its line, in order', () => {
  expect(VERDICTS).toHaveLength(cases.length);
  expect(cases.map((one) => of(one).owner)).toEqual(cases.map(({ owner }) => owner.name));
});

test.each(OWNERS.map((owner) => [`${owner.name} ${owner.versions}`, owner] as const))(
  '%s: the checker finds what the table says',
  (_, owner) => {
    for (const one of asked.filter((each) => each.owner === owner)) {
      const known = of(one);
      const [line, trace] = linesOf(one, verdictOf(one));
      expect(VERDICTS[cases.indexOf(one)]).toBe(line(known.trace ? String(known.trace.number) : ''));
      expect(known.trace ? TRACES[known.trace.number - 1] : '').toBe(trace);
    }
  },
);

test('every trace can be walked, and ends in what it is named after', () => {
  const seen = new Set<number>();
  for (const verdict of knownVerdicts()) {
    if (verdict.trace && !seen.has(verdict.trace.number)) {
      seen.add(verdict.trace.number);
      const trace = traceOf(verdict);
      expect(trace?.states).toHaveLength(verdict.trace.steps.length + 1);
      expect(verdict.trace.name.startsWith(trace?.property ?? '?')).toBe(true);
      expect(knownScenario(verdict).ending).toBe(verdict.trace.ending);
    }
  }
  expect(seen.size).toBe(TRACES.length);
});

describe('what the library declares is safe', () => {
  const kept = ['create', 'client-apply', 'server-apply', 'put'] as const;
  const declaring = OWNERS.filter(({ declares }) => declares !== 'never');

  test.each(declaring.map((owner) => [`${owner.name} ${owner.versions}`, owner] as const))('%s', (_, owner) => {
    const beside = owner.beside.filter((each) => each !== 'one of the same cluster name');
    for (const each of beside) {
      const verdicts = kept.flatMap((writer) =>
        verdictsFor({
          owner: owner.name,
          versions: owner.versions,
          beside: each,
          turn: 'nothing',
          policy: 'declared',
          writer,
        }),
      );
      expect(verdicts.map(({ outcome }) => outcome)).toEqual(kept.map(() => 'safe'));
    }
  });

  test('and what is left to the owner is not', () => {
    const left = verdictsFor({ turn: 'nothing', policy: 'left' }).filter(({ owner }) =>
      declaring.some(({ name }) => name === owner),
    );
    expect(left.filter(({ outcome }) => outcome !== 'unsafe')).toEqual([]);
  });
});

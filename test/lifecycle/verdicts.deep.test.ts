import { walk } from '../../scripts/lifecycle/walk';
import { propertiesViolatedAtRest } from '../../src/lifecycle/outcomes';
import { OWNERS, type Owner } from '../../src/lifecycle/owners';
import { type Case, casesOf, safetyOf } from '../../src/lifecycle/safety';
import { firstState, machineOf, type Policy } from '../../src/lifecycle/scenario';
import { bytesOf } from '../../src/lifecycle/state';
import { type FinalizerWriter, finalizerTrace } from '../../src/rules/finalizer-rules';

// `npm run lifecycle` searches all lives; one in twelve of them is searched here.

const ONE_IN = 12;
const BY_STATE = ['orphan', 'hang'];

test.each(casesOf(OWNERS).flatMap((one, index) => (index % ONE_IN === 0 ? [[index, one] as const] : [])))(
  'the trace of life %i can be walked, and ends in what it is named after',
  (_, one) => {
    const { outcome, unless, found } = safetyOf(one);
    expect(found === undefined).toBe(outcome === 'safe');
    expect(unless.length > 0).toBe(outcome === 'safe if');
    if (found) {
      const { name, scenario, trace } = found;
      const ids = trace.steps.map(({ id }) => id);
      const states = walk(machineOf(scenario), firstState(scenario), ids);
      expect(states).toEqual(trace.states);
      expect(name.startsWith(`${trace.property}-`)).toBe(true);
      const broken = propertiesViolatedAtRest(bytesOf(states[states.length - 1]));
      expect(BY_STATE.includes(trace.property) ? broken : [trace.property]).toContain(trace.property);
    }
  },
);

describe('the default of the library is safe', () => {
  const kept = ['create', 'client-apply', 'server-apply', 'put'];
  const declaring = OWNERS.filter(({ declares }) => declares !== 'never');
  const outcomesOf = (owner: Owner, policy: Policy, writers: readonly string[]) =>
    casesOf([owner])
      .filter((one) => one.turn === 'nothing' && one.policy === policy && writers.includes(one.writer))
      .filter(({ beside }) => beside !== 'one of the same cluster name')
      .map((one) => safetyOf(one).outcome);

  test.each(declaring.map((owner) => [`${owner.name} ${owner.versions}`, owner] as const))('%s', (_, owner) => {
    const declared = outcomesOf(owner, 'declared', kept);
    expect(declared.length).toBeGreaterThanOrEqual(kept.length);
    expect(declared.filter((outcome) => outcome !== 'safe')).toEqual([]);
    // a finalizer that is left to the owner comes too late if the Service is deleted at once
    expect(outcomesOf(owner, 'left', kept).filter((outcome) => outcome !== 'unsafe')).toEqual([]);
  });
});

const WRITERS: readonly FinalizerWriter[] = ['client-apply', 'server-apply', 'put'];

const lives = casesOf(OWNERS).filter(
  ({ turn, beside }) => turn === 'nothing' && beside !== 'one of the same cluster name',
);
const isUnsafe = (one: Case) => safetyOf(one).outcome === 'unsafe';

test('a choice has a trace if the model finds it unsafe, and only then', () => {
  for (const { name, finalizer } of OWNERS.filter((owner) => owner.finalizer !== undefined)) {
    for (const policy of ['left', 'wrong'] as const) {
      for (const writer of WRITERS) {
        const unsafe = lives.some(
          (one) => one.owner.name === name && one.policy === policy && one.writer === writer && isUnsafe(one),
        );
        expect([name, finalizer, policy, writer, finalizerTrace(name, policy, writer) !== undefined]).toEqual([
          ...[name, finalizer, policy, writer, unsafe],
        ]);
      }
    }
  }
});

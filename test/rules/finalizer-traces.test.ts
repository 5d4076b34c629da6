import { traceNamed } from '../../src/checks/explain/traces';
import { FinalizerPolicy } from '../../src/contract/options';
import { OWNERS } from '../../src/lifecycle/owners';
import { type Case, casesOf, verdictOf } from '../../src/lifecycle/verdict';
import {
  type FinalizerWriter,
  finalizerLeft,
  finalizerTrace,
  hangTrace,
  withTrace,
} from '../../src/rules/finalizer-rules';
import { knownKinds } from '../../src/rules/known-kinds';
import '../../src';

const WRITERS: readonly FinalizerWriter[] = ['client-apply', 'server-apply', 'put'];

test('every trace that a rule names can be explained', () => {
  const all = OWNERS.flatMap(({ name }) =>
    (['left', 'wrong'] as const).flatMap((policy) => WRITERS.map((writer) => finalizerTrace(name, policy, writer))),
  ).filter((name) => name !== undefined);
  expect(all.length).toBeGreaterThan(20);
  const names = [...new Set([...all, hangTrace() ?? ''])];
  expect(names.filter((name) => traceNamed(name)?.trace.name !== name)).toEqual([]);
  expect(hangTrace()).toBe('hang-wrong-finalizer');
  expect(withTrace('take it out', hangTrace())).toBe('take it out; trace: explain hang-wrong-finalizer');
});

const lives = casesOf(OWNERS).filter(
  ({ turn, beside }) => turn === 'nothing' && beside !== 'one of the same cluster name',
);
const isUnsafe = (one: Case) => verdictOf(one).outcome === 'unsafe';

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

test('what is left on request is a warning where the finalizer is declared by default', () => {
  const { DECLARE, LEAVE_TO_CONTROLLER } = FinalizerPolicy;
  const warned = knownKinds().filter(
    (kind) => finalizerLeft(kind, kind.name, LEAVE_TO_CONTROLLER, 'client-apply').length > 0,
  );
  const declaring = OWNERS.filter(({ declares }) => declares === 'by default');
  expect(warned.map(({ name }) => name).sort()).toEqual([...new Set(declaring.map(({ name }) => name))].sort());
  expect(knownKinds().flatMap((kind) => finalizerLeft(kind, kind.name, DECLARE, 'client-apply'))).toEqual([]);
  expect(finalizerLeft(undefined, 'my-controller', LEAVE_TO_CONTROLLER, 'client-apply')).toEqual([]);
});

import { CHANGES, type ChangeCase, changeCasesOf } from '../../lifecycle/change-cases';
import { CHANGE_OUTCOME_SAYS, CHANGE_OUTCOMES } from '../../lifecycle/change-outcomes';
import { changeAnswer } from '../../lifecycle/change-results';
import { FINALIZER_VERDICTS } from '../../lifecycle/finalizer-verdicts.facts';
import { type Beside, OWNERS } from '../../lifecycle/owners.facts';
import { PROPERTY_SAYS } from '../../lifecycle/properties';
import type { TraceNames } from '../../lifecycle/trace-text';
import { type Case, casesOf, verdictOf } from '../../lifecycle/verdict';
import { type ShownTrace, shownTrace } from './shown-trace';

export interface NamedTrace {
  readonly kind: 'trace';
  readonly word: string;
  readonly owner: string;
  readonly versions: string;
  readonly beside: Beside;
  readonly finalizer: string;
  readonly writer: string;
  readonly trace: ShownTrace;
}

/** Names of traces of a whole life, as rules name them: `orphan-deleted-at-once`. */
const LIVES = new Set(FINALIZER_VERDICTS.map((line) => line.split(' | ')[3]));

const nameOf = (outcome: string, change: string) => `${outcome}-${change}`.replaceAll(' ', '-');

/** Every name that `explain` takes for a trace; some outcomes come of a change for no owner. */
export function traceNames(): string[] {
  return [...LIVES, ...CHANGE_OUTCOMES.flatMap((outcome) => CHANGES.map((change) => nameOf(outcome, change)))];
}

/** Searches the model for a trace of a name; undefined if no owner has one. */
export function traceNamed(word: string): NamedTrace | undefined {
  return LIVES.has(word) ? lifeNamed(word) : changeNamed(word);
}

function lifeNamed(word: string): NamedTrace | undefined {
  for (const line of FINALIZER_VERDICTS) {
    const [owner, , policy, trace, writers] = line.split(' | ');
    const cases = casesOf(OWNERS.filter(({ name }) => trace === word && name === owner)).filter(
      (one) => one.turn === 'nothing' && one.policy === policy && writers.split('+').includes(one.writer),
    );
    for (const one of cases) {
      const { found } = verdictOf(one);
      if (found?.name === word) {
        const comesTo = `broken: ${PROPERTY_SAYS[found.trace.property]}`;
        return named(word, one, policy, (names) => shownTrace(word, found.trace, names, comesTo));
      }
    }
  }
  return undefined;
}

function changeNamed(word: string): NamedTrace | undefined {
  const cases = changeCasesOf(OWNERS).filter(({ change }) => word.endsWith(nameOf('', change)));
  for (const one of cases) {
    const { outcome, trace } = changeAnswer(one) ?? {};
    if (outcome && trace?.name === word) {
      const finalizer = one.before === one.after ? one.before : `${one.before}, and ${one.after} afterwards`;
      const comesTo = `${outcome}: ${CHANGE_OUTCOME_SAYS[outcome]}`;
      return named(word, one, finalizer, (names) => shownTrace(word, trace.way, names, comesTo));
    }
  }
  return undefined;
}

function named(
  word: string,
  { owner, beside, writer }: Case | ChangeCase,
  finalizer: string,
  shownWith: (names: TraceNames) => ShownTrace,
): NamedTrace {
  return {
    kind: 'trace',
    word,
    ...{ owner: owner.name, versions: owner.versions, beside, finalizer, writer },
    trace: shownWith({ own: owner.finalizer ?? 'its finalizer', other: 'another finalizer' }),
  };
}

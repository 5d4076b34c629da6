import { CHANGE_OUTCOME_SAYS } from '../../lifecycle/change-outcomes';
import { wayOf } from '../../lifecycle/change-ways';
import { type KnownChange, knownChanges, knownChangeTraces } from '../../lifecycle/known-changes';
import { type Beside, OWNERS } from '../../lifecycle/owners.facts';
import { PROPERTY_SAYS } from '../../lifecycle/properties';
import type { TraceNames } from '../../lifecycle/trace-in-words';
import { type KnownVerdict, knownTraces, knownVerdicts, traceOf } from '../../lifecycle/verdicts';
import { type ShownTrace, shownTrace } from './shown-trace';

/** A trace by its name, as the owner has it with which it is shortest. */
export interface NamedTrace {
  readonly kind: 'trace';
  readonly word: string;
  readonly owner: string;
  readonly versions: string;
  readonly beside: Beside;
  readonly finalizer: string;
  readonly writer: string;
  readonly trace: ShownTrace;
  /** All owners that have a trace of this name. */
  readonly owners: readonly string[];
}

/** The names of all traces. */
export function traceNames(): string[] {
  return [...new Set([...knownTraces(), ...knownChangeTraces()].map(({ name }) => name))].sort();
}

let names: ReadonlySet<string> | undefined;

/** Whether a trace has that name. */
export function isTrace(word: string): boolean {
  names ??= new Set(traceNames());
  return names.has(word);
}

/** The shortest trace of a name. */
export function traceNamed(word: string): NamedTrace | undefined {
  return lifeNamed(word) ?? changeNamed(word);
}

function lifeNamed(word: string): NamedTrace | undefined {
  const all = knownVerdicts().filter(({ trace }) => trace?.name === word);
  const first = shortest(all, ({ trace }) => trace?.steps.length ?? 0);
  const trace = first && traceOf(first);
  return (
    trace &&
    named(word, first, first.policy, all, (names) =>
      shownTrace(word, trace, names, `broken: ${PROPERTY_SAYS[trace.property]}`),
    )
  );
}

function changeNamed(word: string): NamedTrace | undefined {
  const all = knownChanges().flatMap((found) =>
    [found, ...found.unless].flatMap(({ outcome, trace }) => (trace?.name === word ? [{ found, outcome, trace }] : [])),
  );
  const first = shortest(all, ({ trace }) => trace.steps.length);
  if (!first) {
    return undefined;
  }
  const { found, outcome, trace } = first;
  const { before, after } = found;
  const finalizer = before === after ? before : `${before}, and ${after} afterwards`;
  const comesTo = `${outcome}: ${CHANGE_OUTCOME_SAYS[outcome]}`;
  return named(
    word,
    found,
    finalizer,
    all.map((one) => one.found),
    (names) => shownTrace(word, wayOf(found, trace), names, comesTo),
  );
}

function shortest<T>(all: readonly T[], lengthOf: (one: T) => number): T | undefined {
  return [...all].sort((one, other) => lengthOf(one) - lengthOf(other))[0];
}

type Line = Pick<KnownVerdict | KnownChange, 'owner' | 'versions' | 'beside' | 'writer'>;

function named(
  word: string,
  { owner, versions, beside, writer }: Line,
  finalizer: string,
  all: readonly Line[],
  shownWith: (names: TraceNames) => ShownTrace,
): NamedTrace {
  const own = OWNERS.find((each) => each.name === owner && each.versions === versions)?.finalizer;
  return {
    kind: 'trace',
    word,
    ...{ owner, versions, beside, finalizer, writer },
    trace: shownWith({ own: own ?? 'its finalizer', other: 'another finalizer' }),
    owners: [...new Set(all.map((one) => one.owner))],
  };
}

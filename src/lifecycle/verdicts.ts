import { type Trace, walk } from './checker';
import { type Beside, OWNERS } from './owners.facts';
import { PROPERTIES, type Property } from './properties';
import { type Ending, type Fault, firstState, machineOf, type Policy, type Scenario } from './scenario';
import type { Transition } from './transition';
import type { Case, Verdict } from './verdict';
import { TRACES, VERDICTS } from './verdicts.facts';
import type { Turn, Writer } from './writers.facts';

// The table of verdicts as it was generated: nothing is searched here.

/** A line of the generated table. */
export interface KnownVerdict {
  readonly owner: string;
  readonly versions: string;
  readonly beside: Beside;
  readonly turn: Turn;
  readonly policy: Policy;
  readonly writer: Writer;
  readonly outcome: Verdict['outcome'];
  readonly unless: readonly Fault[];
  readonly trace?: KnownTrace;
  readonly uninstalled?: Property;
}

/** A generated trace. */
export interface KnownTrace {
  readonly number: number;
  readonly name: string;
  readonly ending: Ending;
  readonly faults: readonly Fault[];
  /** The rows, by their ids. */
  readonly steps: readonly string[];
}

const cells = (line: string) => line.split(' | ').map((cell) => (cell === '-' ? '' : cell));
const several = (cell: string) => (cell === '' ? [] : cell.split('+'));

let traces: readonly KnownTrace[] | undefined;
let verdicts: readonly KnownVerdict[] | undefined;

/** Every generated trace. */
export function knownTraces(): readonly KnownTrace[] {
  traces ??= TRACES.map((line, index) => {
    const [name, ending, faults, steps] = cells(line);
    return {
      number: index + 1,
      name,
      ending: ending as Ending,
      faults: several(faults) as Fault[],
      steps: steps.split(' '),
    };
  });
  return traces;
}

/** Every generated verdict. */
export function knownVerdicts(): readonly KnownVerdict[] {
  verdicts ??= VERDICTS.map((line) => {
    const [owner, versions, beside, turn, policy, writer, outcome, unless, trace, uninstalled] = cells(line);
    return {
      owner,
      versions,
      beside: beside as Beside,
      turn: turn as Turn,
      policy: policy as Policy,
      writer: writer as Writer,
      outcome: outcome as Verdict['outcome'],
      unless: several(unless) as Fault[],
      ...(trace === '' ? {} : { trace: knownTraces()[Number(trace) - 1] }),
      ...(uninstalled === '' ? {} : { uninstalled: uninstalled as Property }),
    };
  });
  return verdicts;
}

/** What is asked of the table; what is left out may be anything. */
export type Question = Partial<Pick<KnownVerdict, 'owner' | 'versions' | 'beside' | 'turn' | 'policy' | 'writer'>>;

/** The lines of the table that fit. */
export function verdictsFor(question: Question): KnownVerdict[] {
  const asked = Object.entries(question) as [keyof Question, string][];
  return knownVerdicts().filter((verdict) => asked.every(([name, value]) => verdict[name] === value));
}

/** The scenario of a line, in which its trace can be walked. */
export function scenarioOf(verdict: KnownVerdict): Scenario {
  const { versions, beside, turn, policy, writer, trace } = verdict;
  const owner = OWNERS.find((each) => each.name === verdict.owner && each.versions === versions);
  if (!owner) {
    throw new Error(`${verdict.owner} ${versions} is not an owner of the model`);
  }
  return {
    owner,
    beside,
    turn,
    policy,
    writer,
    edited: true,
    ...(trace ? { ending: trace.ending, faults: trace.faults } : {}),
  };
}

/** The trace of a line with all its states, by its steps alone. */
export function traceOf(verdict: KnownVerdict): Trace | undefined {
  const { trace } = verdict;
  if (!trace) {
    return undefined;
  }
  const scenario = scenarioOf(verdict);
  const machine = machineOf(scenario);
  const steps = trace.steps.map((id) => machine.rows.find((row) => row.id === id) as Transition);
  const property = PROPERTIES.find((each) => trace.name.startsWith(`${each}-`)) as Property;
  return { property, steps, states: walk(machine, firstState(scenario), trace.steps) };
}

/** The line of a verdict, and the line of its trace. */
export function linesOf(
  { owner, beside, turn, policy, writer }: Case,
  verdict: Verdict,
): [(n: string) => string, string] {
  const { outcome, unless, found, uninstalled } = verdict;
  const join = (...parts: string[]) => parts.map((part) => part || '-').join(' | ');
  const trace = found
    ? join(
        found.name,
        found.scenario.ending ?? '',
        (found.scenario.faults ?? []).join('+'),
        found.trace.steps.map(({ id }) => id).join(' '),
      )
    : '';
  const line = (number: string) =>
    join(
      owner.name,
      owner.versions,
      beside,
      turn,
      policy,
      writer,
      outcome,
      unless.join('+'),
      number,
      uninstalled ?? '',
    );
  return [line, trace];
}

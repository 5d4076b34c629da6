import { explore, type Outcome } from '../../src/lifecycle/checker';
import { Machine } from '../../src/lifecycle/machine';
import { OWNERS } from '../../src/lifecycle/owners.facts';
import { ENDINGS, type Fault, firstState, rowsOf, type Scenario } from '../../src/lifecycle/scenario';
import { FIELDS, type Field } from '../../src/lifecycle/state';
import type { Guard, Table, Transition } from '../../src/lifecycle/transition';
import { casesOf, nameOf } from '../../src/lifecycle/verdict';
import { TURNS } from '../../src/lifecycle/writers.facts';
import { EXPERIMENTS } from './experiments';

/** What a row is made into, by the name of the mutation; nothing where the row is taken out. */
export const MUTATIONS: Readonly<Record<string, (row: Transition) => Transition | undefined>> = {
  dropped: () => undefined,
  flipped: (row) => {
    if (row.finalizers) {
      return { ...row, finalizers: row.finalizers === 'some' ? 'none' : 'some' };
    }
    const [field] = (Object.keys(row.when) as Field[]).filter((each) => each !== 'process');
    return field ? { ...row, when: { ...row.when, [field]: others(field, row.when) } } : undefined;
  },
};

function others(field: Field, when: Guard): string[] {
  const values = [when[field]].flat() as string[];
  return FIELDS[field].filter((value) => !values.includes(value));
}

/** Every scenario that a mutation is held against, the small ones first. */
export function scenarios(): Scenario[] {
  const faults: Fault[][] = [[], ['crash'], ['lag'], ['lost answer'], ['uninstalled'], ['status refused']];
  const all: Scenario[] = [];
  for (const turn of TURNS) {
    for (const one of casesOf(OWNERS, [turn])) {
      const isPlain =
        (turn === 'nothing' || turn === 'again') && (one.writer === 'put' || one.writer === 'server-apply');
      for (const ending of isPlain ? ENDINGS : (['background', 'foreground'] as const)) {
        for (const set of isPlain && ending === 'background' ? faults : [[]]) {
          all.push({ ...one, ending, faults: set, edited: set.length > 0 });
        }
      }
    }
  }
  return all;
}

/** What a verdict says of an outcome. */
export function verdict({ broken }: Outcome, { policy }: Scenario): string {
  return [...broken.values()]
    .map((trace) => `${trace.property} ${nameOf(trace, policy)} ${trace.steps.length}`)
    .sort()
    .join(', ');
}

/** What comes of a scenario whose rows are changed. */
export function outcome(scenario: Scenario, change: (rows: Table) => Table = (rows) => rows): Outcome {
  return explore(new Machine(change(rowsOf(scenario))), firstState(scenario));
}

/** Every row of the scenarios, once. */
export function allRows(all: readonly Scenario[]): Transition[] {
  const rows = new Map<string, Transition>();
  for (const scenario of all) {
    for (const row of rowsOf(scenario)) {
      rows.set(row.id, row);
    }
  }
  return [...rows.values()];
}

/** The mutants of rows that no scenario's verdict shows. */
export function unnoticed(all: readonly Scenario[]): string[] {
  const known = all.map((scenario) => {
    const found = outcome(scenario);
    return {
      scenario,
      states: found.states,
      ids: new Set(rowsOf(scenario).map(({ id }) => id)),
      says: verdict(found, scenario),
    };
  });
  known.sort((a, b) => a.states - b.states);
  const experiments = Object.values(EXPERIMENTS).flat();
  return allRows(all)
    .filter((row) => row.unnoticed === undefined)
    .flatMap(({ id }) =>
      Object.entries(MUTATIONS)
        .filter(([, mutate]) => {
          const change = (rows: Table) =>
            rows.flatMap((row) => {
              const mutant = row.id === id ? mutate(row) : row;
              return mutant ? [mutant] : [];
            });
          if (experiments.some((experiment) => experiment.run(change) !== experiment.expected)) {
            return false;
          }
          return !known.some(
            ({ scenario, ids, says }) => ids.has(id) && verdict(outcome(scenario, change), scenario) !== says,
          );
        })
        .map(([name]) => `${id} ${name}`),
    );
}

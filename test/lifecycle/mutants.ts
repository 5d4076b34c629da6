import { explore, type Outcome } from '../../src/lifecycle/checker';
import type { Guard, Table, Transition } from '../../src/lifecycle/machine';
import { Machine } from '../../src/lifecycle/machine';
import { OWNERS } from '../../src/lifecycle/owners';
import { casesOf, nameOf } from '../../src/lifecycle/safety';
import type { Writer } from '../../src/lifecycle/scenario';
import { ENDINGS, type Fault, firstState, rowsOf, type Scenario } from '../../src/lifecycle/scenario';
import type { Field } from '../../src/lifecycle/state';
import { FIELDS } from '../../src/lifecycle/state.facts';
import { EXPERIMENTS } from './experiments';

/** What a row is made into, by the name of the mutation; nothing where the row is removed. */
export const MUTATIONS: Readonly<Record<string, (row: Transition) => Transition | undefined>> = {
  dropped: () => undefined,
  flipped: (row) => {
    if (row.finalizers) return { ...row, finalizers: row.finalizers === 'some' ? 'none' : 'some' };
    const [field] = (Object.keys(row.when) as Field[]).filter((each) => each !== 'process');
    return field ? { ...row, when: { ...row.when, [field]: others(field, row.when) } } : undefined;
  },
};

/** What becomes of a row whose effects are left out or are others, one by one. */
export function mutationsOfEffects(row: Transition): typeof MUTATIONS {
  const fields = Object.keys(row.does) as Field[];
  const without = fields.map((field) => {
    const { [field]: _, ...does } = row.does;
    return [`${field} is left`, () => ({ ...row, does })] as const;
  });
  const another = fields.flatMap((field) => {
    const value: unknown = row.does[field];
    const other = FIELDS[field].find((each) => each !== value);
    const mutant = () => ({ ...row, does: { ...row.does, [field]: other } });
    return typeof value === 'string' ? [[`${field} becomes ${other}`, mutant] as const] : [];
  });
  return Object.fromEntries([...without, ...another]);
}

function others(field: Field, when: Guard): string[] {
  const values = [when[field]].flat() as string[];
  return FIELDS[field].filter((value) => !values.includes(value));
}

/** Every scenario that a mutation is held against, those without faults first. */
export function scenarios(): Scenario[] {
  const faults: Fault[][] = [['crash'], ['lost answer'], ['uninstalled'], ['status refused']];
  const cases = casesOf(OWNERS).filter(({ writer, turn }) => turn === 'nothing' || CHANGERS.includes(writer));
  const endings = cases.filter(({ turn, writer }) => turn === 'nothing' && CHANGERS.includes(writer));
  return [
    ...cases.map((one): Scenario => ({ ...one, ending: 'background' })),
    ...endings.flatMap((one) => ENDINGS.map((ending): Scenario => ({ ...one, ending, edited: true }))),
    ...endings.flatMap((one) => faults.map((set): Scenario => ({ ...one, ending: 'background', faults: set }))),
  ];
}

/** Writers of which a change is looked at. */
const CHANGERS: readonly Writer[] = ['put', 'server-apply', 'client-apply'];

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

/** Asks which mutants of a row no experiment and no scenario's verdict shows. */
export function unnoticedIn(
  all: readonly Scenario[],
  mutationsOf: (row: Transition) => typeof MUTATIONS = () => MUTATIONS,
): (row: Transition) => string[] {
  const experiments = Object.values(EXPERIMENTS).flat();
  const says = new Map<Scenario, string>();
  const known = all.map((scenario) => ({ scenario, ids: new Set(rowsOf(scenario).map(({ id }) => id)) }));
  const isNoticed = (id: string, change: (rows: Table) => Table) =>
    experiments.some((experiment) => experiment.run(change) !== experiment.expected) ||
    known.some(({ scenario, ids }) => {
      if (!ids.has(id)) return false;
      const before = says.get(scenario) ?? verdict(outcome(scenario), scenario);
      says.set(scenario, before);
      return verdict(outcome(scenario, change), scenario) !== before;
    });
  return (mutated) =>
    Object.entries(mutationsOf(mutated))
      .filter(([, mutate]) => {
        const change = (rows: Table) =>
          rows.flatMap((row) => {
            const mutant = row.id === mutated.id ? mutate(row) : row;
            return mutant ? [mutant] : [];
          });
        return !isNoticed(mutated.id, change);
      })
      .map(([name]) => name);
}

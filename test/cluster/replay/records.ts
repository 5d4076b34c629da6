import { restsOf } from '../../../src/lifecycle/checker';
import { type Effect, Machine, type Step, type Table, type Transition } from '../../../src/lifecycle/machine';
import { firstState, rowsOf } from '../../../src/lifecycle/scenario';
import { bytesOf, type Field, NAMES, stateOf } from '../../../src/lifecycle/state';
import { FIELDS } from '../../../src/lifecycle/state.facts';
import { type Playing, playingOf } from './parts';
import type { Record } from './replay';
import { differences, expectedOf } from './seen';

// Rows of the model are dropped, or their effects changed, and what was seen on real ways is held against what is left.

/** A row that is made wrong. */
export interface Mutant {
  readonly id: string;
  /** What is wrong with it. */
  readonly what: string;
  change(rows: Table): Table;
}

export const DROPPED = 'dropped';

/** A row is dropped, and each of its effects is left out or turned into another. */
export function mutantsOf(row: Transition): Mutant[] {
  const mutant = (what: string, rest?: Partial<Transition>): Mutant => ({
    id: row.id,
    what,
    change: (rows) => rows.flatMap((each) => (each.id !== row.id ? [each] : rest ? [{ ...each, ...rest }] : [])),
  });
  const fields = (Object.keys(row.does) as Field[]).filter((field) => !WITHIN.includes(field));
  return [
    mutant(DROPPED),
    ...fields.map((field) => {
      const { [field]: value, ...does } = row.does;
      return mutant(`without ${field}`, { does: does as Effect });
    }),
    ...fields
      .filter((field) => typeof row.does[field] === 'string')
      .map((field) => {
        const value = FIELDS[field].find((each) => each !== row.does[field]);
        return mutant(`${field} ${value}`, { does: { ...row.does, [field]: value } as Effect });
      }),
  ];
}

/** What is the model's bookkeeping alone. */
const WITHIN: readonly Field[] = ['promised', 'turns', 'edits', 'crashes', 'lags', 'losses'];

/** Why a row is held against no record: it is not seen, or what it keeps is not. */
export function isHeldAgainst({ id, source }: Transition): boolean {
  return source.repository !== 'this model' && !id.startsWith('model.');
}

/** The rows that take part in what was recorded: those of its steps, and what happens within them. */
export function rowsIn(records: readonly Record[]): Map<string, { row: Transition; records: Record[] }> {
  const found = new Map<string, { row: Transition; records: Record[] }>();
  for (const record of [...records].sort((a, b) => a.way.steps.length - b.way.steps.length)) {
    for (const row of rowsOf(record.way.scenario).filter(isHeldAgainst)) {
      const isStep = row.kind === 'must' || row.kind === 'may';
      if (!isStep || record.way.steps.includes(row.id)) {
        const one = found.get(row.id) ?? { row, records: [] };
        one.records.push(record);
        found.set(row.id, one);
      }
    }
  }
  return found;
}

/** Whether a record contradicts a model: no way of it shows what was seen. */
export function contradicts({ way, seen, rest }: Record, { id, change }: Mutant): boolean {
  const { scenario, steps } = way;
  const machine = new Machine(change(rowsOf(scenario)));
  const playing = playingOf(scenario.owner) as Playing;
  const isSeen = (state: Uint8Array, index: number) =>
    differences(expectedOf({ scenario, playing }, stateOf(state)), seen[index]).length === 0;
  const rests = (state: Uint8Array) =>
    restsOf(machine.rows, stateOf(state)).map((each) => expectedOf({ scenario, playing }, each));
  const isRest = (state: Uint8Array) => {
    const all = rests(state);
    return rest === undefined ? all.length === 0 : all.some((each) => differences(each, rest).length === 0);
  };
  const after = (state: Uint8Array, step: Step) => {
    const next = new Uint8Array(NAMES.length);
    machine.follow(state, step, next);
    return next;
  };
  const canGoOn = (state: Uint8Array, index: number): boolean => {
    if (!isSeen(state, index)) {
      return false;
    }
    if (index === steps.length) {
      return isRest(state);
    }
    return instead(machine, steps[index], id, state).some((step) => canGoOn(after(state, step), index + 1));
  };
  const first = bytesOf(firstState(scenario));
  machine.settle(first);
  return !canGoOn(first, 0);
}

/** The step itself, or where it is dropped, what else its actor could have done. */
function instead({ steps }: Machine, id: string, mutated: string, state: Uint8Array): Step[] {
  const itself = steps.find(({ row }) => row.id === id);
  const prefix = id.slice(0, id.indexOf('.') + 1);
  const candidates = itself || id !== mutated ? [itself] : steps.filter(({ row }) => row.id.startsWith(prefix));
  return candidates.filter((step) => step?.enabled(state)) as Step[];
}

import type { Machine } from '../../src/lifecycle/machine';
import { bytesOf, type PartialState, type State, stateOf } from '../../src/lifecycle/state';

/**
 * The states along a way of rows, each by its id: one more than there are rows.
 *
 * @throws Error where a row is not in the tables, or cannot be taken there
 */
export function walk(machine: Machine, from: PartialState, ids: readonly string[]): State[] {
  const before = bytesOf(from);
  machine.settle(before);
  const states = [stateOf(before)];
  const after = new Uint8Array(before.length);
  for (const id of ids) {
    const step = machine.steps.find(({ row }) => row.id === id);
    if (!step?.enabled(before)) {
      throw new Error(`${id} cannot be taken in ${JSON.stringify(stateOf(before))}`);
    }
    machine.follow(before, step, after);
    before.set(after);
    states.push(stateOf(before));
  }
  return states;
}

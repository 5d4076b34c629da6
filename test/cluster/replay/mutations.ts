import { walk } from '../../../scripts/lifecycle/walk';
import { restsOf } from '../../../src/lifecycle/checker';
import { Machine, type Table } from '../../../src/lifecycle/machine';
import { firstState, rowsOf, type Scenario } from '../../../src/lifecycle/scenario';
import type { State } from '../../../src/lifecycle/state';
import type { Way } from './replay';

/** A model without one of its rows. */
export const without =
  (id: string) =>
  (rows: Table): Table =>
    rows.filter((row) => row.id !== id);

/** What of a state can be seen. */
const visible = ({ object, own, other, collected, address, balancer, leftover }: State): string =>
  object === 'absent'
    ? `absent ${balancer === 'made' || leftover !== 'none'}`
    : [object, own, other, collected, address, balancer, leftover].join(' ');

function restsIn(scenario: Scenario, steps: readonly string[], change = (rows: Table) => rows): Set<string> {
  const machine = new Machine(change(rowsOf(scenario)));
  return new Set(restsOf(machine.rows, walk(machine, firstState(scenario), steps).at(-1) as State).map(visible));
}

/** The beginning of a way after which the programs, without one row of the model, would come to rest elsewhere than with it. */
export function wayThatNotices(id: string, ways: readonly Way[]): Way | undefined {
  for (const way of [...ways].sort((a, b) => a.steps.length - b.steps.length)) {
    const place = way.steps.indexOf(id);
    if (place >= 0) {
      const steps = way.steps.slice(0, place);
      const [right, wrong] = [restsIn(way.scenario, steps), restsIn(way.scenario, steps, without(id))];
      if (right.size > 0 && wrong.size > 0 && ![...right].some((rest) => wrong.has(rest))) {
        return { ...way, name: `without ${id}`, steps };
      }
    }
  }
  return undefined;
}

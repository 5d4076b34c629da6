import { explore, type Outcome, restsOf } from '../../src/lifecycle/checker';
import { firstState, machineOf, type Scenario } from '../../src/lifecycle/scenario';
import type { State } from '../../src/lifecycle/state';
import { shown } from './experiments';

export const check = (scenario: Scenario): Outcome => explore(machineOf(scenario), firstState(scenario));

/** The phases of a life: created, reconciled, deleted; each is what all ways of the actors come to. */
export interface Phases {
  readonly created: string[];
  readonly reconciled: string[];
  readonly deleted: string[];
}

/** What becomes of a Service whose writer waits between its creation and its next reconciliation. */
export function live(scenario: Scenario): Phases {
  const machine = machineOf(scenario);
  const once = machine.rows.filter(
    ({ id, actor, kind }) => actor !== 'writer' || kind !== 'must' || id.endsWith('.creates'),
  );
  const created = restsOf(once, firstState(scenario));
  const reconciled = created.flatMap((state) => restsOf(machine.rows, state));
  const deleted = reconciled.flatMap((state) =>
    restsOf(machine.rows, { ...state, deletion: 'wanted', writer: 'done' }),
  );
  const words = (states: State[]) => [...new Set(states.map(shown))];
  return { created: words(created), reconciled: words(reconciled), deleted: words(deleted) };
}

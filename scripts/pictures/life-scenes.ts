import type { Transition } from '../../src/lifecycle/machine';
import { OWNERS } from '../../src/lifecycle/owners';
import { firstState, machineOf, type Scenario } from '../../src/lifecycle/scenario';
import type { State } from '../../src/lifecycle/state';
import { saysIn, type TraceNames, whoIn } from '../../src/lifecycle/trace-text';
import { walk } from '../lifecycle/walk';

/** A step of a story that a picture shows, and what there is after it, as the model of the library has it. */
export interface Moment {
  readonly says: string;
  readonly service: 'absent' | 'live' | 'terminating';
  readonly hasFinalizer: boolean;
  readonly balancer: 'absent' | 'served' | 'orphan';
}

/** A way through the model: an id with a star has no line of its own, and what it does is shown with the step before. */
export interface Story {
  /** The owner by its name, and by its versions if the model has several of that name. */
  readonly owner: string;
  readonly versions?: string;
  readonly beside?: Scenario['beside'];
  readonly writer: Scenario['writer'];
  readonly policy: Scenario['policy'];
  readonly faults?: Scenario['faults'];
  readonly names: TraceNames;
  /** Which finalizer is shown: that of the owner, unless told. */
  readonly shown?: 'own' | 'other';
  readonly steps: readonly string[];
}

/** The moments of a story; a step that the model does not allow is an error. */
export function momentsOf(story: Story): Moment[] {
  const { policy, writer, beside = 'alone', faults = [], names, shown: finalizer = 'own', steps } = story;
  const owner = OWNERS.find(
    ({ name, versions }) => name === story.owner && (story.versions === undefined || versions === story.versions),
  );
  if (!owner) {
    throw new Error(`${story.owner} is not an owner of the model`);
  }
  const scenario: Scenario = { owner, beside, writer, policy, faults, ending: 'background', edited: false };
  const machine = machineOf(scenario);
  const ids = steps.map((id) => id.replace('*', ''));
  const [, ...states] = walk(machine, firstState(scenario), ids);
  const shown = steps.flatMap((step, index) => (step.endsWith('*') ? [] : [index]));
  return shown.map((index, place) => {
    const row = machine.rows.find(({ id }) => id === ids[index]) as Transition;
    const last = (shown[place + 1] ?? steps.length) - 1;
    const who = row.actor === 'other controller' ? `the ${scenario.beside}` : whoIn(row.actor, names);
    return momentOf(`${who} ${saysIn(row, names)}`, states[last], finalizer);
  });
}

function momentOf(says: string, state: State, finalizer: 'own' | 'other'): Moment {
  const { object, balancer, leftover } = state;
  const service = object === 'dying' ? 'terminating' : object;
  const isThere = balancer === 'made' || leftover !== 'none';
  return {
    says: `${says[0].toUpperCase()}${says.slice(1)}`,
    service,
    hasFinalizer: object !== 'absent' && state[finalizer] !== 'absent',
    balancer: isThere ? (object === 'absent' ? 'orphan' : 'served') : 'absent',
  };
}

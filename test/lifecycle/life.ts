import { explore, type Outcome, restsOf } from '../../src/lifecycle/checker';
import { OWNERS, type Owner } from '../../src/lifecycle/owners.facts';
import { firstState, machineOf, type Scenario } from '../../src/lifecycle/scenario';
import type { State } from '../../src/lifecycle/state';

/** An owner by its name, and by its versions where there is more than one. */
export function owner(name: string, versions?: string): Owner {
  const found = OWNERS.find((each) => each.name === name && (versions === undefined || each.versions === versions));
  if (!found) {
    throw new Error(`no owner ${name} ${versions}`);
  }
  return found;
}

export const AWS_BY_CLASS = owner('aws-load-balancer-controller', 'by class');
export const AWS_BY_ANNOTATION = owner('aws-load-balancer-controller', 'by annotation');
export const AWS_CLOUD = owner('aws-cloud-provider');

export function check(scenario: Scenario): Outcome {
  return explore(machineOf(scenario), firstState(scenario));
}

/** What is wrong with a life, in the order of the properties. */
export function wrong(scenario: Scenario): string[] {
  return [...check(scenario).broken.keys()].sort();
}

/** The finalizers of a Service as the tables of the stories write them. */
export function shown({ object, own, other }: State, [ownLetter, otherLetter]: string): string {
  if (object === 'absent') {
    return 'gone';
  }
  const letters = [own === 'absent' ? '' : ownLetter, other === 'absent' ? '' : otherLetter].filter(Boolean);
  return `[${letters.sort().reverse().join(',')}]${object === 'dying' ? ' Terminating' : ''}`;
}

/** The phases of a life: created, reconciled, deleted; each is what all ways of the actors come to. */
export interface Phases {
  readonly created: string[];
  readonly reconciled: string[];
  readonly deleted: string[];
  readonly balancers: string[];
}

/** What becomes of a Service whose writer waits between its creation and its next reconciliation. */
export function live(scenario: Scenario, letters = 'FK'): Phases {
  const machine = machineOf(scenario);
  const isReconciliation = ({ id, actor }: { id: string; actor: string }) =>
    actor === 'first writer' && !id.endsWith('.creates');
  const created = restsOf(machine, firstState(scenario), isReconciliation);
  const reconciled = created.flatMap((state) => restsOf(machine, state));
  const deleted = reconciled.flatMap((state) => restsOf(machine, { ...state, deletion: 'wanted', first: 'done' }));
  const words = (states: State[]) => [...new Set(states.map((state) => shown(state, letters)))];
  return {
    created: words(created),
    reconciled: words(reconciled),
    deleted: words(deleted),
    balancers: [...new Set(deleted.map(({ balancer }) => balancer))],
  };
}

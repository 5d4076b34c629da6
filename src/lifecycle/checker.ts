import { Machine, type Table, type Transition } from './machine';
import { lostProperty, type Property, propertiesViolatedAtRest, propertyViolatedByStep } from './outcomes';
import { bytesOf, keyOf, type PartialState, type State, stateOf } from './state';

export interface StatePath {
  readonly steps: readonly Transition[];
  /** The states between the steps: one more than there are steps. */
  readonly states: readonly State[];
}

export interface Trace extends StatePath {
  readonly property: Property;
}

/** Name of a state that is searched for beside the properties. */
export type Label = (state: Uint8Array, isAtRest: boolean) => string | undefined;

export interface Outcome {
  readonly broken: ReadonlyMap<Property, Trace>;
  readonly labelled: ReadonlyMap<string, StatePath>;
}

/** A state, with the step that led to it first and all states from which a step that must come leads to it. */
interface Place {
  readonly state: Uint8Array;
  readonly row?: Transition;
  readonly from?: Place;
  readonly sources: Place[];
  canRest?: boolean;
}

/** Looks at every state that can be reached, breadth first, so that the first trace to anything is the shortest. */
export function explore(machine: Machine, first: PartialState, label: Label = () => undefined): Outcome {
  const broken = new Map<Property, Trace>();
  const labelled = new Map<string, StatePath>();
  const places: Place[] = [];
  const byKey = new Map<number, Place>();
  const placeOf = (state: Uint8Array, row?: Transition, from?: Place): Place => {
    const key = keyOf(state);
    let place = byKey.get(key);
    if (!place) {
      place = { state: state.slice(), row, from, sources: [] };
      byKey.set(key, place);
      places.push(place);
    }
    return place;
  };
  const report = (property: Property | undefined, end: Omit<Place, 'sources'>) => {
    if (property && !broken.has(property)) {
      broken.set(property, { property, ...wayTo(end) });
    }
  };
  const state = bytesOf(first);
  machine.settle(state);
  placeOf(state);
  // the list grows while it is walked
  for (const place of places) {
    let isAtRest = true;
    for (const step of machine.steps) {
      if (step.enabled(place.state)) {
        machine.follow(place.state, step, state);
        const next = placeOf(state, step.row, place);
        if (next !== place) {
          if (step.row.kind === 'must') {
            isAtRest = false;
            next.sources.push(place);
          }
          report(propertyViolatedByStep(step.row.actor, place.state, state), {
            state: next.state,
            row: step.row,
            from: place,
          });
        }
      }
    }
    for (const property of isAtRest ? propertiesViolatedAtRest(place.state) : []) {
      report(property, place);
    }
    report(lostProperty(place.state), place);
    place.canRest = isAtRest;
    const name = label(place.state, isAtRest);
    if (name !== undefined && !labelled.has(name)) {
      labelled.set(name, wayTo(place));
    }
  }
  const endless = firstEndless(places);
  if (endless) {
    report('no-rest', endless);
  }
  return { broken, labelled };
}

function wayTo(end: Omit<Place, 'sources'>): StatePath {
  const steps: Transition[] = [];
  const states: State[] = [];
  for (let at: Omit<Place, 'sources'> | undefined = end; at; at = at.from) {
    states.unshift(stateOf(at.state));
    if (at.row) {
      steps.unshift(at.row);
    }
  }
  return { steps, states };
}

function firstEndless(places: readonly Place[]): Place | undefined {
  const pending = places.filter(({ canRest }) => canRest);
  for (let place = pending.pop(); place; place = pending.pop()) {
    for (const source of place.sources) {
      if (!source.canRest) {
        source.canRest = true;
        pending.push(source);
      }
    }
  }
  return places.find(({ canRest }) => !canRest);
}

export function restsOf(rows: Table, from: PartialState): State[] {
  const machine = new Machine(rows.filter(({ kind }) => kind !== 'may'));
  const { labelled } = explore(machine, from, (state, isAtRest) => (isAtRest ? state.join() : undefined));
  return [...labelled.values()].map(({ states }) => states[states.length - 1]);
}

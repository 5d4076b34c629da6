import type { Machine, Step } from './machine';
import { brokenAtOnce, brokenAtRest, brokenByStep, type Property } from './properties';
import { bytesOf, NAMES, Numbers, type PartialState, type State, StateStore, stateOf } from './state';
import type { Transition } from './transition';

export interface Way {
  readonly steps: readonly Transition[];
  /** The states between the steps: one more than there are steps. */
  readonly states: readonly State[];
}

export interface Trace extends Way {
  readonly property: Property;
}

/** What a state is called that is looked for beside the properties. */
export type Label = (state: Uint8Array, isAtRest: boolean) => string | undefined;

export interface Outcome {
  readonly states: number;
  readonly edges: number;
  /** Whether every state was looked at, within the bound. */
  readonly isComplete: boolean;
  /** The shortest trace of each property that does not hold. */
  readonly broken: ReadonlyMap<Property, Trace>;
  /** The shortest way to a state of each label. */
  readonly labelled: ReadonlyMap<string, Way>;
}

/** How many states are looked at: with their edges they are some 250 megabytes. */
export const MOST_STATES = 1 << 22;

/** Looks at every state that can be reached, breadth first, so that the first trace to anything is the shortest. */
export function explore(
  machine: Machine,
  first: PartialState,
  most = MOST_STATES,
  label: Label = () => undefined,
): Outcome {
  return new Exploration(machine, most, label).from(first);
}

/** Where actors come to rest from a state, if none but `must` steps are taken, without the rows that are held back. */
export function restsOf(
  machine: Machine,
  from: PartialState,
  held: (row: Transition) => boolean = () => false,
): State[] {
  const store = new StateStore();
  const before = bytesOf(from);
  machine.settle(before);
  store.add(before);
  const after = new Uint8Array(NAMES.length);
  const steps = machine.steps.filter(({ row }) => row.kind === 'must' && !held(row));
  const rests: State[] = [];
  for (let number = 0; number < store.size; number++) {
    store.read(number, before);
    let isAtRest = true;
    for (const step of steps) {
      if (step.enabled(before)) {
        machine.follow(before, step, after);
        isAtRest = store.add(after) === number && isAtRest;
      }
    }
    if (isAtRest) {
      rests.push(stateOf(before));
    }
  }
  return rests;
}

/**
 * The states along a way of rows, each by its id: one more than there are rows.
 *
 * @throws Error where a row is not in the tables, or cannot be taken there
 */
export function walk(machine: Machine, from: PartialState, ids: readonly string[]): State[] {
  const before = bytesOf(from);
  machine.settle(before);
  const states = [stateOf(before)];
  const after = new Uint8Array(NAMES.length);
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

const NOWHERE = -1;

class Exploration {
  private readonly store = new StateStore();
  private readonly parents = new Numbers();
  private readonly rows = new Numbers();
  private readonly edgeFrom = new Numbers();
  private readonly edgeTo = new Numbers();
  private readonly resting: number[] = [];
  private readonly broken = new Map<Property, Trace>();
  private readonly labelled = new Map<string, Way>();
  private edges = 0;

  constructor(
    private readonly machine: Machine,
    private readonly most: number,
    private readonly label: Label,
  ) {}

  public from(first: PartialState): Outcome {
    const before = bytesOf(first);
    this.machine.settle(before);
    this.found(before, NOWHERE, NOWHERE);
    const after = new Uint8Array(NAMES.length);
    let number = 0;
    for (; number < this.store.size && this.store.size <= this.most; number++) {
      this.store.read(number, before);
      this.visit(number, before, after);
    }
    const isComplete = number === this.store.size;
    if (isComplete) {
      this.lookForRest();
    }
    const { edges, broken, labelled } = this;
    return { states: this.store.size, edges, isComplete, broken, labelled };
  }

  private visit(number: number, before: Uint8Array, after: Uint8Array): void {
    let isAtRest = true;
    for (const step of this.machine.steps) {
      if (!step.enabled(before)) {
        continue;
      }
      this.machine.follow(before, step, after);
      const next = this.found(after, number, step.place);
      if (next === number) {
        continue;
      }
      this.edges++;
      if (step.row.kind === 'must') {
        isAtRest = false;
        this.edgeFrom.push(number);
        this.edgeTo.push(next);
      }
      this.report(brokenByStep(step.row.actor, before, after), number, step, after);
    }
    if (isAtRest) {
      this.resting.push(number);
      for (const property of brokenAtRest(before)) {
        this.report(property, number);
      }
    }
    this.report(brokenAtOnce(before), number);
    const label = this.label(before, isAtRest);
    if (label !== undefined && !this.labelled.has(label)) {
      this.labelled.set(label, this.wayTo(number));
    }
  }

  private found(state: Uint8Array, parent: number, row: number): number {
    const number = this.store.add(state);
    if (number === this.parents.length) {
      this.parents.push(parent);
      this.rows.push(row);
    }
    return number;
  }

  private report(property: Property | undefined, number: number, last?: Step, end?: Uint8Array): void {
    if (property && !this.broken.has(property)) {
      this.broken.set(property, { property, ...this.wayTo(number, last, end) });
    }
  }

  private wayTo(number: number, last?: Step, end?: Uint8Array): Way {
    const steps: Transition[] = last ? [last.row] : [];
    const states: State[] = end ? [stateOf(end)] : [];
    const bytes = new Uint8Array(NAMES.length);
    for (let at = number; at !== NOWHERE; at = this.parents.at(at)) {
      this.store.read(at, bytes);
      states.unshift(stateOf(bytes));
      const row = this.rows.at(at);
      if (row !== NOWHERE) {
        steps.unshift(this.machine.rows[row]);
      }
    }
    return { steps, states };
  }

  /** Finds the first state from which the actors reach no state of rest, whatever they do. */
  private lookForRest(): void {
    const size = this.store.size;
    const starts = new Int32Array(size + 1);
    for (let edge = 0; edge < this.edgeTo.length; edge++) {
      starts[this.edgeTo.at(edge) + 1]++;
    }
    for (let number = 0; number < size; number++) {
      starts[number + 1] += starts[number];
    }
    const sources = new Int32Array(this.edgeTo.length);
    const filled = starts.slice();
    for (let edge = 0; edge < this.edgeTo.length; edge++) {
      sources[filled[this.edgeTo.at(edge)]++] = this.edgeFrom.at(edge);
    }
    const rests = new Uint8Array(size);
    const pending = [...this.resting];
    for (const number of pending) {
      rests[number] = 1;
    }
    for (let number = pending.pop(); number !== undefined; number = pending.pop()) {
      for (let index = starts[number]; index < starts[number + 1]; index++) {
        if (rests[sources[index]] === 0) {
          rests[sources[index]] = 1;
          pending.push(sources[index]);
        }
      }
    }
    const endless = rests.indexOf(0);
    if (endless >= 0) {
      this.report('no-rest', endless);
    }
  }
}

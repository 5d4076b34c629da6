import { type ChangeCase, isForTheOwner, isTaken, refuses } from './change-cases';
import { type ChangeOutcome, labelAtRest, labelLater, labelOfTheServed, rank } from './change-outcomes';
import { machineOfChange, startsOf } from './change-rows';
import { explore, type Label, MOST_STATES, type Outcome, type Way } from './checker';
import type { Machine } from './machine';
import type { PartialState, State } from './state';
import type { Count } from './verdict';

// What a change does to a balancer that is live and at rest, in every order of what follows.

/** A trace of a change with where it begins. */
export interface ChangeTrace {
  readonly name: string;
  /** Which of the states of rest it begins in. */
  readonly start: number;
  readonly way: Way;
}

export interface ChangeResult {
  readonly outcome: ChangeOutcome;
  /** Whether it comes of the change itself, or where the Service is deleted afterwards. */
  readonly when: 'now' | 'when deleted';
  /** What a deletion afterwards does, as it did before the change. */
  readonly anyway?: ChangeOutcome;
  readonly trace?: ChangeTrace;
}

/** What comes of changes; what a life without a change comes to is asked once. */
export class ChangeSearch {
  private readonly befores = new Map<string, ChangeOutcome | undefined>();

  constructor(private readonly count: Count = () => undefined) {}

  /** The worst result without a fault; undefined if no balancer comes to be served. */
  public resultOf(one: ChangeCase): ChangeResult | undefined {
    const now = this.now(one);
    if (!now) {
      return undefined;
    }
    const later = this.later(one, now.rests);
    const before = one.change === 'nothing' ? later?.outcome : this.before(one);
    if (later && later.outcome !== before && rank(later.outcome) < rank(now.outcome)) {
      return { ...later, when: 'when deleted' };
    }
    const { outcome, trace } = now;
    return {
      outcome,
      when: 'now',
      ...(later ? { anyway: later.outcome } : {}),
      ...(trace && outcome !== 'kept' && outcome !== 'refused' ? { trace } : {}),
    };
  }

  private now(one: ChangeCase): (Found & { rests: readonly Rest[] }) | undefined {
    const rests: Rest[] = [];
    let worst: Found | undefined;
    const machine = machineOfChange(one, false);
    const label = isForTheOwner(one) ? labelOfTheServed : labelAtRest;
    for (const [start, state] of startsOf(one).entries()) {
      const explored = this.explore(machine, state, label);
      const at = (way: Way): Omit<ChangeTrace, 'name'> => ({ start, way });
      for (const [found, way] of explored.labelled) {
        const outcome = found.split(' at ')[0] as ChangeOutcome;
        worst = worseOf(worst, { outcome, trace: named(one, outcome, at(way)) });
        const state = way.states[way.states.length - 1];
        if (found.includes(' at ') && isTaken(one, state)) {
          rests.push({ ...at(way), state });
        }
      }
      const endless = explored.broken.get('no-rest');
      if (endless) {
        worst = worseOf(worst, { outcome: 'unfinished', trace: named(one, 'unfinished', at(endless)) });
      }
    }
    const isRefused = worst?.outcome === 'kept' && rests.length > 0 && refuses(one);
    return worst && { ...worst, ...(isRefused ? { outcome: 'refused' as const } : {}), rests };
  }

  /** What a deletion does after the change, once all actors are at rest. */
  private later(one: ChangeCase, rests: readonly Rest[]): Found | undefined {
    let worst: Found | undefined;
    const machine = machineOfChange(one, true);
    for (const { state, way, ...rest } of rests) {
      if (state.object === 'live') {
        const explored = this.explore(machine, state, labelLater);
        for (const [label, after] of explored.labelled) {
          const outcome = label as ChangeOutcome;
          const whole: Way = {
            steps: [...way.steps, ...after.steps],
            states: [...way.states, ...after.states.slice(1)],
          };
          worst = worseOf(worst, { outcome, trace: named(one, outcome, { ...rest, way: whole }) });
        }
      }
    }
    return worst;
  }

  private before({ owner, beside, writer, before, keeper }: ChangeCase): ChangeOutcome | undefined {
    const key = [owner.name, owner.versions, beside, writer, before, keeper].join('|');
    if (!this.befores.has(key)) {
      const one: ChangeCase = { owner, beside, writer, change: 'nothing', before, after: before, keeper };
      this.befores.set(key, this.later(one, this.now(one)?.rests ?? [])?.outcome);
    }
    return this.befores.get(key);
  }

  private explore(machine: Machine, from: PartialState, label: Label): Outcome {
    const explored = explore(machine, from, MOST_STATES, label);
    this.count(explored);
    return explored;
  }
}

interface Found {
  readonly outcome: ChangeOutcome;
  readonly trace: ChangeTrace;
}

interface Rest extends Omit<ChangeTrace, 'name'> {
  readonly state: State;
}

function worseOf(one: Found | undefined, other: Found): Found {
  if (!one) {
    return other;
  }
  const difference = rank(one.outcome) - rank(other.outcome);
  return difference < 0 || (difference === 0 && one.trace.way.steps.length <= other.trace.way.steps.length)
    ? one
    : other;
}

function named({ change }: ChangeCase, outcome: ChangeOutcome, trace: Omit<ChangeTrace, 'name'>): ChangeTrace {
  return { name: [outcome, change].join('-').replaceAll(' ', '-'), ...trace };
}

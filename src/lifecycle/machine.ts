import type { Citation, Confidence } from '../contract/kubernetes.facts';
import { type Field, NAMES, numberOf, PLACE, type Value } from './state';
import type { TARGETS } from './state.facts';

export type Actor = keyof typeof TARGETS;

export type Guard = { readonly [F in Field]?: Value<F> | readonly Value<F>[] };

/** A value, the value of another field, or a value for each old one. */
export type Effect = {
  readonly [F in Field]?:
    | Value<F>
    | { readonly copy: Field }
    | { readonly map: { readonly [V in Value<F>]?: Value<F> } };
};

/**
 * A row of the tables.
 *
 * - `must`: will happen while nothing removes its condition; an actor that is not at rest.
 * - `may`: can happen: what people choose, and faults.
 * - `reaction`: happens within the write that made its condition true.
 * - `refusal`: the API server refuses a write that would lead from `when` to `would`.
 * - `admission`: the API server changes a write of a writer that would lead from `when` to `would`.
 */
export interface Transition {
  readonly id: string;
  readonly actor: Actor;
  readonly kind: 'must' | 'may' | 'reaction' | 'refusal' | 'admission';
  /** The event, as a clause that follows the name of the actor. */
  readonly says: string;
  readonly when: Guard;
  /** Pairs of fields of which one pair must differ in whether it is absent. */
  readonly unlike?: readonly (readonly [Field, Field])[];
  readonly finalizers?: 'some' | 'none';
  /** Of refusals and admissions: what the write would lead to. */
  readonly would?: Guard;
  readonly does: Effect;
  /** Remainder of the step if the API server refuses it. */
  readonly refused?: Effect;
  /** Name of a trace that goes through it. */
  readonly turn?: string;
  readonly source: Citation;
  readonly confidence: Confidence;
  /** Reason why no verdict shows that it is missing or wrong, if that is so. */
  readonly unnoticed?: string;
}

export type Table = readonly Transition[];

type Test = (state: Uint8Array) => boolean;
type Change = (state: Uint8Array, before: Uint8Array) => void;

export interface Step {
  readonly row: Transition;
  readonly enabled: Test;
  readonly apply: Change;
  readonly refused?: Change;
}

const HELD = ['own', 'other', 'collected'] as const;
const HELD_PLACES = HELD.map((field) => PLACE[field]);
const EVENT = PLACE.event;
const METADATA = numberOf('event', 'metadata');

export class Machine {
  public readonly steps: readonly Step[];
  private readonly reactions: readonly Step[];
  private readonly refusals: readonly { readonly before: Test; readonly after: Test }[];
  private readonly admissions: readonly { readonly before: Test; readonly after: Test; readonly apply: Change }[];
  private readonly scratch = new Uint8Array(NAMES.length);

  constructor(public readonly rows: readonly Transition[]) {
    const steps = rows.map(
      (row): Step => ({
        row,
        enabled: testOf(row),
        apply: changeOf(row.does),
        refused: row.refused && changeOf(row.refused),
      }),
    );
    this.steps = steps.filter(({ row }) => row.kind === 'must' || row.kind === 'may');
    this.reactions = steps.filter(({ row }) => row.kind === 'reaction');
    const writes = (of: Transition['kind']) =>
      steps
        .filter(({ row }) => row.kind === of)
        .map(({ row, enabled, apply }) => ({ before: enabled, after: guardOf(row.would ?? {}), apply }));
    this.refusals = writes('refusal');
    this.admissions = writes('admission');
  }

  public follow(before: Uint8Array, step: Step, after: Uint8Array): void {
    after.set(before);
    step.apply(after, before);
    const made = step.row.actor === 'writer' ? this.admissions : [];
    const changing = made.filter(({ before: was, after: is }) => was(before) && is(after));
    for (const { apply } of changing) {
      this.scratch.set(after);
      apply(after, this.scratch);
    }
    // a write that changes nothing wakes nobody
    if (
      changing.length > 0 &&
      after[EVENT] === METADATA &&
      HELD_PLACES.every((place) => after[place] === before[place])
    ) {
      after[EVENT] = 0;
    }
    if (this.refusals.some((refusal) => refusal.before(before) && refusal.after(after))) {
      after.set(before);
      step.refused?.(after, before);
    }
    this.settle(after);
  }

  public settle(state: Uint8Array): void {
    for (const reaction of this.reactions) {
      if (reaction.enabled(state)) {
        this.scratch.set(state);
        reaction.apply(state, this.scratch);
      }
    }
    state[EVENT] = 0;
  }
}

function testOf({ when, unlike, finalizers }: Transition): Test {
  const guard = guardOf(when);
  const pairs = unlike?.map(([a, b]) => [PLACE[a], PLACE[b]] as const);
  const [own, other, collected] = HELD_PLACES;
  return (state) =>
    guard(state) &&
    (!pairs || pairs.some(([a, b]) => state[a] > 0 !== state[b] > 0)) &&
    (!finalizers || (finalizers === 'some') === (state[own] > 0 || state[other] > 0 || state[collected] > 0));
}

function guardOf(guard: Guard): Test {
  const entries = Object.entries(guard) as [Field, string | readonly string[]][];
  const places = entries.map(([field]) => PLACE[field]);
  const masks = entries.map(([field, values]) =>
    [values].flat().reduce((mask, value) => mask | (1 << numberOf(field, value)), 0),
  );
  return (state) => {
    for (let index = 0; index < places.length; index++) {
      if (((masks[index] >> state[places[index]]) & 1) === 0) {
        return false;
      }
    }
    return true;
  };
}

function changeOf(effect: Effect): Change {
  const changes = (Object.entries(effect) as [Field, string | { copy?: Field; map?: Record<string, string> }][]).map(
    ([field, value]): Change => {
      const place = PLACE[field];
      if (typeof value === 'string') {
        const number = numberOf(field, value);
        return (state) => {
          state[place] = number;
        };
      }
      if (value.copy) {
        const from = PLACE[value.copy];
        return (state, before) => {
          state[place] = before[from];
        };
      }
      const map = new Map(
        Object.entries(value.map ?? {}).map(([old, next]) => [numberOf(field, old), numberOf(field, next)]),
      );
      return (state, before) => {
        state[place] = map.get(before[place]) ?? before[place];
      };
    },
  );
  return (state, before) => {
    for (const change of changes) {
      change(state, before);
    }
  };
}

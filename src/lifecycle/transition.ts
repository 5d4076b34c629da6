import { type Citation, Confidence } from '../contract/kubernetes.facts';
import type { Field, Value } from './state';

export type Actor =
  | 'user'
  | 'writer'
  | 'API server'
  | 'garbage collector'
  | 'namespace controller'
  | 'owner'
  | 'other controller'
  | 'cloud'
  | 'watch';

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
 * - `must`: will happen while nothing takes its condition away; an actor that is not at rest.
 * - `may`: can happen: what people choose, and faults.
 * - `reaction`: happens within the write that made its condition true.
 * - `refusal`: the API server refuses a write that would lead from `when` to `would`.
 * - `admission`: the API server changes a write of a writer that would lead from `when` to `would`.
 */
export interface Transition {
  readonly id: string;
  readonly actor: Actor;
  readonly kind: 'must' | 'may' | 'reaction' | 'refusal' | 'admission';
  /** What happens, as a clause that follows the name of the actor. */
  readonly says: string;
  readonly when: Guard;
  /** Pairs of fields of which one pair must differ in whether it is absent. */
  readonly unlike?: readonly (readonly [Field, Field])[];
  /** Whether any finalizer is on the object. */
  readonly finalizers?: 'some' | 'none';
  /** Of refusals and admissions: what the write would lead to. */
  readonly would?: Guard;
  readonly does: Effect;
  /** What is left of the step where the API server refuses it. */
  readonly refused?: Effect;
  /** What a trace is named after that goes through it. */
  readonly turn?: string;
  /** How it is known. */
  readonly source: Citation;
  readonly confidence: Confidence;
  /** Why no verdict shows that it is missing or wrong, where that is so. */
  readonly unnoticed?: string;
}

export type Table = readonly Transition[];

type Shared = Pick<Transition, 'actor' | 'source'> & Partial<Transition>;
type Row = Pick<Transition, 'id' | 'says' | 'when' | 'does'> & Partial<Transition>;

/** Rows that are steps which must come and were seen, unless they or what they share say otherwise. */
export function table(shared: Shared, rows: readonly Row[]): Table {
  return rows.map((row) => ({ kind: 'must', confidence: Confidence.SEEN, ...shared, ...row }) as Transition);
}

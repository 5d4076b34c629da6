import { FIELDS } from './state.facts';

export type Field = keyof typeof FIELDS;
export type Value<F extends Field> = (typeof FIELDS)[F][number];
export type State = { [F in Field]: Value<F> };
export type PartialState = { readonly [F in Field]?: Value<F> };

export const NAMES = Object.keys(FIELDS) as Field[];

export const PLACE = Object.fromEntries(NAMES.map((name, place) => [name, place])) as Record<Field, number>;

export function numberOf(field: Field, value: string): number {
  const found = (FIELDS[field] as readonly string[]).indexOf(value);
  if (found < 0) {
    throw new Error(`${value} is not a value of ${field}`);
  }
  return found;
}

export const is = <F extends Field>(field: F, value: Value<F>) => {
  const place = PLACE[field];
  const number = numberOf(field, value);
  return (state: Uint8Array): boolean => state[place] === number;
};

const SIZES = NAMES.map((name) => FIELDS[name].length);

/** One number for each state: all states are fewer than 2^53. */
export function keyOf(state: Uint8Array): number {
  let key = 0;
  for (let place = 0; place < SIZES.length; place++) {
    key = key * SIZES[place] + state[place];
  }
  return key;
}

/** A state in bytes; a field that is not named has its first value. */
export function bytesOf(state: PartialState): Uint8Array {
  const bytes = new Uint8Array(NAMES.length);
  for (const [field, value] of Object.entries(state)) {
    bytes[PLACE[field as Field]] = numberOf(field as Field, value);
  }
  return bytes;
}

export function stateOf(bytes: Uint8Array): State {
  return Object.fromEntries(NAMES.map((name, place) => [name, FIELDS[name][bytes[place]]])) as unknown as State;
}

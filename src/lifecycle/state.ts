/**
 * What a state of the model holds, each field with its values; the first value is the one that it begins with. A state is one
 * Service of one name, the cloud behind it, and what each actor has seen and has still to do.
 */
export const FIELDS = {
  /** The Service: `dying` has a deletionTimestamp. */
  object: ['absent', 'live', 'dying'],
  /** Whom its type, class and annotations ask for a balancer; `in vain` is the owner, by annotations of a type that has no address. */
  asks: ['owner', 'nothing', 'another', 'in vain'],
  /** The finalizer of the owner: by whose field manager it is held. `held` is by updates, `applied` by the writer's apply. */
  own: ['absent', 'held', 'applied', 'both'],
  /** The finalizer of a controller that is not the owner. */
  other: ['absent', 'held', 'applied', 'both'],
  /** The garbage collector's finalizer. */
  collected: ['no', 'yes'],
  /** Whether the API server has decided to remove the object at once, and has not done so yet. */
  decided: ['no', 'yes'],
  /** Whether the status has the address. */
  address: ['no', 'yes'],
  /** Whether an address was published, and its loss was not asked for. */
  promised: ['no', 'yes'],
  namespace: ['live', 'dying'],
  /** The object that the Service belongs to; `leaving` waits for its dependents. */
  parent: ['live', 'leaving', 'gone'],
  /** What the deletion of the Service waits for. */
  deletion: ['unwanted', 'wanted', 'sent'],

  /** The balancer that the owner finds by the name of the Service. */
  balancer: ['none', 'made'],
  /** A balancer that no name leads to any more; `remembered` is one that the process of the owner knows of. */
  leftover: ['none', 'made', 'remembered'],

  /** How far the owner is with the Service. */
  owner: ['idle', 'planned', 'marked', 'created', 'releasing', 'released'],
  process: ['runs', 'down', 'uninstalled'],
  /** Whether the owner has the Service in its queue. */
  queue: ['empty', 'pending'],
  /** Whether the object that the owner read has changed since. */
  read: ['fresh', 'stale', 'gone'],
  /** The watch of the owner: `behind` has changes that it has not delivered, and `owing` such as put the Service into the queue. */
  watch: ['current', 'stalled', 'behind', 'owing'],
  seen: ['absent', 'live', 'dying'],
  seenOwn: ['absent', 'held', 'applied', 'both'],
  seenAsks: ['owner', 'nothing', 'another', 'in vain'],
  /** Whether the process of the owner has worked on the Service, or on the last one of its name. */
  remembers: ['no', 'yes'],
  /** Whether another controller in the cluster has the Service in its queue. */
  otherQueue: ['empty', 'pending'],

  /** The writer of the Service, and what it declares. */
  writer: ['works', 'done'],
  declaredOwn: ['absent', 'held', 'applied'],
  declaredOther: ['absent', 'held', 'applied'],
  /** Whether it remembers that it applied the owner's finalizer. */
  lastOwn: ['no', 'yes'],
  /** The same of a finalizer that the owner does not remove. */
  lastOther: ['no', 'yes'],
  /** What may happen once, and how often it still may. */
  turns: ['left', 'taken'],
  edits: ['left', 'taken'],
  crashes: ['none', 'left', 'taken'],
  lags: ['none', 'left', 'taken'],
  losses: ['none', 'left', 'taken'],

  /** What the last write was, for those who watch; gone before the next step. */
  event: ['none', 'created', 'metadata', 'edited', 'deletion', 'removed'],
} as const;

export type Field = keyof typeof FIELDS;
export type Value<F extends Field> = (typeof FIELDS)[F][number];
export type State = { [F in Field]: Value<F> };
export type PartialState = { readonly [F in Field]?: Value<F> };

/** The fields in the order in which they are packed. */
export const NAMES = Object.keys(FIELDS) as Field[];

/** The place of a field among the bytes of an unpacked state. */
export const PLACE = Object.fromEntries(NAMES.map((name, place) => [name, place])) as Record<Field, number>;

/** The number of a value of a field. */
export function numberOf(field: Field, value: string): number {
  const found = (FIELDS[field] as readonly string[]).indexOf(value);
  if (found < 0) {
    throw new Error(`${value} is not a value of ${field}`);
  }
  return found;
}

interface Packed {
  readonly place: number;
  readonly word: 0 | 1;
  readonly shift: number;
  readonly mask: number;
}

const WORD_BITS = 31;

/** Where each field is in two words of 31 bits. */
export const LAYOUT: readonly Packed[] = layout();

function layout(): Packed[] {
  const bits: [number, number] = [0, 0];
  return NAMES.map((name, place) => {
    const width = Math.ceil(Math.log2(FIELDS[name].length));
    const word = bits[0] + width <= WORD_BITS ? 0 : 1;
    const shift = bits[word];
    bits[word] += width;
    if (bits[word] > WORD_BITS) {
      throw new Error('the fields do not fit two words');
    }
    return { place, word, shift, mask: (1 << width) - 1 };
  });
}

/** The two words of an unpacked state, into the array given. */
export function pack(state: Uint8Array, into: Int32Array): void {
  let low = 0;
  let high = 0;
  for (let place = 0; place < LAYOUT.length; place++) {
    const { word, shift } = LAYOUT[place];
    if (word === 0) {
      low |= state[place] << shift;
    } else {
      high |= state[place] << shift;
    }
  }
  into[0] = low;
  into[1] = high;
}

/** The bytes of two words, into the array given. */
export function unpack(low: number, high: number, into: Uint8Array): void {
  for (let place = 0; place < LAYOUT.length; place++) {
    const { word, shift, mask } = LAYOUT[place];
    into[place] = ((word === 0 ? low : high) >>> shift) & mask;
  }
}

/** A state in bytes, from words; what is not named begins with its first value. */
export function bytesOf(state: PartialState): Uint8Array {
  const bytes = new Uint8Array(NAMES.length);
  for (const [field, value] of Object.entries(state)) {
    bytes[PLACE[field as Field]] = numberOf(field as Field, value);
  }
  return bytes;
}

/** A state in words. */
export function stateOf(bytes: Uint8Array): State {
  return Object.fromEntries(NAMES.map((name, place) => [name, FIELDS[name][bytes[place]]])) as unknown as State;
}

const FIRST_CAPACITY = 1 << 10;
const EMPTY = -1;

export class Numbers {
  public length = 0;
  private values = new Int32Array(FIRST_CAPACITY);

  public push(value: number): void {
    if (this.length === this.values.length) {
      const grown = new Int32Array(this.length * 2);
      grown.set(this.values);
      this.values = grown;
    }
    this.values[this.length++] = value;
  }

  public at(index: number): number {
    return this.values[index];
  }
}

/** States by the order in which they were found: twelve bytes for each, and as many for its place in the table. */
export class StateStore {
  private readonly low = new Numbers();
  private readonly high = new Numbers();
  private table = new Int32Array(FIRST_CAPACITY * 2).fill(EMPTY);
  private readonly words = new Int32Array(2);

  public get size(): number {
    return this.low.length;
  }

  /** The number of a state, which is `size` from before the call where it is new. */
  public add(state: Uint8Array): number {
    if (this.size * 2 >= this.table.length) {
      this.grow();
    }
    pack(state, this.words);
    const [low, high] = this.words;
    let slot = this.slotOf(low, high);
    for (;;) {
      const found = this.table[slot];
      if (found === EMPTY) {
        this.table[slot] = this.size;
        this.low.push(low);
        this.high.push(high);
        return this.size - 1;
      }
      if (this.low.at(found) === low && this.high.at(found) === high) {
        return found;
      }
      slot = (slot + 1) & (this.table.length - 1);
    }
  }

  public read(number: number, into: Uint8Array): void {
    unpack(this.low.at(number), this.high.at(number), into);
  }

  private slotOf(low: number, high: number): number {
    let hash = Math.imul(low ^ Math.imul(high, 0x9e3779b1), 0x85ebca6b);
    hash ^= hash >>> 15;
    hash = Math.imul(hash, 0xc2b2ae35);
    return (hash ^ (hash >>> 13)) & (this.table.length - 1);
  }

  private grow(): void {
    this.table = new Int32Array(this.table.length * 2).fill(EMPTY);
    for (let number = 0; number < this.size; number++) {
      let slot = this.slotOf(this.low.at(number), this.high.at(number));
      while (this.table[slot] !== EMPTY) {
        slot = (slot + 1) & (this.table.length - 1);
      }
      this.table[slot] = number;
    }
  }
}

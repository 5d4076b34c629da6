import { pack, unpack } from './state';

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

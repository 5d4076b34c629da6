import type { AddressRange } from '../../contract/address-ranges';

/** Addresses that ranges have taken, as sorted parts without overlaps: a range is compared with few of many. */
export class TakenRanges<R extends { readonly range: AddressRange }> {
  /** Number of parts that were looked at. */
  public looks = 0;
  private readonly parts: Record<32 | 128, { first: bigint; last: bigint; readonly by: R }[]> = { 32: [], 128: [] };

  /** Takes the addresses of a range that are free. @returns who has its others, each once */
  public take(by: R): R[] {
    const { first, last, bits } = by.range;
    const parts = this.parts[bits];
    let [low, high] = [0, parts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      this.looks++;
      [low, high] = parts[middle].last < first ? [middle + 1, high] : [low, middle];
    }
    const others = new Set<R>();
    let [next, at] = [first, low];
    for (; at < parts.length && parts[at].first <= last; at++) {
      this.looks++;
      others.add(parts[at].by);
      if (parts[at].first > next) {
        parts.splice(at, 0, { first: next, last: parts[at].first - 1n, by });
        at++;
      }
      next = parts[at].last + 1n;
    }
    if (next <= last) {
      parts.splice(at, 0, { first: next, last, by });
    }
    return [...others];
  }
}

import { isIP } from 'node:net';
import { cidrFault, isIpv6 } from './kubernetes-syntax';
import type { Finding } from './rule';

export interface AddressRange {
  readonly text: string;
  readonly bits: 32 | 128;
  readonly first: bigint;
  readonly last: bigint;
}

export function numberOf(address: string): bigint {
  if (isIP(address) === 4) {
    return address.split('.').reduce((sum, part) => sum * 256n + BigInt(part), 0n);
  }
  const [plain] = address.split('%');
  const dotted = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(plain);
  const text = dotted ? `${dotted[1]}${hexOf(numberOf(dotted[2]))}` : plain;
  const [head, tail] = text.split('::').map((half) => half.split(':').filter((part) => part !== ''));
  const zeros = tail === undefined ? [] : Array(8 - head.length - tail.length).fill('0');
  return [...head, ...zeros, ...(tail ?? [])].reduce((sum, part) => sum * 65536n + BigInt(`0x${part}`), 0n);
}

function hexOf(value: bigint): string {
  return `${(value >> 16n).toString(16)}:${(value & 0xffffn).toString(16)}`;
}

const bitsOf = (address: string) => (isIP(address) === 4 ? 32 : 128);

/** A CIDR, or two addresses with a dash between them; or what is wrong with it. */
export function addressRange(text: string): AddressRange | string {
  return text.includes('-') ? fromTo(text) : cidr(text);
}

function cidr(text: string): AddressRange | string {
  const [, address = '', length = ''] = /^([^/]+)\/(\d{1,3})$/.exec(text) ?? [];
  const bits = bitsOf(address);
  if (!isIP(address) || Number(length) > bits) {
    return `'${text}' is not an address range`;
  }
  const value = numberOf(address);
  const size = 1n << BigInt(bits - Number(length));
  const first = value - (value % size);
  return { text, bits, first, last: first + size - 1n };
}

function fromTo(text: string): AddressRange | string {
  const [from, to, ...more] = text.split('-').map((part) => part.trim());
  if (!isIP(from) || !isIP(to) || more.length > 0 || bitsOf(from) !== bitsOf(to)) {
    return `'${text}' is not an address range`;
  }
  const [first, last] = [numberOf(from), numberOf(to)];
  return first > last ? `'${text}' begins after its end` : { text, bits: bitsOf(from), first, last };
}

export const addressesIn = (text: unknown): string[] =>
  String(text ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter((one) => isIP(one) !== 0);

export function overlap(one: AddressRange, other: AddressRange): boolean {
  return one.bits === other.bits && one.first <= other.last && other.first <= one.last;
}

export function contains(outer: AddressRange, inner: AddressRange): boolean {
  return outer.bits === inner.bits && outer.first <= inner.first && inner.last <= outer.last;
}

export function isInRange(address: string, range: AddressRange): boolean {
  if (range.bits !== bitsOf(address)) {
    return false;
  }
  const value = numberOf(address);
  return range.first <= value && value <= range.last;
}

export function rangesIn(text: string): readonly AddressRange[] {
  return text.split(/\s+/).map((one) => addressRange(one) as AddressRange);
}

export function isInAny(address: string, ranges: readonly AddressRange[]): boolean {
  return isIP(address) !== 0 && ranges.some((range) => isInRange(address, range));
}

/** A single address is a range of one. */
export function rangeOrAddress(text: string): AddressRange | string {
  const first = isIP(text) ? numberOf(text) : undefined;
  return first === undefined ? addressRange(text) : { text, bits: bitsOf(text), first, last: first };
}

const isOfAll = (range: string) => range.endsWith('/0');

/** Findings of source ranges that contain all addresses of a family beside some of them. */
export function rangeOfAllAmong(written: readonly unknown[], place: string): Omit<Finding, 'at'> | undefined {
  const ranges = written.map((range) => String(range).trim()).filter((range) => cidrFault(range) === undefined);
  const besideOf = (all: string) => ranges.filter((range) => !isOfAll(range) && isIpv6(range) === isIpv6(all));
  const all = ranges.find((range) => isOfAll(range) && besideOf(range).length > 0);
  if (all === undefined) {
    return undefined;
  }
  const beside = besideOf(all);
  return {
    what: `${all} in ${place} admits every client, and ${beside.join(', ')} beside it ${beside.length > 1 ? 'have' : 'has'} no effect`,
    remedy: `remove ${all}, or keep only that if every client may connect`,
    value: all,
  };
}

/** Addresses that ranges have taken, as sorted parts without overlaps: a range is compared with few of many. */
export class RangeSet<R extends { readonly range: AddressRange }> {
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

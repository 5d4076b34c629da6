import { isIP } from 'node:net';
import { type Json, list, mapIn } from '../../contract/json';

// The addresses of pools as sets: a pool has ranges and networks, written in any way.

interface Range {
  readonly version: number;
  readonly first: bigint;
  readonly last: bigint;
}

/** How many of some addresses are among others. */
export type Share = 'all' | 'some' | 'none';

/** The ranges of a pool, as they are written. */
export function rangesOf(pool: Json): string[] {
  return list<unknown>(mapIn(pool, 'spec').addresses).map(String);
}

/** How many addresses of some ranges are among those of others; a text that is no range counts as itself. */
export function shareOf(ranges: readonly string[], others: readonly string[]): Share {
  const among = others.flatMap((text) => rangeIn(text) ?? []);
  const left = ranges.map((text) => {
    const range = rangeIn(text);
    return range ? leftOf(range, among) : others.includes(text) ? 'all' : 'none';
  });
  return left.every((one) => one === 'all') ? 'all' : left.every((one) => one === 'none') ? 'none' : 'some';
}

function leftOf(range: Range, among: readonly Range[]): Share {
  const touching = among
    .filter(({ version, first, last }) => version === range.version && first <= range.last && last >= range.first)
    .sort((one, other) => (one.first < other.first ? -1 : 1));
  let next = range.first;
  for (const { first, last } of touching) {
    if (first > next) {
      break;
    }
    next = last >= next ? last + 1n : next;
  }
  return next > range.last ? 'all' : touching.length > 0 ? 'some' : 'none';
}

/** `10.0.0.10-10.0.0.20` or `10.0.0.0/24`. internal/config/config.go, ParseCIDR */
function rangeIn(text: string): Range | undefined {
  const [start = '', end = ''] = text.split(text.includes('-') ? '-' : '/').map((part) => part.trim());
  const version = isIP(start);
  if (version === 0) {
    return undefined;
  }
  const first = numberOf(start);
  if (text.includes('-')) {
    return isIP(end) === version ? { version, first, last: numberOf(end) } : undefined;
  }
  const bits = version === 6 ? 128 : 32;
  const length = text.includes('/') ? Number(end || Number.NaN) : bits;
  if (!Number.isInteger(length) || length < 0 || length > bits) {
    return undefined;
  }
  const size = 1n << BigInt(bits - length);
  const network = first - (first % size);
  return { version, first: network, last: network + size - 1n };
}

function numberOf(address: string): bigint {
  if (isIP(address) === 4) {
    return parts(address.split('.').map(Number), 8n);
  }
  const [, head, tail = ''] = /^(.*?)(\d+\.\d+\.\d+\.\d+)?(?:%.*)?$/.exec(address) ?? [];
  const v4 = tail === '' ? [] : tail.split('.').map(Number);
  const last = v4.length === 4 ? [v4[0] * 256 + v4[1], v4[2] * 256 + v4[3]] : [];
  const [left, right] = head
    .split('::')
    .map((side) => side.split(':').flatMap((one) => (one === '' ? [] : Number.parseInt(one, 16))));
  const all =
    right === undefined
      ? [...left, ...last]
      : [...left, ...Array(8 - left.length - right.length - last.length).fill(0), ...right, ...last];
  return parts(all, 16n);
}

function parts(numbers: readonly number[], bits: bigint): bigint {
  return numbers.reduce((sum, part) => (sum << bits) + BigInt(part), 0n);
}

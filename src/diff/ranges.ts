import { BlockList, isIP } from 'node:net';

/** Whether every address of a range is in some of others; of a text that is no range, only the same one is. */
export function isWithin(range: string, others: readonly string[]): boolean {
  return others.some((other) => other === range || contains(other, range));
}

function contains(outer: string, inner: string): boolean {
  const [one, other] = [outer, inner].map(partsOf);
  if (!one || !other || one.family !== other.family || one.bits > other.bits) {
    return false;
  }
  const list = new BlockList();
  list.addSubnet(one.address, one.bits, one.family);
  return list.check(other.address, other.family);
}

interface Range {
  readonly address: string;
  readonly bits: number;
  readonly family: 'ipv4' | 'ipv6';
}

function partsOf(text: string): Range | undefined {
  const [address, length = ''] = text.split('/');
  const version = isIP(address);
  const bits = Number(length);
  const most = version === 6 ? 128 : 32;
  return version !== 0 && /^\d+$/.test(length) && bits <= most
    ? { address, bits, family: version === 6 ? 'ipv6' : 'ipv4' }
    : undefined;
}

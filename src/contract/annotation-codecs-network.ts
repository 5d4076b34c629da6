import { type Codec, cidr, codec } from './annotation-codec';
import { isIpv6 } from './kubernetes-syntax';

/** An address range without host bits, for controllers that drop `10.0.0.1/8`. */
export function maskedCidr(): Codec<string> {
  const range = cidr();
  return codec(range.says, range.examples, String, (read) => {
    const syntax = range.decode(read);
    return !('fault' in syntax) && hasHostBits(read)
      ? { fault: `'${read}' has bits set beyond its prefix length` }
      : syntax;
  });
}

function hasHostBits(range: string): boolean {
  const [ip, length] = range.split('/');
  const groups = isIpv6(ip) ? groupsOfIpv6(ip) : ip.split('.').map(Number);
  const bits = groups.map((group) => group.toString(2).padStart(isIpv6(ip) ? 16 : 8, '0')).join('');
  return bits.slice(Number(length)).includes('1');
}

function groupsOfIpv6(ip: string): number[] {
  const [head, tail] = new URL(`http://[${ip}]`).hostname.slice(1, -1).split('::');
  const groups = (part: string | undefined) => (part ? part.split(':') : []);
  const zeros = tail === undefined ? 0 : 8 - groups(head).length - groups(tail).length;
  return [...groups(head), ...Array(zeros).fill('0'), ...groups(tail)].map((group) => Number.parseInt(group, 16));
}

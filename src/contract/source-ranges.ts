import { cidrFault, isIpv6 } from './kubernetes-syntax';
import type { Finding } from './rule';

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

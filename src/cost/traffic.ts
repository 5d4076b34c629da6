import type { Finding } from '../contract/finding';
import { shown } from '../contract/printable';
import { Decimal } from './money';

/** What goes through the balancer of a Service. */
export interface Traffic {
  /** Gigabytes of a month, those of both directions together. */
  readonly gbPerMonth?: number;
  /** Of these, the gigabytes that clients on the internet receive. */
  readonly gbOutPerMonth?: number;
  /** New connections of a second, over the whole month. */
  readonly newPerSecond?: number;
  /** Connections that are open at a time, over the whole month. */
  readonly active?: number;
}

/** What is known of the traffic of one or several Services: numbers that are valid, and what is wrong with the others. */
export interface ReadTraffic {
  readonly gb?: Decimal;
  readonly gbOut?: Decimal;
  readonly newPerSecond?: Decimal;
  readonly active?: Decimal;
  readonly wrong: readonly Finding[];
}

const FIELDS = ['gbPerMonth', 'gbOutPerMonth', 'newPerSecond', 'active'] as const;

/** What the user calls it. */
const CALLED: Readonly<Record<string, string>> = { active: 'connections' };

/** The traffic of a Service: each of its own figures, or that of all Services where it has none. */
export function trafficOf(own: Traffic, others: Traffic): ReadTraffic {
  const wrong: Finding[] = [];
  const [gb, gbOut, newPerSecond, active] = FIELDS.map((field) => {
    const value = own[field] ?? others[field];
    const read = Decimal.read(value);
    if (value === undefined || (read && !read.isNegative())) {
      return read;
    }
    wrong.push({
      what: `${CALLED[field] ?? field} ${shown(value)} is not a valid amount`,
      remedy: 'give a number of 0 or more',
      value: String(value),
    });
    return undefined;
  });
  const all = gb ?? (wrong.length === 0 ? gbOut : undefined);
  if (gbOut && all && gbOut.compare(all) > 0) {
    wrong.push({
      what: `gbOutPerMonth ${gbOut} is more than gbPerMonth ${all}, of which it is a part`,
      remedy: 'give both directions together as gbPerMonth',
      value: String(gbOut),
    });
    return { newPerSecond, active, wrong };
  }
  return { gb: all, gbOut, newPerSecond, active, wrong };
}

/** The traffic of several Services together: a figure is known where it is known of one. */
export function sumOfTraffic(parts: readonly ReadTraffic[]): ReadTraffic {
  const sum = (field: 'gb' | 'gbOut' | 'newPerSecond' | 'active') => {
    const known = parts.map((part) => part[field]).filter((value) => value !== undefined);
    return known.length > 0 ? Decimal.sum(known) : undefined;
  };
  return {
    gb: sum('gb'),
    gbOut: sum('gbOut'),
    newPerSecond: sum('newPerSecond'),
    active: sum('active'),
    wrong: parts.flatMap(({ wrong }) => wrong),
  };
}

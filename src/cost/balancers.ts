import { grouped, shown } from '../contract/json';
import type { MadeBalancer } from '../contract/made-balancer';
import type { Finding } from '../contract/rule';
import { Decimal } from './money';

/** A balancer in a bill: that of a Service, or of what an operator makes a Service for. */
export interface BilledBalancer {
  readonly made: MadeBalancer;
  /** Which controller makes it. */
  readonly owner: string;
  readonly namespace: string;
  readonly name: string;
  readonly tenant?: string;
  /** In how many zones it is; wins over what the Service has. */
  readonly zones?: number;
  /** How many nodes or pods are behind each of its listeners. */
  readonly targets?: number;
  /** How many of its addresses were allocated beforehand. */
  readonly allocatedAddresses?: number;
  /** Its listeners, such as `443/TCP`: two Services that have the same one cannot share a balancer. */
  readonly ports?: readonly string[];
  readonly traffic?: Traffic;
  /** How many zone borders a byte crosses on its way to the pod, on average; wins over that of all. */
  readonly zoneCrossings?: number;
}

/** What a vendor makes once: the balancer of one Service, or of all that share it. */
export interface PhysicalBalancer {
  readonly product: string;
  readonly owner: string;
  /** The Services on it, in order. */
  readonly members: readonly BilledBalancer[];
}

/** A name for people: `shop/web`. */
export function nameOf({ namespace, name }: BilledBalancer): string {
  return `${namespace}/${name}`;
}

/** In an order that does not depend on that of the input. */
export function inOrder(balancers: readonly BilledBalancer[]): readonly BilledBalancer[] {
  return [...balancers].sort(
    (one, other) =>
      compareTexts(one.namespace, other.namespace) ||
      compareTexts(one.name, other.name) ||
      compareTexts(one.owner, other.owner) ||
      compareTexts(JSON.stringify(one), JSON.stringify(other)),
  );
}

/** A bill, the use of quotas and what sharing saves are asked of the same balancers. */
const known = new WeakMap<readonly BilledBalancer[], readonly PhysicalBalancer[]>();

/** The balancers as they are made: those that Services share, once. */
export function physicalBalancers(balancers: readonly BilledBalancer[]): readonly PhysicalBalancer[] {
  const found = known.get(balancers) ?? madeOnce(balancers);
  known.set(balancers, found);
  return found;
}

function madeOnce(balancers: readonly BilledBalancer[]): readonly PhysicalBalancer[] {
  const made = grouped(
    inOrder(balancers).entries(),
    ([
      index,
      {
        owner,
        made: { product, sharedBy },
      },
    ]) => JSON.stringify(sharedBy === undefined ? index : [product, owner, sharedBy]),
  );
  return [...made.values()].map((group) => {
    const members = group.map(([, balancer]) => balancer);
    return { product: members[0].made.product, owner: members[0].owner, members };
  });
}

export function compareTexts(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

/** Whether a value is a number of things. */
export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** What is wrong with a value that should be a number of things. */
export function notACount(field: string, value: unknown, least = 0): Finding {
  return {
    what: `${field} ${shown(value)} is not a valid number`,
    remedy: `give a whole number of ${least} or more`,
    value: String(value),
  };
}

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

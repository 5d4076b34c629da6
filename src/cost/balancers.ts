import { grouped, shown } from '../contract/json';
import type { LoadBalancerModel } from '../contract/load-balancer-model';
import type { Mistake } from '../contract/rule';
import { Decimal } from './money';
import { FIGURES } from './prices.facts';

/** A balancer in a bill: that of a Service, or of what an operator makes a Service for. */
export interface BilledBalancer {
  readonly made: LoadBalancerModel;
  readonly owner: string;
  readonly namespace: string;
  readonly name: string;
  readonly tenant?: string;
  readonly zones?: number;
  readonly targets?: number;
  readonly allocatedAddresses?: number;
  /** Its listeners, such as `443/TCP`: two Services that have the same one cannot share a balancer. */
  readonly ports?: readonly string[];
  readonly traffic?: Traffic;
  /** Number of zone borders that a byte crosses on its way to the pod, on average; wins over that of all. */
  readonly zoneCrossings?: number;
}

export interface PhysicalBalancer {
  readonly product: string;
  readonly owner: string;
  readonly members: readonly BilledBalancer[];
}

export function nameOf({ namespace, name }: BilledBalancer): string {
  return `${namespace}/${name}`;
}

export function inOrder(balancers: readonly BilledBalancer[]): readonly BilledBalancer[] {
  return [...balancers].sort(
    (one, other) =>
      compareTexts(one.namespace, other.namespace) ||
      compareTexts(one.name, other.name) ||
      compareTexts(one.owner, other.owner) ||
      compareTexts(JSON.stringify(one), JSON.stringify(other)),
  );
}

export function physicalBalancers(balancers: readonly BilledBalancer[]): readonly PhysicalBalancer[] {
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

export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

export function notACount(field: string, value: unknown, least = 0): Mistake {
  return {
    what: `${field} ${shown(value)} is not a valid number`,
    remedy: `give a whole number of ${least} or more`,
    value: String(value),
  };
}

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

type TrafficFigure = keyof typeof FIGURES;
const FIGURE_NAMES = Object.keys(FIGURES) as TrafficFigure[];

/** Traffic of one or several Services: numbers that are valid, and what is wrong with the others. */
export interface ReadTraffic extends Partial<Record<TrafficFigure, Decimal>> {
  readonly wrong: readonly Mistake[];
}

/** The traffic of a Service: each of its own figures, or that of all Services where it has none. */
export function trafficOf(own: Traffic, others: Traffic): ReadTraffic {
  const wrong: Mistake[] = [];
  const read: Partial<Record<TrafficFigure, Decimal>> = {};
  for (const name of FIGURE_NAMES) {
    const { field, called } = FIGURES[name];
    const value = own[field] ?? others[field];
    read[name] = Decimal.readAmount(value);
    if (value !== undefined && !read[name]) {
      wrong.push({
        what: `${called} ${shown(value)} is not a valid amount`,
        remedy: 'give a number of 0 or more',
        value: String(value),
      });
    }
  }
  const { gb, gbOut, ...rest } = read;
  const all = gb ?? (wrong.length === 0 ? gbOut : undefined);
  if (gbOut && all && gbOut.compare(all) > 0) {
    wrong.push({
      what: `gbOutPerMonth ${gbOut} is more than gbPerMonth ${all}, of which it is a part`,
      remedy: 'give both directions together as gbPerMonth',
      value: String(gbOut),
    });
    return { ...rest, wrong };
  }
  return { ...rest, gb: all, gbOut, wrong };
}

export function sumOfTraffic(parts: readonly ReadTraffic[]): ReadTraffic {
  const sums = FIGURE_NAMES.flatMap((name) => {
    const known = parts.flatMap((part) => part[name] ?? []);
    return known.length > 0 ? [[name, Decimal.sum(known)]] : [];
  });
  return { ...Object.fromEntries(sums), wrong: parts.flatMap(({ wrong }) => wrong) };
}

import type { MadeBalancer } from '../contract/made-balancer';
import type { Traffic } from './traffic';

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
  const made = new Map<string, BilledBalancer[]>();
  for (const [index, balancer] of inOrder(balancers).entries()) {
    const { owner, made: its } = balancer;
    const key = JSON.stringify(its.sharedBy === undefined ? index : [its.product, owner, its.sharedBy]);
    const members = made.get(key);
    if (members) {
      members.push(balancer);
    } else {
      made.set(key, [balancer]);
    }
  }
  return [...made.values()].map((members) => ({
    product: members[0].made.product,
    owner: members[0].owner,
    members,
  }));
}

export function compareTexts(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
